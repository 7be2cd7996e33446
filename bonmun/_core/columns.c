#include "columns.h"

#include <string.h>

#include "attributes.h"
#include "chars.h"

/* In the stead of a row: of what the document holds; of what no reader sees. */
enum { ABOVE_ALL = -1, UNSEEN = -2 };

static span attribute_of(const tree *t, const node *element, int32_t name) {
    for (int32_t at = 0; at < element->attribute_count; at++) {
        const attribute *here = &tree_attributes(t, element)[at];
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

/* The flags that an attribute gives to its element and all it holds. */
static int32_t flags_of_attribute(const tree *t, int32_t tag, const attribute *given) {
    bool may_hide = tag != TAG_HTML && tag != TAG_BODY;
    switch (given->name) {
        case ATTRIBUTE_HREF: return tag == TAG_A ? FLAG_LINK : 0;
        case ATTRIBUTE_HIDDEN: return may_hide && !tree_equals(t, given->value, "until-found") ? FLAG_HIDDEN : 0;
        case ATTRIBUTE_STYLE: return may_hide && style_hides(t, given->value) ? FLAG_HIDDEN : 0;
        default: return 0;
    }
}

/* Those that an element has by its name; `rules` know them but for a dialog and a shadow root. */
static inline int32_t flags_of_tag(const tree *t, const node *element, const column_rules *rules) {
    int32_t tag = element->tag, flags = tag < rules->known ? rules->flags_of_tag[tag] : 0;
    if (tag == TAG_DIALOG && attribute_of(t, element, ATTRIBUTE_OPEN).start < 0) return flags | FLAG_HIDDEN;
    if (tag == TAG_TEMPLATE && is_shadow_root(t, element)) return flags & ~FLAG_UNRENDERED;
    return flags;
}

static int32_t own_flags(const tree *t, const node *element, const column_rules *rules) {
    int32_t flags = flags_of_tag(t, element, rules);
    for (int32_t at = 0; at < element->attribute_count; at++)
        flags |= flags_of_attribute(t, element->tag, &tree_attributes(t, element)[at]);
    return flags;
}

/* The attributes of an element, and the flags that it has. */
static inline int32_t fill_attributes(const tree *t, const node *element, const column_rules *rules, columns *out) {
    const attribute *here = tree_attributes(t, element), *stop = here + element->attribute_count;
    int32_t flags = flags_of_tag(t, element, rules), to = out->attributes;
    for (; here < stop; here++, to++) {
        out->attr_name[to] = here->name;
        out->attr_start[to] = here->value.start;
        out->attr_stop[to] = here->value.stop;
        if (here->name <= LAST_FLAGGING_ATTRIBUTE) flags |= flags_of_attribute(t, element->tag, here);
    }
    out->attributes = to;
    return flags;
}

static bool is_code(const node *element) { return element->tag == TAG_SCRIPT || element->tag == TAG_STYLE; }

/* How many bytes lie from here on in the source, or in the spill. */
static inline int32_t readable_from(const store *s, int32_t offset) {
    return offset < s->length ? s->length - offset : s->length + s->spilled - offset;
}

static inline void fill_text(const tree *t, const node *text, int32_t row, columns *out) {
    bool counts = !text->blank && !is_code(&t->nodes[text->parent]);
    int32_t start = text->text.start, stop = text->text.stop, readable = readable_from(t->store, start);
    out->start[row] = start;
    out->stop[row] = stop;
    out->chars[row] = counts ? count_chars(store_at(t->store, start), stop - start, readable) : 0;
}

/* What an element is to its children, in fields that are free by now. */
static inline void show_children(node *element, int32_t row, int32_t flags) {
    element->open_at = row;
    element->prev = flags;
}
static inline int32_t shown_row(const node *element) { return element->open_at; }
static inline int32_t shown_flags(const node *element) { return element->prev; }

static inline void fill_row(tree *t, node *here, int32_t parent, int32_t depth, const column_rules *rules, columns *out) {
    int32_t row = out->rows++, flags = shown_flags(&t->nodes[here->parent]);
    out->parent[row] = parent;
    out->tag[row] = here->tag;
    out->depth[row] = depth;
    out->attr_first[row] = out->attributes;
    out->source_start[row] = here->source.start;
    out->source_stop[row] = here->source.stop;
    if (here->tag == TAG_TEXT) {
        fill_text(t, here, row, out);
    } else {
        out->start[row] = out->stop[row] = out->chars[row] = 0;
        flags |= fill_attributes(t, here, rules, out);
        show_children(here, shows_children(t, here) ? row : UNSEEN, flags);
    }
    out->flags[row] = flags;
}

/* An element beyond the most depth: its children are those of the row above it. */
static void cut(tree *t, node *here, int32_t parent, column_rules *rules) {
    int32_t flags = shown_flags(&t->nodes[here->parent]) | own_flags(t, here, rules);
    rules->depth_cut++;
    show_children(here, shows_children(t, here) ? parent : UNSEEN, flags);
}

/* The next node in document order; false: it is not, since what should hold it has ended. */
static inline bool add_node(tree *t, node *here, column_rules *rules, columns *out) {
    if (here->tag == COMMENT) return true;
    int32_t parent = shown_row(&t->nodes[here->parent]), last = out->rows - 1;
    if (parent == UNSEEN || (parent == ABOVE_ALL && out->rows)) {
        if (here->tag != TAG_TEXT) show_children(here, UNSEEN, 0);
        return true;
    }
    for (; last > parent; last = out->parent[last]) out->end[last] = out->rows;
    if (last != parent) return false;
    int32_t depth = parent == ABOVE_ALL ? 0 : out->depth[parent] + 1;
    if (depth > rules->most_depth && here->tag != TAG_TEXT) cut(t, here, parent, rules);
    else fill_row(t, here, parent, depth, rules, out);
    return true;
}

static void start(tree *t, column_rules *rules, columns *out) {
    rules->depth_cut = 0;
    out->rows = out->attributes = 0;
    show_children(&t->nodes[DOCUMENT], ABOVE_ALL, 0);
}

static bool add_as_made(tree *t, column_rules *rules, columns *out) {
    start(t, rules, out);
    for (node *here = t->nodes + DOCUMENT + 1, *stop = t->nodes + t->count; here < stop; here++)
        if (!add_node(t, here, rules, out)) return false;
    return true;
}

/* Pre-order without recursion. */
static void add_as_linked(tree *t, column_rules *rules, columns *out) {
    start(t, rules, out);
    for (int32_t at = t->nodes[DOCUMENT].first; at != NOBODY && at != DOCUMENT;) {
        node *here = &t->nodes[at];
        add_node(t, here, rules, out);
        if (here->first != NOBODY) {
            at = here->first;
            continue;
        }
        while (at != DOCUMENT && t->nodes[at].next == NOBODY) at = t->nodes[at].parent;
        if (at != DOCUMENT) at = t->nodes[at].next;
    }
}

void columns_fill(tree *t, column_rules *rules, columns *out) {
    if (t->moved || !add_as_made(t, rules, out)) add_as_linked(t, rules, out);
    for (int32_t last = out->rows - 1; last >= 0; last = out->parent[last]) out->end[last] = out->rows;
    out->attr_first[out->rows] = out->attributes;
}
