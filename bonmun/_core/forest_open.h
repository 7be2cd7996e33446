/* The trees of a forest as a chunk of rows passes them: the nodes that send some rows left and some right. */
#ifndef BONMUN_FOREST_OPEN_H
#define BONMUN_FOREST_OPEN_H

#include "forest_lanes.h"
#include "word64.h"

/* A node that some rows of a chunk pass to the left and some to the right. */
typedef struct {
    float threshold;
    int32_t column;
    uint32_t keep; /* the leaves outside of its left subtree */
} open_node;

typedef struct {
    const forest *forest;
    open_node *nodes; /* tree t has the nodes from stop[t - 1] up to stop[t] */
    int32_t *stop;
    uint32_t *leaves; /* by tree: those that a row may reach */
    float *columns;   /* of the current group of LANES rows: LANES cells of each column side by side */
} open_trees;

static inline float walk(const forest *f, const forest_tree *tree, const float *row) {
    int32_t node = tree->start;
    while (node >= 0) node = forest_step(f, node, row);
    return f->leaf[~node];
}

typedef void sum_of_lanes(const open_trees *open, const float *const *rows, double *sums);

/* The function for this processor. */
sum_of_lanes *forest_sum_of_lanes(void);

#endif
