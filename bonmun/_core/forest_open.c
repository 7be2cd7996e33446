#include "forest_open.h"

#include <math.h>

/* Most nodes need no test at all: in neighbouring rows most columns differ little, and a threshold above their highest or not
 * above their lowest value sends all rows the same way. Such nodes are left out for a chunk of rows, and with them the subtrees
 * that no row reaches: on most pages two nodes of three. */
/* The range of one column. False: a cell is no number. */
static bool range_of_column(const row_list *list, int64_t first, int64_t stop, int32_t column, column_range *range) {
    bool ordered = true;
    *range = (column_range){INFINITY, -INFINITY};
    for (int64_t row = first; row < stop; row++) {
        float cell = row_at(list, row)[column];
        ordered &= cell == cell;
        if (cell < range->low) range->low = cell;
        if (cell > range->high) range->high = cell;
    }
    return ordered;
}

/* The ranges of RANGED columns at a time, the last of which overlap. A cell that is no number goes right in every test; the range
 * of all numbers leaves every test open. */
static void find_ranges(open_chunk *s, const row_list *list, int64_t first, int64_t stop) {
    const lane_operations *here = forest_lanes_here();
    column_range *ranges = s->ranges;
    int32_t width = s->open.forest->width, column = 0;
    bool ordered = true;
    for (; width >= RANGED && column < width; column += RANGED)
        ordered &= here->range(list, first, stop, column + RANGED <= width ? column : width - RANGED, ranges);
    for (; column < width; column++) ordered &= range_of_column(list, first, stop, column, &ranges[column]);
    for (column = 0; !ordered && column < width; column++) ranges[column] = (column_range){-INFINITY, INFINITY};
}

void plain_list(open_trees *open, const column_range *ranges) {
    const forest *f = open->forest;
    const mask_trees *masks = &f->masks;
    int32_t to = 0;
    for (int32_t at = 0; at < f->trees; at++) {
        const node_bundle *bundles = masks->bundles + masks->first[at];
        uint32_t lost[FOUR] = {0}, undecided_nodes = 0;
        for (int32_t node = 0; node < masks->nodes[at]; node += FOUR)
            undecided_nodes |= undecided(&bundles[node / BUNDLE], node % BUNDLE, ranges, lost) << node;
        uint32_t leaves = open->leaves[at] = masks->leaves[at] & ~(lost[0] | lost[1] | lost[2] | lost[3]);
        for (; undecided_nodes; undecided_nodes &= undecided_nodes - 1) {
            unsigned node = (unsigned)lowest_bit(undecided_nodes);
            const node_bundle *b = &bundles[node / BUNDLE];
            open->nodes.threshold[to] = b->threshold[node % BUNDLE];
            open->nodes.column[to] = b->feature[node % BUNDLE];
            open->nodes.keep[to] = ~b->left[node % BUNDLE];
            to += (leaves & b->left[node % BUNDLE]) != 0;
        }
        open->nodes.stop[at] = to;
    }
}

void plain_fill(const float *const *rows, int32_t width, float *cells) {
    int32_t first = 0;
    for (; first + FOUR <= width; first += FOUR) transpose(rows, first, cells + (size_t)first * LANES);
    for (; first < width; first++)
        for (size_t lane = 0; lane < LANES; lane++) cells[(size_t)first * LANES + lane] = rows[lane][first];
}

bool open_chunk_prepare(open_chunk *s, const forest *f) {
    size_t width = (size_t)f->width, nodes = (size_t)f->nodes + BUNDLE;
    s->open.forest = f;
    s->ranges = pool_take(&s->memory, width, sizeof *s->ranges);
    s->open.nodes.threshold = pool_take(&s->memory, nodes, sizeof *s->open.nodes.threshold);
    s->open.nodes.column = pool_take(&s->memory, nodes, sizeof *s->open.nodes.column);
    s->open.nodes.keep = pool_take(&s->memory, nodes, sizeof *s->open.nodes.keep);
    s->open.nodes.stop = pool_take(&s->memory, (size_t)f->trees, sizeof *s->open.nodes.stop);
    s->open.leaves = pool_take(&s->memory, (size_t)f->trees, sizeof *s->open.leaves);
    s->open.group_cells = width * LANES;
    s->open.columns = pool_take_lines(&s->memory, SIDE_BY_SIDE * s->open.group_cells, sizeof *s->open.columns);
    return !s->memory.failed;
}

/* Few rows pass the nodes faster than these are looked at. */
static void open_all(open_trees *open) {
    open->nodes = open->forest->masks.all;
    open->leaves = open->forest->masks.leaves;
}

void open_chunk_of(open_chunk *s, const row_list *list, int64_t first, int64_t stop) {
    if (list->count <= LANES) {
        open_all(&s->open);
        return;
    }
    find_ranges(s, list, first, stop);
    forest_lanes_here()->list(&s->open, s->ranges);
}

void open_group_of(const open_chunk *s, int group, const row_list *list, int64_t first, int64_t stop, const float **rows) {
    for (int lane = 0; lane < LANES; lane++) rows[lane] = row_at(list, first + lane < stop ? first + lane : first);
    forest_lanes_here()->fill(rows, s->open.forest->width, s->open.columns + (size_t)group * s->open.group_cells);
}
