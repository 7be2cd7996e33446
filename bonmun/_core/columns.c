#include "columns.h"

#include <string.h>

#include "attributes.h"

static span attribute_of(const tree *t, const node *element, int32_t name) {
    for (int32_t at = 0; at < element->attribute_count; at++) {
        const attribute *here = &t->attributes[element->attribute_first + at];
        if (here->name == name) return here->value;
    }
    return (span){-1, -1};
}

static bool is_shadow_root(const tree *t, const node *element) {
    if (element->tag != TAG_TEMPLATE || element->space != NS_HTML) return false;
    span mode = attribute_of(t, element, ATTRIBUTE_SHADOWROOTMODE);
    return tree_equals(t, mode, "open") || tree_equals(t, mode, "closed");
}

/* The children of a template are not part of the page, unless it is a declarative shadow root. */
static bool shows_children(const tree *t, const node *element) {
    return element->tag != TAG_TEMPLATE || element->space != NS_HTML || is_shadow_root(t, element);
}

static int32_t skip_spaces(const uint8_t *bytes, int32_t at, int32_t length) {
    while (at < length && (bytes[at] == ' ' || (bytes[at] >= 9 && bytes[at] <= 13))) at++;
    return at;
}

static int32_t skip_word(const uint8_t *bytes, int32_t at, int32_t length, const char *word) {
    for (; *word; word++, at++)
        if (at >= length || (bytes[at] | 32) != (uint8_t)*word) return -1;
    return at;
}

static bool declares(const uint8_t *bytes, int32_t at, int32_t length, const char *property, const char *value) {
    at = skip_word(bytes, at, length, property);
    if (at < 0) return false;
    at = skip_spaces(bytes, at, length);
    if (at >= length || bytes[at] != ':') return false;
    return skip_word(bytes, skip_spaces(bytes, at + 1, length), length, value) >= 0;
}

/* Whether a style attribute starts a declaration that hides: display:none, visibility:hidden. */
static bool style_hides(const tree *t, span style) {
    if (style.start < 0) return false;
    const uint8_t *bytes = store_at(t->store, style.start);
    int32_t length = style.stop - style.start;
    for (int32_t at = 0; at < length; at++) {
        int32_t from = skip_spaces(bytes, at, length);
        if (declares(bytes, from, length, "display", "none") || declares(bytes, from, length, "visibility", "hidden"))
            return true;
        const uint8_t *semicolon = memchr(bytes + at, ';', (size_t)(length - at));
        if (!semicolon) return false;
        at = (int32_t)(semicolon - bytes);
    }
    return false;
}

static int32_t own_flags(const tree *t, const node *element, const column_rules *rules) {
    int32_t tag = element->tag;
    int32_t flags = tag < rules->known ? rules->flags_of_tag[tag] : 0;
    if (tag == TAG_DIALOG && attribute_of(t, element, ATTRIBUTE_OPEN).start < 0) flags |= FLAG_HIDDEN;
    if (!element->attribute_count) return flags;
    if (tag == TAG_A && attribute_of(t, element, ATTRIBUTE_HREF).start >= 0) flags |= FLAG_LINK;
    if (is_shadow_root(t, element)) flags &= ~FLAG_UNRENDERED;
    if (tag == TAG_HTML || tag == TAG_BODY) return flags;
    span hidden = attribute_of(t, element, ATTRIBUTE_HIDDEN);
    if ((hidden.start >= 0 && !tree_equals(t, hidden, "until-found")) ||
        style_hides(t, attribute_of(t, element, ATTRIBUTE_STYLE)))
        flags |= FLAG_HIDDEN;
    return flags;
}

/* Bytes of the white space that starts here, as Python's str.split sees it; 0: none. */
static int32_t space_length(const uint8_t *bytes, int32_t left) {
    uint8_t first = bytes[0];
    if (first < 0x80) return first == ' ' || (first >= 9 && first <= 13) || (first >= 28 && first <= 31);
    if (first == 0xC2) return left > 1 && (bytes[1] == 0x85 || bytes[1] == 0xA0) ? 2 : 0;
    if (left < 3) return 0;
    uint8_t second = bytes[1], third = bytes[2];
    if (first == 0xE2 && second == 0x80)
        return (third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF ? 3 : 0;
    if (first == 0xE2 && second == 0x81) return third == 0x9F ? 3 : 0;
    if (first == 0xE3 && second == 0x80) return third == 0x80 ? 3 : 0;
    return first == 0xE1 && second == 0x9A && third == 0x80 ? 3 : 0;
}

/* Characters after collapsing white space. */
static int32_t count_chars(const uint8_t *bytes, int32_t length) {
    int32_t chars = 0;
    bool gap = false;
    for (int32_t at = 0; at < length;) {
        uint8_t byte = bytes[at];
        if (byte > ' ' && byte < 0x80) {
            chars += 1 + gap;
            gap = false;
            at++;
            continue;
        }
        int32_t space = space_length(bytes + at, length - at);
        if (space) {
            gap = chars > 0;
            at += space;
            continue;
        }
        if (byte < 0x80 || byte >= 0xC0) {
            chars += 1 + gap;
            gap = false;
        }
        at++;
    }
    return chars;
}

static void fill_attributes(const tree *t, const node *element, columns *out) {
    for (int32_t at = 0; at < element->attribute_count; at++) {
        const attribute *here = &t->attributes[element->attribute_first + at];
        out->attr_name[out->attributes] = here->name;
        out->attr_start[out->attributes] = here->value.start;
        out->attr_stop[out->attributes] = here->value.stop;
        out->attributes++;
    }
}

static bool is_code(const tree *t, const node *element) {
    return element->space == NS_HTML && (element->tag == TAG_SCRIPT || element->tag == TAG_STYLE) && t;
}

/* `text` of an element is free: it keeps the element's own row and flags for its children. */
static void fill_row(tree *t, node *here, int32_t depth, const column_rules *rules, columns *out) {
    const node *above = &t->nodes[here->parent];
    bool root = here->parent == DOCUMENT;
    int32_t row = out->rows++, flags = root ? 0 : above->text.stop;
    out->parent[row] = root ? -1 : above->text.start;
    out->tag[row] = here->tag;
    out->depth[row] = depth;
    out->end[row] = row + 1;
    out->attr_first[row] = out->attributes;
    out->source_start[row] = here->source.start;
    out->source_stop[row] = here->source.stop;
    if (here->tag == TAG_TEXT) {
        out->start[row] = here->text.start;
        out->stop[row] = here->text.stop;
        out->chars[row] =
            is_code(t, above) ? 0 : count_chars(store_at(t->store, here->text.start), here->text.stop - here->text.start);
    } else {
        fill_attributes(t, here, out);
        flags |= own_flags(t, here, rules);
        here->text = (span){row, flags};
        out->start[row] = out->stop[row] = out->chars[row] = 0;
    }
    out->flags[row] = flags;
}

typedef void visitor(tree *t, node *here, int32_t depth, const column_rules *rules, columns *out);

static void count_row(tree *t, node *here, int32_t depth, const column_rules *rules, columns *out) {
    (void)t;
    (void)depth;
    (void)rules;
    out->rows++;
    out->attributes += here->tag == TAG_TEXT ? 0 : here->attribute_count;
}

static int32_t root_of(const tree *t) {
    int32_t child = t->nodes[DOCUMENT].first;
    while (child != NOBODY && t->nodes[child].tag == COMMENT) child = t->nodes[child].next;
    return child;
}

/* Pre-order without recursion. `depth` counts the rows above, so that an element beyond the limit adds nothing to it. */
static void walk(tree *t, column_rules *rules, columns *out, visitor *visit, bool filling) {
    int32_t at = root_of(t), root = at, depth = 0;
    rules->depth_cut = 0;
    out->rows = out->attributes = 0;
    while (at != NOBODY) {
        node *here = &t->nodes[at];
        bool deep = depth > rules->most_depth && here->tag >= 0 && here->tag != TAG_TEXT;
        if (deep) {
            rules->depth_cut++;
            if (filling) {
                const node *above = &t->nodes[here->parent];
                here->text = (span){above->text.start, above->text.stop | own_flags(t, here, rules)};
            }
        } else if (here->tag != COMMENT) {
            visit(t, here, depth, rules, out);
        }
        if (here->tag != TAG_TEXT && here->tag != COMMENT && here->first != NOBODY && shows_children(t, here)) {
            depth += !deep;
            here->prev = deep; /* free by now: on the way back, whether it counted */
            at = here->first;
            continue;
        }
        while (at != root && t->nodes[at].next == NOBODY) {
            at = t->nodes[at].parent;
            depth -= !t->nodes[at].prev;
            if (filling && !t->nodes[at].prev) out->end[t->nodes[at].text.start] = out->rows;
        }
        if (at == root) return;
        at = t->nodes[at].next;
    }
}

void columns_count(tree *t, column_rules *rules, columns *out) { walk(t, rules, out, count_row, false); }

void columns_fill(tree *t, column_rules *rules, columns *out) {
    walk(t, rules, out, fill_row, true);
    out->attr_first[out->rows] = out->attributes;
}
