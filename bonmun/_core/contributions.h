/* How far each column moved the sum of each row of a forest; Forest.contributions in bonmun/methods/learned/forest.py is the
 * Python twin. */
#ifndef BONMUN_CONTRIBUTIONS_H
#define BONMUN_CONTRIBUTIONS_H

#include "forest.h"

/* The trees as one chain of steps: a leaf leads to the root of the next tree. */
typedef struct forest_steps forest_steps;

/* `expected`: by node, the mean of its two children's expected values. NULL: no memory. */
forest_steps *forest_steps_create(const forest_arrays *arrays, const double *expected);
void forest_steps_free(forest_steps *steps);

/* For each cell its column's contribution to the row's sum (Saabas): each step down changes the expected value.
 * -1: no memory. */
int forest_contributions(const forest_steps *steps, const float *table, int32_t width, int64_t rows, float *contributions);

/* The mean of each column: the same additions in the same order as in the twin. */
void column_means(const float *table, int32_t width, int64_t rows, double *means);

#endif
