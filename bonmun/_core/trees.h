/* Decision trees whose leaves are added up, for each row of a table. */
#ifndef BONMUN_TREES_H
#define BONMUN_TREES_H

#include <stdint.h>

/* As they stand in a model file: tree t has the nodes from start[t] to start[t + 1], and a child below 0 is the leaf
 * ~child. What is below the threshold goes to the left. */
typedef struct {
    const int32_t *feature, *left, *right, *start;
    const float *threshold, *leaf;
    int32_t nodes, leaves, trees;
} tree_arrays;

typedef struct forest forest;

/* Trees that are known to be sound, ready for use; NULL: `fault` says what is wrong, or is NULL where memory was short. */
forest *forest_plant(const tree_arrays *arrays, const char **fault);
void forest_free(forest *f);

/* Columns that a table needs to have. */
int32_t forest_width(const forest *f);

/* For each row the sum of the leaves that it reaches; -1: no memory. */
int forest_sum(const forest *f, const float *table, int32_t width, int64_t rows, float *sums);

/* For each cell what its column did to the sum of its row: each step down moves what is to be expected, which above two
 * children is their mean; -1: no memory. */
int forest_explain(const forest *f, const float *table, int32_t width, int64_t rows, float *said);

#endif
