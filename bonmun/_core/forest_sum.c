#include <math.h>

#include "forest_lanes.h"
#include "word64.h"

/* Small trees are evaluated by leaf bit masks (QuickScorer) instead of walked. Every row starts with one set bit per leaf;
 * each node whose test sends the row right clears the bits of its left subtree; the lowest bit left is the leaf. No step
 * depends on another, and all lanes take the same steps.
 *
 * Most nodes need no test at all: in neighbouring rows most columns differ little, and a threshold above their highest or not
 * above their lowest value sends all rows the same way. Such nodes are left out for a chunk of rows, and with them the subtrees
 * that no row reaches: on most pages two nodes of three. */
enum {
    CHUNK = 8 * LANES, /* rows */
    COLUMNS = 16       /* whose ranges are computed at once */
};

/* A node that some rows of a chunk pass to the left and some to the right. */
typedef struct {
    float threshold;
    int32_t feature;
    uint32_t keep; /* the leaves outside of its left subtree */
} open_node;

typedef struct {
    const forest *forest;
    pool memory;
    column_range *ranges; /* of the current chunk, by column */
    open_node *nodes;     /* those of the current chunk; tree t has the nodes from stop[t - 1] up to stop[t] */
    int32_t *stop;
    uint32_t *leaves; /* by tree: those that a row may reach */
    float *columns;   /* of the current group of LANES rows: LANES cells of each column side by side */
    int32_t *filled;  /* by four columns: the last group whose cells are in `columns` */
    int32_t group;    /* number of the current group */
} summing;

/* Rows of a table, or some of them. */
typedef struct {
    const float *table;
    const int32_t *picked;
    int64_t width, count;
} row_list;

static const float *row_at(const row_list *list, int64_t at) {
    return list->table + (list->picked ? list->picked[at] : at) * list->width;
}

static float walk(const forest *f, const forest_tree *tree, const float *row) {
    int32_t node = tree->start;
    while (node >= 0) node = forest_step(f, node, row);
    return f->leaf[~node];
}

/* The ranges of some columns. False: a cell is no number. */
static bool range_of_columns(const row_list *list, int64_t first, int64_t stop, int32_t column, column_range *ranges) {
    static const float none[4];
    float low[COLUMNS], high[COLUMNS], unordered[4] = {0};
    memcpy(low, row_at(list, first) + column, sizeof low);
    memcpy(high, low, sizeof high);
    for (int64_t row = first; row < stop; row++) {
        const float *cells = row_at(list, row) + column;
        for (int at = 0; at < COLUMNS; at += 4) widen(cells + at, low + at, high + at, unordered);
    }
    for (int at = 0; at < COLUMNS; at++) ranges[column + at] = (column_range){low[at], high[at]};
    return !memcmp(unordered, none, sizeof none);
}

/* A cell that is no number goes right in every test; the range of all numbers leaves every test open. */
static void find_ranges(summing *s, const row_list *list, int64_t first, int64_t stop) {
    column_range *ranges = s->ranges;
    int32_t width = s->forest->width, column = 0;
    bool ordered = true;
    for (; column + COLUMNS <= width; column += COLUMNS) ordered &= range_of_columns(list, first, stop, column, ranges);
    for (; column < width; column++) {
        ranges[column] = (column_range){INFINITY, -INFINITY};
        for (int64_t row = first; row < stop; row++) {
            float cell = row_at(list, row)[column];
            ordered &= cell == cell;
            if (cell < ranges[column].low) ranges[column].low = cell;
            if (cell > ranges[column].high) ranges[column].high = cell;
        }
    }
    for (column = 0; !ordered && column < width; column++) ranges[column] = (column_range){-INFINITY, INFINITY};
}

/* List the nodes that rows of these ranges pass on both sides, unless no row reaches them. */
static void list_open(summing *s) {
    const mask_trees *masks = &s->forest->masks;
    open_node *to = s->nodes;
    for (int32_t at = 0; at < s->forest->trees; at++) {
        const mask_quad *quads = masks->quads + masks->first[at];
        uint32_t lost[QUAD] = {0}, open = 0;
        for (int32_t quad = 0; quad < quads_of(masks->nodes[at]); quad++)
            open |= undecided(&quads[quad], s->ranges, lost) << QUAD * quad;
        uint32_t leaves = s->leaves[at] = masks->leaves[at] & ~(lost[0] | lost[1] | lost[2] | lost[3]);
        for (; open; open &= open - 1) {
            unsigned node = (unsigned)lowest_bit(open);
            const mask_quad *q = &quads[node / QUAD];
            *to = (open_node){q->threshold[node % QUAD], q->feature[node % QUAD], ~q->left[node % QUAD]};
            to += (leaves & q->left[node % QUAD]) != 0;
        }
        s->stop[at] = (int32_t)(to - s->nodes);
    }
}

/* The cells of a column of the current group. */
static inline const float *cells_of(summing *s, int32_t column, const float *const *rows) {
    if (s->filled[column / 4] != s->group) {
        int32_t first = column / 4 * 4;
        if (first + 4 <= s->forest->width) transpose(rows, first, s->columns + (size_t)first * LANES);
        else
            for (int32_t at = first; at < s->forest->width; at++)
                for (size_t lane = 0; lane < LANES; lane++) s->columns[(size_t)at * LANES + lane] = rows[lane][at];
        s->filled[column / 4] = s->group;
    }
    return s->columns + (size_t)column * LANES;
}

static void add_small(summing *s, int32_t at, const float *const *rows, double *sums) {
    const double *leaf = s->forest->tree[at].leaf;
    const open_node *node = s->nodes + (at ? s->stop[at - 1] : 0), *stop = s->nodes + s->stop[at];
    uint32_t lanes[LANES];
    for (int lane = 0; lane < LANES; lane++) lanes[lane] = s->leaves[at];
    for (; node < stop; node++) narrow(lanes, cells_of(s, node->feature, rows), node->threshold, node->keep);
    for (int lane = 0; lane < LANES; lane++) sums[lane] += leaf[lowest_bit(lanes[lane])];
}

/* The rows from `first` on, LANES at most; idle lanes repeat the first. */
static void sum_group(summing *s, const row_list *list, int64_t first, int64_t stop, float *sums) {
    const forest *f = s->forest;
    const float *rows[LANES];
    double of_lane[LANES] = {0};
    for (int lane = 0; lane < LANES; lane++) rows[lane] = row_at(list, first + lane < stop ? first + lane : first);
    s->group++;
    for (int32_t at = 0; at < f->trees; at++) {
        if (f->tree[at].small) add_small(s, at, rows, of_lane);
        else
            for (int lane = 0; lane < LANES; lane++) of_lane[lane] += walk(f, &f->tree[at], rows[lane]);
    }
    for (int lane = 0; lane < LANES && first + lane < stop; lane++) sums[first + lane] = (float)of_lane[lane];
}

static bool prepare(summing *s) {
    const forest *f = s->forest;
    size_t width = (size_t)f->width;
    s->ranges = pool_take(&s->memory, width, sizeof *s->ranges);
    s->nodes = pool_take(&s->memory, (size_t)f->nodes + 1, sizeof *s->nodes);
    s->stop = pool_take(&s->memory, (size_t)f->trees, sizeof *s->stop);
    s->leaves = pool_take(&s->memory, (size_t)f->trees, sizeof *s->leaves);
    s->columns = pool_take(&s->memory, width * LANES, sizeof *s->columns);
    s->filled = pool_take_zeros(&s->memory, width / 4 + 1, sizeof *s->filled);
    return !s->memory.failed;
}

int forest_sum(const forest *f, const float *table, int32_t width, const int32_t *picked, int64_t rows, float *sums) {
    if (!rows) return 0;
    summing s = {.forest = f};
    row_list list = {table, picked, width, rows};
    bool ready = prepare(&s);
    for (int64_t first = 0, stop; ready && first < rows; first = stop) {
        stop = rows - first < CHUNK ? rows : first + CHUNK;
        find_ranges(&s, &list, first, stop);
        list_open(&s);
        for (int64_t group = first; group < stop; group += LANES) sum_group(&s, &list, group, stop, sums);
    }
    pool_free(&s.memory);
    return ready ? 0 : -1;
}
