/* The stack of open elements, each entry knowing what a walk down from it would find. */
#include <stdlib.h>

#include "tree.h"

int32_t tree_latest(const tree *t, int32_t tag, bool foreign) {
    return tag < t->latest_room[foreign] ? t->latest[foreign][tag] : NOBODY;
}

static bool set_latest(tree *t, int32_t tag, bool foreign, int32_t at) {
    int32_t room = t->latest_room[foreign];
    if (tag >= room) {
        if (!tree_grow(t, (void **)&t->latest[foreign], &t->latest_room[foreign], tag + 1, sizeof(int32_t))) return false;
        for (int32_t other = room; other < t->latest_room[foreign]; other++) t->latest[foreign][other] = NOBODY;
    }
    t->latest[foreign][tag] = at;
    return true;
}

static bool is_item_bound(const tree *t, int32_t element) {
    int32_t tag = tree_html_tag(t, element);
    return tree_is_special(t, element) && tag != TAG_ADDRESS && tag != TAG_DIV && tag != TAG_P;
}

void tree_push(tree *t, int32_t element) {
    if (!tree_grow(t, (void **)&t->open, &t->open_room, t->open_count + 1, sizeof(open_entry))) return;
    int32_t at = t->open_count, tag = t->nodes[element].tag;
    bool foreign = t->nodes[element].space != NS_HTML;
    open_entry *entry = &t->open[at];
    if (at) *entry = t->open[at - 1];
    else *entry = (open_entry){NOBODY, NOBODY, {NOBODY, NOBODY, NOBODY, NOBODY}, NOBODY, NOBODY, NOBODY};
    entry->element = element;
    entry->same = tree_latest(t, tag, foreign);
    for (int kind = 0; kind < SCOPE_COUNT; kind++)
        if (tree_bounds(t, element, (scope)kind)) entry->bound[kind] = at;
    if (tree_is_special(t, element)) entry->special = at;
    if (is_item_bound(t, element)) entry->item_bound = at;
    if (!foreign) entry->html = at;
    if (!set_latest(t, tag, foreign, at)) return;
    t->nodes[element].open_at = at;
    t->open_count++;
}

void tree_pop(tree *t) {
    if (!t->open_count) return;
    const open_entry *entry = &t->open[--t->open_count];
    node *element = &t->nodes[entry->element];
    element->open_at = NOBODY;
    t->latest[element->space != NS_HTML][element->tag] = entry->same;
}

/* Change an entry in the middle: what stands above it is taken off and put back. */
static void rebuild(tree *t, int32_t at, int32_t element, int32_t removed) {
    int32_t above = t->open_count - at - removed;
    int32_t *kept = NULL, room = 0;
    if (above > 0 && !tree_grow(t, (void **)&kept, &room, above, sizeof(int32_t))) return;
    for (int32_t index = 0; index < above; index++) kept[index] = tree_open(t, at + removed + index);
    while (t->open_count > at) tree_pop(t);
    if (element != NOBODY) tree_push(t, element);
    for (int32_t index = 0; index < above && !t->result; index++) tree_push(t, kept[index]);
    free(kept);
}

void tree_remove_open(tree *t, int32_t at) { rebuild(t, at, NOBODY, 1); }
void tree_insert_open(tree *t, int32_t at, int32_t element) { rebuild(t, at, element, 0); }
void tree_replace_open(tree *t, int32_t at, int32_t element) { rebuild(t, at, element, 1); }
