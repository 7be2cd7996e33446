/* The trees of a forest as a chunk of rows passes them: the nodes that send some rows left and some right. */
#ifndef BONMUN_FOREST_OPEN_H
#define BONMUN_FOREST_OPEN_H

#include "compiler.h"
#include "forest_lanes.h"
#include "prefetch.h"
#include "word64.h"

enum {
    CHUNK = 32 * LANES, /* rows */
    RANGED = 32,        /* columns whose ranges are computed at once */
    SIDE_BY_SIDE = 4,   /* groups that are summed at once: where the nodes of a tree end is hard to predict */
    AT_ONCE = SIDE_BY_SIDE * LANES
};

/* Rows of a table, or some of them. */
typedef struct {
    const float *table;
    const int32_t *picked;
    int64_t width, count;
} row_list;

static inline const float *row_at(const row_list *list, int64_t at) {
    return list->table + (list->picked ? list->picked[at] : at) * list->width;
}

typedef struct {
    const forest *forest;
    node_columns nodes; /* that some rows of a chunk pass to the left and some to the right; room for a bundle behind the last */
    uint32_t *leaves; /* by tree: those that a row may reach */
    float *columns;   /* of the current groups of LANES rows: LANES cells of each column side by side */
    size_t group_cells; /* the cells of a group */
} open_trees;

typedef struct {
    open_trees open; /* by the current chunk */
    pool memory;
    column_range *ranges; /* of the current chunk, by column */
} open_chunk;

/* Of a chunk that is all zeros; the caller frees the pool. False: no memory. */
bool open_chunk_prepare(open_chunk *chunk, const forest *f);

/* Open the trees for the rows from `first` up to `stop`, CHUNK at most. */
void open_chunk_of(open_chunk *chunk, const row_list *list, int64_t first, int64_t stop);

/* Make the rows of a chunk from `first` on the current group of a number, LANES at most; idle lanes repeat the first. */
void open_group_of(const open_chunk *chunk, int group, const row_list *list, int64_t first, int64_t stop, const float **rows);

/* The same for AT_ONCE rows at most; returns how many groups they are. */
static inline int open_groups_of(const open_chunk *chunk, const row_list *list, int64_t first, int64_t stop, const float **rows) {
    int groups = 0;
    for (; first < stop && groups < SIDE_BY_SIDE; first += LANES, groups++)
        open_group_of(chunk, groups, list, first, stop, rows + groups * LANES);
    return groups;
}

static inline float walk(const forest *f, const forest_tree *tree, const float *row) {
    int32_t node = tree->start;
    while (node >= 0) node = forest_step(f, node, row);
    return f->leaf[~node];
}

/* Add what each step of a row changes to the sum of its column. */
static inline void move_by_walk(const forest *f, const forest_tree *tree, const float *row, double *sums) {
    for (int32_t node = tree->start, child; node >= 0; node = child) {
        child = forest_step(f, node, row);
        sums[(size_t)f->node[node].feature * LANES] += expected_at(f, child) - f->expected[node];
    }
}

/* What the lanes of the current groups do, by the instructions of a processor; `move` those of the first. */
typedef struct {
    /* List the nodes that rows of these ranges pass on both sides, unless no row reaches them. */
    void (*list)(open_trees *open, const column_range *ranges);
    /* The columns of LANES rows, LANES cells of each side by side. */
    void (*fill)(const float *const *rows, int32_t width, float *cells);
    void (*sum)(const open_trees *open, int groups, const float *const *rows, double *sums);
    /* `sums`: LANES of each column side by side. */
    void (*move)(const open_trees *open, const forest_paths *paths, const float *const *rows, double *sums);
    /* Count the lanes whose bit is set in `used` by the leaves they reach, MOST_LEAVES counts for each tree; of small trees only. */
    void (*count)(const open_trees *open, int groups, uint64_t used, uint32_t *counts);
    /* The ranges of RANGED columns in some rows. False: a cell is no number. */
    bool (*range)(const row_list *list, int64_t first, int64_t stop, int32_t column, column_range *ranges);
} lane_operations;

void plain_list(open_trees *open, const column_range *ranges);
void plain_fill(const float *const *rows, int32_t width, float *cells);

/* Those for this processor. */
const lane_operations *forest_lanes_here(void);

#endif
