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
    pool memory = {NULL, false};
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
