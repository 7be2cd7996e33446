/* A sum of decision trees for each row of a table. */
#ifndef BONMUN_TREES_H
#define BONMUN_TREES_H

#include <stdint.h>

/* Tree t has the nodes from start[t] to start[t + 1]. A child below 0 is the leaf ~child. */
typedef struct {
    const int32_t *feature, *left, *right, *start;
    const float *threshold, *leaf;
    int32_t nodes, leaves, trees;
} tree_arrays;

/* What is wrong with the arrays for a table of this width; NULL: nothing, every walk stays inside and ends. */
const char *trees_fault(const tree_arrays *trees, int32_t width);

/* The sums of some rows of a table; to the left goes what is below the threshold. */
void trees_sum(const tree_arrays *trees, const float *table, int32_t width, int64_t rows, float *sums);

#endif
