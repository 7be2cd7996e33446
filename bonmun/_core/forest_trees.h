/* Trees as forest.c prepares them and forest_sum.c evaluates them. */
#ifndef BONMUN_FOREST_TREES_H
#define BONMUN_FOREST_TREES_H

#include <stdbool.h>

#include "contributions.h"
#include "forest.h"
#include "pool.h"

enum { MOST_LEAVES = 32 /* of a small tree: one bit per leaf */ };

/* Sixteen nodes of a small tree. */
enum { BUNDLE = 16 };
typedef struct {
    float threshold[BUNDLE];
    int32_t feature[BUNDLE];
    uint32_t left[BUNDLE], right[BUNDLE]; /* the leaves of the two subtrees of a node; none behind the last node of a tree */
} node_bundle;

typedef struct {
    int32_t start, stop;
    bool small;
    float leaf[MOST_LEAVES]; /* of a small tree, from left to right */
} forest_tree;

/* Nodes of small trees, one after another. */
typedef struct {
    float *threshold;
    int32_t *column;
    uint32_t *keep; /* the leaves outside of the left subtree */
    int32_t *stop;  /* tree t has the nodes from stop[t - 1] up to stop[t] */
} node_columns;

/* Small trees as nodes with masks. Other trees have none. */
typedef struct {
    node_bundle *bundles;
    int32_t *first, *nodes; /* by tree: its first bundle, and the number of its nodes */
    uint32_t *leaves;       /* by tree: those that a row may reach */
    node_columns all;       /* the nodes of all small trees */
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

/* The steps from a node to its children, and of a small tree the leaves below: bits from `start` to `middle` and to `stop`. */
typedef struct {
    double change[2];
    int32_t column;
    uint8_t start, middle, stop;
} node_steps;

struct forest_paths {
    pool memory;
    tree_paths *tree;
    node_steps *node;
};

static inline int32_t bundles_of(int32_t nodes) { return (nodes + BUNDLE - 1) / BUNDLE; }

static inline int32_t forest_step(const forest *f, int32_t node, const float *row) {
    const forest_node *here = &f->node[node];
    return here->child[!(row[here->feature] < here->threshold)];
}

static inline double expected_at(const forest *f, int32_t child) { return child < 0 ? (double)f->leaf[~child] : f->expected[child]; }

#endif
