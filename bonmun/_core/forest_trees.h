/* Trees as forest.c prepares them and forest_sum.c evaluates them. */
#ifndef BONMUN_FOREST_TREES_H
#define BONMUN_FOREST_TREES_H

#include <stdbool.h>

#include "contributions.h"
#include "forest.h"
#include "pool.h"

enum { MOST_LEAVES = 32 /* of a small tree: one bit per leaf */ };

/* Four nodes of a small tree. */
enum { QUAD = 4 };
typedef struct {
    float threshold[QUAD];
    int32_t feature[QUAD];
    uint32_t left[QUAD], right[QUAD]; /* the leaves of the two subtrees of a node; none behind the last node of a tree */
} mask_quad;

typedef struct {
    int32_t start, stop;
    bool small;
    float leaf[MOST_LEAVES]; /* of a small tree, from left to right */
} forest_tree;

/* Small trees as nodes with masks. Other trees have none. */
typedef struct {
    mask_quad *quads;
    int32_t *first, *nodes; /* by tree: its first quad, and the number of its nodes */
    uint32_t *leaves;       /* by tree: those that a row may reach */
} mask_trees;

/* All of a node in one place: a walk needs no more than one cache line for each step. */
typedef struct {
    float threshold;
    int32_t feature, child[2]; /* left and right */
} forest_node;

struct forest {
    pool memory;
    int32_t nodes, trees, width;
    forest_node *node;
    float *leaf;
    double *expected; /* by node: the mean of its two children's expected values */
    forest_tree *tree;
    mask_trees masks;
    forest_paths *paths; /* for contributions; made when first asked for */
};

/* A step down a tree: its column and the change of the expected value. */
typedef struct {
    double change;
    size_t cell; /* of the column's first lane */
} path_step;

/* The steps of leaf l of a small tree are those from first[l] up to first[l + 1]. */
typedef struct {
    const path_step *step;
    uint16_t first[MOST_LEAVES + 1];
} tree_paths;

struct forest_paths {
    pool memory;
    tree_paths *tree;
};

static inline int32_t quads_of(int32_t nodes) { return (nodes + QUAD - 1) / QUAD; }

static inline int32_t forest_step(const forest *f, int32_t node, const float *row) {
    const forest_node *here = &f->node[node];
    return here->child[!(row[here->feature] < here->threshold)];
}

static inline double expected_at(const forest *f, int32_t child) { return child < 0 ? (double)f->leaf[~child] : f->expected[child]; }

#endif
