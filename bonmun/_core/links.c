/* Links between parent, children and siblings, made when the first node has to move. */
#include <stdlib.h>

#include "compiler.h"
#include "tree.h"

/* The document has a cell too, at index DOCUMENT. */
static bool grow_one(int32_t **cells, int32_t kept, int32_t room) {
    int32_t *memory = realloc(*cells ? *cells + DOCUMENT : NULL, ((size_t)room + 1) * sizeof(int32_t));
    if (!memory) return false;
    *cells = memory - DOCUMENT;
    for (int32_t at = kept; at < room; at++) (*cells)[at] = NONE;
    return true;
}

bool tree_grow_links(tree *t, int32_t room) {
    int32_t **all[] = {&t->links.last, &t->links.prev, &t->links.next, &t->links.first};
    int32_t kept = tree_is_linked(t) ? t->room : DOCUMENT;
    for (int at = 0; at < 4; at++)
        if (!grow_one(all[at], kept, room)) {
            t->result = READ_NO_MEMORY;
            return false;
        }
    return true;
}

static void free_link(int32_t **cells) {
    if (*cells) free(*cells + DOCUMENT);
    *cells = NULL;
}

void tree_free_links_back(tree *t) {
    free_link(&t->links.last);
    free_link(&t->links.prev);
}

void tree_free_links(tree *t) {
    tree_free_links_back(t);
    free_link(&t->links.next);
    free_link(&t->links.first);
}

/* Make nodes of the comments before a row, from index `next` on. */
static bool link_comments(tree *t, int32_t *next, int32_t row) {
    for (; *next < t->comment_count && t->comments[*next].row <= row; (*next)++) {
        int32_t comment = tree_new_comment(t);
        if (t->result) return false;
        tree_append(t, t->comments[*next].parent, comment);
    }
    return true;
}

COLD bool tree_link(tree *t) {
    if (tree_is_linked(t)) return true;
    if (!tree_grow_links(t, t->room)) return false;
    t->irregular = true;
    t->plain_room = 0;
    int32_t next = 0, count = t->count;
    for (int32_t row = 0; row < count; row++) {
        if (!link_comments(t, &next, row)) return false;
        tree_append(t, t->rows.parent[row], row);
    }
    return link_comments(t, &next, count);
}

void tree_append(tree *t, int32_t parent, int32_t child) { tree_insert_before(t, parent, child, NONE); }

void tree_insert_before(tree *t, int32_t parent, int32_t child, int32_t before) {
    links *l = &t->links;
    int32_t after = before == NONE ? l->last[parent] : l->prev[before];
    t->rows.parent[child] = parent;
    l->prev[child] = after;
    l->next[child] = before;
    if (after == NONE) l->first[parent] = child;
    else l->next[after] = child;
    if (before == NONE) l->last[parent] = child;
    else l->prev[before] = child;
}

void tree_detach(tree *t, int32_t child) {
    links *l = &t->links;
    int32_t parent = t->rows.parent[child], prev = l->prev[child], next = l->next[child];
    if (parent == NONE) return;
    if (prev == NONE) l->first[parent] = next;
    else l->next[prev] = next;
    if (next == NONE) l->last[parent] = prev;
    else l->prev[next] = prev;
    t->rows.parent[child] = l->prev[child] = l->next[child] = NONE;
}

/* Move all children of one node to another, which has none. */
void tree_move_children(tree *t, int32_t from, int32_t to) {
    links *l = &t->links;
    l->first[to] = l->first[from];
    l->last[to] = l->last[from];
    for (int32_t child = l->first[to]; child != NONE; child = l->next[child]) t->rows.parent[child] = to;
    l->first[from] = l->last[from] = NONE;
}
