#include "places.h"

#include <stdbool.h>

#include "constants_table.h"
#include "pool.h"

/* For each tag the counts in the elements that are open, innermost first, as a linked list: an element that has ended is
 * dropped when the tag is seen again. Every row adds one count at most, so that all of it is linear at any depth. */
typedef struct {
    const int32_t *end;
    int32_t *latest; /* by tag: its innermost count; -1: none */
    int32_t *inside, *number, *outer;
    int32_t used;
} place_counts;

static int32_t count_in(place_counts *c, int32_t tag, int32_t inside, int32_t row) {
    int32_t at = c->latest[tag];
    while (at >= 0 && c->inside[at] >= 0 && c->end[c->inside[at]] <= row) at = c->outer[at];
    if (at < 0 || c->inside[at] != inside) {
        c->inside[c->used] = inside;
        c->number[c->used] = 0;
        c->outer[c->used] = at;
        at = c->used++;
    }
    c->latest[tag] = at;
    return ++c->number[at];
}

int number_places(const place_nodes *nodes, const uint8_t *kinds, int32_t tags, int32_t deepest, int32_t anchor, int32_t *place) {
    pool memory = {NULL, false, NULL, 0};
    size_t most = 2 * (size_t)nodes->rows; /* of its tag, and of all elements */
    place_counts c = {nodes->end, pool_take(&memory, (size_t)tags + 1, sizeof(int32_t)), pool_take(&memory, most, sizeof(int32_t)),
                      pool_take(&memory, most, sizeof(int32_t)), pool_take(&memory, most, sizeof(int32_t)), 0};
    bool *foreign = pool_take(&memory, (size_t)nodes->rows, sizeof *foreign);
    int32_t anchored = -1; /* the element at the depth `anchor` around the row */
    for (int32_t tag = 0; !memory.failed && tag <= tags; tag++) c.latest[tag] = -1;
    for (int32_t row = 0; !memory.failed && row < nodes->rows; row++) {
        int32_t parent = nodes->parent[row], depth = nodes->depth[row], tag = nodes->tag[row];
        uint8_t kind = kinds[tag];
        foreign[row] = (kind & PLACE_FOREIGN) || (parent >= 0 && foreign[parent]);
        place[row] = 0;
        if (depth > deepest) continue;
        if (depth == anchor) anchored = row;
        int32_t inside = anchor >= 0 && depth > anchor ? anchored : parent;
        if (kind & PLACE_TEXT) {
            place[row] = count_in(&c, tag, inside, row);
            continue;
        }
        int32_t elements = count_in(&c, tags, inside, row);
        place[row] = foreign[row] || !(kind & PLACE_NAMED) ? -elements : count_in(&c, tag, inside, row);
    }
    pool_free(&memory);
    return memory.failed ? -1 : 0;
}

/* The parents of the rows on some paths, each by its row plus 1; 0 stands for the parent of the roots. */
typedef struct {
    int32_t *stop;  /* by parent: the row behind its last child on a path; 0: it has none */
    bool *foreign;  /* by parent */
    int32_t *count; /* by tag: the children of one parent; zeros in between */
} path_parents;

static void list_parents(const place_nodes *nodes, const int32_t *rows, int32_t count, int32_t *stop) {
    for (int32_t at = 0; at < count; at++) {
        for (int32_t row = rows[at], known = 0; row >= 0 && !known; row = nodes->parent[row]) {
            int32_t *behind = &stop[nodes->parent[row] + 1];
            known = *behind; /* so are the elements above */
            if (*behind <= row) *behind = row + 1;
        }
    }
}

static inline bool has_tag_number(const place_nodes *nodes, int32_t row, int32_t tags) {
    return nodes->tag[row] >= 0 && nodes->tag[row] < tags;
}

/* Number the children of a parent up to the last one on a path. */
static void number_children(const place_nodes *nodes, const uint8_t *kinds, int32_t tags, int32_t parent, path_parents *p,
                            int32_t *place) {
    int32_t elements = 0, stop = p->stop[parent];
    for (int32_t row = parent; row < stop && nodes->end[row] > row; row = nodes->end[row]) {
        int32_t tag = has_tag_number(nodes, row, tags) ? nodes->tag[row] : tags;
        uint8_t kind = tag < tags ? kinds[tag] : 0;
        bool foreign = p->foreign[row + 1] = p->foreign[parent] || (kind & PLACE_FOREIGN);
        elements += !(kind & PLACE_TEXT);
        place[row] = (kind & PLACE_TEXT) || ((kind & PLACE_NAMED) && !foreign) ? ++p->count[tag] : -elements;
    }
    for (int32_t row = parent; row < stop && nodes->end[row] > row; row = nodes->end[row])
        if (has_tag_number(nodes, row, tags)) p->count[nodes->tag[row]] = 0;
}

int number_path_places(const place_nodes *nodes, const uint8_t *kinds, int32_t tags, const int32_t *rows, int32_t count, int32_t *place) {
    pool memory = {NULL, false, NULL, 0};
    size_t parents = (size_t)nodes->rows + 1;
    path_parents p = {pool_take_zeros(&memory, parents, sizeof *p.stop), pool_take_zeros(&memory, parents, sizeof *p.foreign),
                      pool_take_zeros(&memory, (size_t)tags + 1, sizeof *p.count)};
    if (!memory.failed) {
        list_parents(nodes, rows, count, p.stop);
        for (int32_t parent = 0; parent < nodes->rows; parent++)
            if (p.stop[parent]) number_children(nodes, kinds, tags, parent, &p, place);
    }
    pool_free(&memory);
    return memory.failed ? -1 : 0;
}
