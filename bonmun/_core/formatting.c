/* The list of active formatting elements (a, b, i, font …), its reconstruction, and the adoption agency algorithm. */
#include <string.h>

#include "compiler.h"
#include "tree.h"

static bool same_value(const tree *t, span a, span b) {
    int32_t length = a.stop - a.start;
    return length == b.stop - b.start &&
           memcmp(store_at(t->store, a.start), store_at(t->store, b.start), (size_t)length) == 0;
}

bool tree_has_work_left(const tree *t, int64_t steps) {
    return t->work + steps <= FREE_WORK + t->token.stop / BYTES_PER_WORK;
}

static bool same_element(tree *t, int32_t a, int32_t b) {
    const row_columns *c = &t->rows;
    int32_t count = tree_attribute_count(t, a);
    if (c->tag[a] != c->tag[b] || tree_namespace(t, a) != tree_namespace(t, b)) return false;
    if (count != tree_attribute_count(t, b)) return false;
    const int32_t *name = t->tokenizer.attributes.name, ones = c->attr_first[a], others = c->attr_first[b];
    for (int32_t i = 0; i < count; i++) {
        int32_t j = 0, at = i; /* most likely in the same order */
        while (j < count && name[others + at] != name[ones + i]) at = ++j + i < count ? j + i : j + i - count;
        t->work += j + 1;
        if (j == count || !same_value(t, tree_attribute_value(t, ones + i), tree_attribute_value(t, others + at))) return false;
    }
    return true;
}

static void remove_entry(tree *t, int32_t at) {
    memmove(t->formatting + at, t->formatting + at + 1, (size_t)(t->formatting_count - at - 1) * sizeof(int32_t));
    t->formatting_count--;
}

/* At most three equal entries since the last marker (the "Noah's Ark clause"), and MOST_FORMATTING in all. */
void formatting_push(tree *t, int32_t element) {
    if (t->result) return;
    int32_t equal = 0, earliest = NONE, at = t->formatting_count - 1;
    for (; at >= 0 && t->formatting[at] != MARKER; at--) {
        if (tree_has_work_left(t, 0) && same_element(t, t->formatting[at], element)) {
            equal++;
            earliest = at;
        }
    }
    if (equal >= 3) remove_entry(t, earliest);
    else if (t->formatting_count - 1 - at >= MOST_FORMATTING) remove_entry(t, at + 1);
    if (!tree_grow(t, (void **)&t->formatting, &t->formatting_room, t->formatting_count + 1, sizeof(int32_t))) return;
    t->formatting[t->formatting_count++] = element;
}

void formatting_insert_marker(tree *t) {
    if (!tree_grow(t, (void **)&t->formatting, &t->formatting_room, t->formatting_count + 1, sizeof(int32_t))) return;
    t->formatting[t->formatting_count++] = MARKER;
}

void formatting_clear_to_marker(tree *t) {
    while (t->formatting_count)
        if (t->formatting[--t->formatting_count] == MARKER) return;
}

COLD void formatting_reopen(tree *t) {
    int32_t at = t->formatting_count - 1;
    while (at > 0 && t->formatting[at - 1] != MARKER && tree_stack_index(t, t->formatting[at - 1]) == NONE) at--;
    for (; at < t->formatting_count && !t->result; at++) {
        if (!tree_has_work_left(t, tree_clone_work(t, t->formatting[at]))) {
            t->formatting_count = at;
            return;
        }
        t->formatting[at] = tree_insert_clone(t, t->formatting[at]);
    }
}

int32_t formatting_find(const tree *t, int32_t tag) {
    for (int32_t at = t->formatting_count - 1; at >= 0 && t->formatting[at] != MARKER; at--)
        if (t->rows.tag[t->formatting[at]] == tag) return at;
    return NONE;
}

/* The index of an element in the list since the last marker, or NONE. */
static int32_t list_index(const tree *t, int32_t element) {
    for (int32_t at = t->formatting_count - 1; at >= 0 && t->formatting[at] != MARKER; at--)
        if (t->formatting[at] == element) return at;
    return NONE;
}

void formatting_remove(tree *t, int32_t element) {
    int32_t listed = list_index(t, element), open = tree_stack_index(t, element);
    if (listed != NONE) remove_entry(t, listed);
    if (open != NONE) tree_remove_open(t, open);
}

static void insert_entry(tree *t, int32_t at, int32_t element) {
    if (!tree_grow(t, (void **)&t->formatting, &t->formatting_room, t->formatting_count + 1, sizeof(int32_t))) return;
    memmove(t->formatting + at + 1, t->formatting + at, (size_t)(t->formatting_count - at) * sizeof(int32_t));
    t->formatting[at] = element;
    t->formatting_count++;
}

/* The inner loop of the adoption agency: from the furthest block up to the formatting element, each formatting element is
 * replaced by a clone around the last node, each other element leaves the stack. `bookmark`: where the new element is
 * inserted into the list. */
static int32_t adoption_inner_loop(tree *t, int32_t formatting_open, int32_t furthest_open, int32_t *bookmark) {
    int32_t furthest = tree_open(t, furthest_open), last = furthest;
    int32_t rounds = 0;
    for (int32_t at = furthest_open - 1; at > formatting_open && !t->result; at--) {
        int32_t here = tree_open(t, at), listed = list_index(t, here);
        rounds++;
        if (rounds > 3 && listed != NONE) {
            remove_entry(t, listed);
            if (listed < *bookmark) (*bookmark)--;
            listed = NONE;
        }
        if (listed == NONE) {
            tree_remove_open(t, at);
            continue;
        }
        int32_t copy = tree_clone(t, here);
        if (t->result) return last;
        t->formatting[listed] = copy;
        tree_replace_open(t, at, copy);
        if (last == furthest) *bookmark = listed + 1;
        tree_detach(t, last);
        tree_append(t, copy, last);
        last = copy;
    }
    return last;
}

static int32_t furthest_block(const tree *t, int32_t formatting_open) {
    for (int32_t at = formatting_open + 1; at < t->open_count; at++)
        if (tree_is_special(t, tree_open(t, at))) return at;
    return NONE;
}

/* Each element between the formatting element and the furthest block may be removed from the middle of the stack. */
static bool take_adoption_work(tree *t, int32_t formatting_open, int32_t furthest_open) {
    int64_t cost = (int64_t)(furthest_open - formatting_open + 1) * (t->open_count - furthest_open + 1);
    if (!tree_has_work_left(t, cost)) return false;
    t->work += cost;
    return true;
}

/* One iteration of the outer loop; false when the algorithm is done. */
static bool adoption_outer_loop(tree *t, int32_t tag) {
    int32_t listed = formatting_find(t, tag);
    if (listed == NONE) {
        tree_any_other_end_tag(t);
        return false;
    }
    int32_t element = t->formatting[listed], open = tree_stack_index(t, element);
    if (open == NONE) {
        remove_entry(t, listed);
        return false;
    }
    if (!tree_element_in_scope(t, element)) return false;
    int32_t furthest_open = furthest_block(t, open);
    if (furthest_open == NONE) {
        while (t->open_count > open) tree_pop(t);
        remove_entry(t, listed);
        return false;
    }
    if (!take_adoption_work(t, open, furthest_open)) {
        remove_entry(t, listed);
        tree_any_other_end_tag(t);
        return false;
    }
    if (!tree_link(t)) return false;
    int32_t ancestor = tree_open(t, open - 1), furthest = tree_open(t, furthest_open), bookmark = listed;
    int32_t last = adoption_inner_loop(t, open, furthest_open, &bookmark);
    if (t->result) return false;
    tree_detach(t, last);
    bool foster = t->foster_parenting;
    tree_set_foster_parenting(t, true); /* the common ancestor may be part of a table */
    tree_insert_at_appropriate_place(t, last, ancestor);
    tree_set_foster_parenting(t, foster);
    int32_t copy = tree_clone(t, element);
    if (t->result) return false;
    tree_move_children(t, furthest, copy);
    tree_append(t, furthest, copy);
    listed = list_index(t, element);
    if (listed != NONE) {
        remove_entry(t, listed);
        if (listed < bookmark) bookmark--;
    }
    insert_entry(t, bookmark, copy);
    open = tree_stack_index(t, element);
    if (open != NONE) tree_remove_open(t, open);
    int32_t below = tree_stack_index(t, furthest);
    tree_insert_open(t, below + 1, copy);
    return !t->result;
}

/* Anywhere in the list, also before the last marker: the end of a table closes the element of a marker and leaves the marker.
 * A long search counts as work. */
static bool is_listed(tree *t, int32_t element) {
    if (list_index(t, element) != NONE) return true;
    for (int32_t at = t->formatting_count - 1; at >= 0 && tree_has_work_left(t, 1); at--, t->work++)
        if (t->formatting[at] == element) return true;
    return false;
}

void formatting_run_adoption_agency(tree *t, int32_t tag) {
    int32_t current = tree_current(t), count = t->formatting_count;
    if (tree_html_tag(t, current) == tag && count && t->formatting[count - 1] == current) { /* nearly always */
        t->formatting_count--;
        tree_pop(t);
        return;
    }
    if (tree_html_tag(t, current) == tag && !is_listed(t, current)) {
        tree_pop(t);
        return;
    }
    for (int round = 0; round < 8 && adoption_outer_loop(t, tag); round++) continue;
}
