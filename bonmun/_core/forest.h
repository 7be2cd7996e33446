/* An ensemble of decision trees: the sum of the leaves that each row of a table reaches. bonmun/methods/learned/forest.py is
 * the Python twin. */
#ifndef BONMUN_FOREST_H
#define BONMUN_FOREST_H

#include <stdint.h>

/* As stored in a model file: tree t has the nodes start[t] … start[t + 1]; a negative child is the leaf ~child. A cell
 * below the threshold goes left. */
typedef struct {
    const int32_t *feature, *left, *right, *start;
    const float *threshold, *leaf;
    int32_t nodes, leaves, trees;
} forest_arrays;

typedef struct forest forest;

/* A validated copy of the trees. NULL: `fault` is the validation error, or NULL if memory ran out. */
forest *forest_create(const forest_arrays *arrays, const char **fault);
void forest_free(forest *f);

/* The least number of columns of a table. */
int32_t forest_width(const forest *f);

/* For each row the sum of the leaves it reaches; -1: no memory. `picked`: the numbers of these rows in the table; NULL: the
 * first ones. */
int forest_sum(const forest *f, const float *table, int32_t width, const int32_t *picked, int64_t rows, float *sums);

/* The trees prepared for contributions.h, made at the first call: not for two threads at once. NULL: no memory. */
const struct forest_paths *forest_paths_of(forest *f);

#endif
