/* Rewrites the rows of an irregular page in document order: nodes were moved, or some nodes are no rows of the page (comments,
 * content of templates, elements beyond the depth limit). */
#include "tree.h"

/* Sentinels instead of a parent row: child of the document; not part of the page. */
enum { NO_PARENT_ROW = -1, NOT_SHOWN = -2 };

/* The children of a template are not part of the page, unless it is a declarative shadow root. */
static bool shows_children(const tree *t, int32_t element) {
    return t->rows.tag[element] != TAG_TEMPLATE || tree_namespace(t, element) != NS_HTML || tree_is_shadow_root(t, element);
}

/* The row and flags that the children of an element see, in cells no longer needed. */
static void set_shown(tree *t, int32_t element, int32_t row, int32_t flags) {
    t->rows.end[element] = row;
    t->rows.flags[element] = flags;
}
static int32_t shown_row(const tree *t, int32_t element) { return t->rows.end[element]; }
static int32_t shown_flags(const tree *t, int32_t element) { return t->rows.flags[element]; }

static void put_attributes(const tree *t, int32_t element, columns *out) {
    int32_t first = t->rows.attr_first[element], count = tree_attribute_count(t, element);
    attribute_columns_move(&t->tokenizer.attributes, first, &out->attribute, out->attributes, count);
    out->attributes += count;
}

static void put_row(tree *t, int32_t here, int32_t parent, int32_t depth, columns *out) {
    const row_columns *from = &t->rows, *to = &out->row;
    int32_t row = out->rows++, flags = shown_flags(t, from->parent[here]);
    to->parent[row] = parent;
    to->tag[row] = from->tag[here];
    to->depth[row] = depth;
    to->end[row] = row + 1;
    to->start[row] = from->start[here];
    to->stop[row] = from->stop[here];
    to->source_start[row] = from->source_start[here];
    to->source_stop[row] = from->source_stop[here];
    to->attr_first[row] = out->attributes;
    to->chars[row] = 0;
    if (from->tag[here] == TAG_TEXT) {
        to->chars[row] = tree_count_chars(t, here);
    } else {
        bool shows = shows_children(t, here);
        flags |= tree_own_flags(t, here);
        put_attributes(t, here, out);
        set_shown(t, here, shows ? row : NOT_SHOWN, flags);
    }
    to->flags[row] = flags;
}

/* An element beyond the depth limit: its children become those of its parent row. */
static void cut(tree *t, int32_t here, int32_t parent) {
    int32_t flags = shown_flags(t, t->rows.parent[here]) | tree_own_flags(t, here);
    t->depth_cut++;
    set_shown(t, here, shows_children(t, here) ? parent : NOT_SHOWN, flags);
}

static void put_node(tree *t, int32_t here, columns *out) {
    int32_t tag = t->rows.tag[here], parent = shown_row(t, t->rows.parent[here]);
    if (tag == COMMENT) return;
    if (parent == NOT_SHOWN || (parent == NO_PARENT_ROW && out->rows)) {
        if (tag != TAG_TEXT) set_shown(t, here, NOT_SHOWN, 0);
        return;
    }
    int32_t depth = parent == NO_PARENT_ROW ? 0 : out->row.depth[parent] + 1;
    if (depth > t->rules.most_depth && tag != TAG_TEXT) cut(t, here, parent);
    else put_row(t, here, parent, depth, out);
}

/* Pre-order without recursion. */
static void put_as_linked(tree *t, columns *out) {
    const links *l = &t->links;
    for (int32_t at = l->first[DOCUMENT]; at != NONE && at != DOCUMENT;) {
        put_node(t, at, out);
        if (l->first[at] != NONE) {
            at = l->first[at];
            continue;
        }
        while (at != DOCUMENT && l->next[at] == NONE) at = t->rows.parent[at];
        if (at != DOCUMENT) at = l->next[at];
    }
}

bool tree_order(tree *t, columns *out) {
    if (!row_columns_grow(&t->ordered, 0, t->count) ||
        !attribute_columns_grow(&t->ordered_attributes, 0, t->tokenizer.attributes_kept))
        return false;
    *out = (columns){t->ordered, t->ordered_attributes, 0, 0};
    set_shown(t, DOCUMENT, NO_PARENT_ROW, 0);
    if (tree_is_linked(t)) put_as_linked(t, out);
    else
        for (int32_t row = 0; row < t->count; row++) put_node(t, row, out);
    row_columns_set_ends(&out->row, out->rows);
    out->row.attr_first[out->rows] = out->attributes;
    return true;
}
