#include "columns.h"

#include <string.h>

#include "attributes.h"
#include "whitespace.h"
#include "words.h"

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

/* The flags that an element gives to itself and all it holds; one look at each attribute. */
static int32_t own_flags(const tree *t, const node *element, const column_rules *rules) {
    int32_t tag = element->tag, flags = tag < rules->known ? rules->flags_of_tag[tag] : 0;
    bool may_hide = tag != TAG_HTML && tag != TAG_BODY, closed = tag == TAG_DIALOG;
    for (int32_t at = 0; at < element->attribute_count; at++) {
        const attribute *here = &t->attributes[element->attribute_first + at];
        switch (here->name) {
            case ATTRIBUTE_HREF:
                if (tag == TAG_A) flags |= FLAG_LINK;
                break;
            case ATTRIBUTE_OPEN:
                closed = false;
                break;
            case ATTRIBUTE_HIDDEN:
                if (may_hide && !tree_equals(t, here->value, "until-found")) flags |= FLAG_HIDDEN;
                break;
            case ATTRIBUTE_STYLE:
                if (may_hide && style_hides(t, here->value)) flags |= FLAG_HIDDEN;
                break;
            default:
                break;
        }
    }
    if (tag == TAG_TEMPLATE && is_shadow_root(t, element)) flags &= ~FLAG_UNRENDERED;
    return closed ? flags | FLAG_HIDDEN : flags;
}

static int32_t ones(uint64_t flags) { return (int32_t)(((flags >> 7) * EACH_BYTE(1)) >> 56); }

/* Characters after collapsing white space: those that are none, and a space between words. Eight bytes at a time where
 * they are all printable ASCII. */
static int32_t count_chars(const uint8_t *bytes, int32_t length) {
    int32_t solid = 0, words = 0;
    bool inside = false; /* a word */
    for (int32_t at = 0; at < length;) {
        if (length - at >= WORD) {
            uint64_t eight = word_load(bytes + at);
            uint64_t odd = (eight | ((eight - EACH_BYTE(' ')) & ~eight)) & EACH_BYTE(0x80);
            if (!odd) {
                uint64_t mask = (eight + EACH_BYTE(0x7F - ' ')) & EACH_BYTE(0x80);
                solid += ones(mask);
                words += ones(mask & ~((mask << 8) | (inside ? 0x80 : 0)));
                inside = mask >> 63;
                at += WORD;
                continue;
            }
        }
        int32_t space = space_length(bytes + at, length - at);
        if (space) {
            inside = false;
            at += space;
            continue;
        }
        words += !inside;
        inside = true;
        solid += (bytes[at++] & 0xC0) != 0x80;
    }
    return words ? solid + words - 1 : 0;
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

static bool is_code(const node *element) { return element->tag == TAG_SCRIPT || element->tag == TAG_STYLE; }

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
            here->blank || is_code(above) ? 0 : count_chars(store_at(t->store, here->text.start), here->text.stop - here->text.start);
    } else {
        fill_attributes(t, here, out);
        flags |= own_flags(t, here, rules);
        here->text = (span){row, flags};
        out->start[row] = out->stop[row] = out->chars[row] = 0;
    }
    out->flags[row] = flags;
}

static int32_t root_of(const tree *t) {
    int32_t child = t->nodes[DOCUMENT].first;
    while (child != NOBODY && t->nodes[child].tag == COMMENT) child = t->nodes[child].next;
    return child;
}

/* Pre-order without recursion. `depth` counts the rows above, so that an element beyond the limit adds nothing to it. */
void columns_fill(tree *t, column_rules *rules, columns *out) {
    int32_t at = root_of(t), root = at, depth = 0;
    rules->depth_cut = 0;
    out->rows = out->attributes = 0;
    while (at != NOBODY) {
        node *here = &t->nodes[at];
        bool deep = depth > rules->most_depth && here->tag >= 0 && here->tag != TAG_TEXT;
        if (deep) {
            const node *above = &t->nodes[here->parent];
            rules->depth_cut++;
            here->text = (span){above->text.start, above->text.stop | own_flags(t, here, rules)};
        } else if (here->tag != COMMENT) {
            fill_row(t, here, depth, rules, out);
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
            if (!t->nodes[at].prev) out->end[t->nodes[at].text.start] = out->rows;
        }
        if (at == root) break;
        at = t->nodes[at].next;
    }
    out->attr_first[out->rows] = out->attributes;
}
