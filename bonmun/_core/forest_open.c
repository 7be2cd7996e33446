#include "forest_open.h"

#include <math.h>

/* Most nodes need no test at all: in neighbouring rows most columns differ little, and a threshold above their highest or not
 * above their lowest value sends all rows the same way. Such nodes are left out for a chunk of rows, and with them the subtrees
 * that no row reaches: on most pages two nodes of three. */
/* Four columns at a time are prepared for the lanes. */
static size_t fours_of(int32_t width) { return ((size_t)width + 3) / 4; }

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

/* List the nodes that rows of these ranges pass on both sides, unless no row reaches them. */
static void list_open(open_chunk *s) {
    const forest *f = s->open.forest;
    const mask_trees *masks = &f->masks;
    open_node *to = s->open.nodes;
    for (int32_t at = 0; at < f->trees; at++) {
        const mask_quad *quads = masks->quads + masks->first[at];
        uint32_t lost[QUAD] = {0}, open = 0;
        for (int32_t quad = 0; quad < quads_of(masks->nodes[at]); quad++)
            open |= undecided(&quads[quad], s->ranges, lost) << QUAD * quad;
        uint32_t leaves = s->open.leaves[at] = masks->leaves[at] & ~(lost[0] | lost[1] | lost[2] | lost[3]);
        for (; open; open &= open - 1) {
            unsigned node = (unsigned)lowest_bit(open);
            const mask_quad *q = &quads[node / QUAD];
            bool reached = (leaves & q->left[node % QUAD]) != 0;
            *to = (open_node){q->threshold[node % QUAD], q->feature[node % QUAD], ~q->left[node % QUAD]};
            to += reached;
        }
        s->open.stop[at] = (int32_t)(to - s->open.nodes);
    }
    memset(s->needed, 0, fours_of(f->width));
    for (const open_node *node = s->open.nodes; node < to; node++) s->needed[node->column / 4] = 1;
}

/* The cells of LANES rows in the columns that open nodes test. */
static void fill_columns(const open_chunk *s, int group, const float *const *rows) {
    int32_t width = s->open.forest->width;
    float *columns = s->open.columns + (size_t)group * s->open.group_cells;
    for (int32_t first = 0; first < width; first += 4) {
        float *cells = columns + (size_t)first * LANES;
        if (!s->needed[first / 4]) continue;
        if (first + 4 <= width) transpose(rows, first, cells);
        else
            for (int32_t at = first; at < width; at++, cells += LANES)
                for (size_t lane = 0; lane < LANES; lane++) cells[lane] = rows[lane][at];
    }
}

bool open_chunk_prepare(open_chunk *s, const forest *f) {
    size_t width = (size_t)f->width;
    s->open.forest = f;
    s->ranges = pool_take(&s->memory, width, sizeof *s->ranges);
    s->needed = pool_take(&s->memory, fours_of(f->width), sizeof *s->needed);
    s->open.nodes = pool_take(&s->memory, (size_t)f->nodes + 1, sizeof *s->open.nodes);
    s->open.stop = pool_take(&s->memory, (size_t)f->trees, sizeof *s->open.stop);
    s->open.leaves = pool_take(&s->memory, (size_t)f->trees, sizeof *s->open.leaves);
    s->open.group_cells = width * LANES;
    s->open.columns = pool_take_lines(&s->memory, SIDE_BY_SIDE * s->open.group_cells, sizeof *s->open.columns);
    return !s->memory.failed;
}

void open_chunk_of(open_chunk *s, const row_list *list, int64_t first, int64_t stop) {
    find_ranges(s, list, first, stop);
    list_open(s);
}

void open_group_of(const open_chunk *s, int group, const row_list *list, int64_t first, int64_t stop, const float **rows) {
    for (int lane = 0; lane < LANES; lane++) rows[lane] = row_at(list, first + lane < stop ? first + lane : first);
    fill_columns(s, group, rows);
}
