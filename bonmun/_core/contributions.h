/* How far each column moved the sum of each row of a forest; Forest.contributions in bonmun/methods/learned/forest.py is the
 * Python twin. */
#ifndef BONMUN_CONTRIBUTIONS_H
#define BONMUN_CONTRIBUTIONS_H

#include "forest.h"

/* The way from the root to each leaf. */
typedef struct forest_paths forest_paths;

forest_paths *forest_paths_create(const forest *f); /* NULL: no memory */
void forest_paths_free(forest_paths *paths);

/* For each cell its column's contribution to the row's sum (Saabas): each step down changes the expected value, which of a node
 * is the mean of its two children's. `picked`: the numbers of these rows in the table; NULL: the first ones. -1: no memory. */
int forest_contributions(const forest *f, const forest_paths *paths, const float *table, int32_t width, const int32_t *picked,
                         int64_t rows, float *contributions);

/* The mean contribution of each column to the sums of some rows, at least one. Each step down counts as often as rows take it,
 * node by node: most leaves are reached by many rows. The same additions in the same order as in the twin. -1: no memory. */
int contribution_means(const forest *f, const forest_paths *paths, const float *table, int32_t width, const int32_t *picked, int64_t rows,
                       double *means);

#endif
