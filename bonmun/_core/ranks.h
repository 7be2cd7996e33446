/* The groups of columns that speak most for the verdict on each row of a table of contributions.
 * bonmun/methods/learned/ranks.py is the Python twin. */
#ifndef BONMUN_RANKS_H
#define BONMUN_RANKS_H

#include <stdint.h>

#include "constants_table.h"

/* Group g has the columns column[stop[g - 1]] … column[stop[g]], all below `width`. */
typedef struct {
    const int32_t *column, *stop;
    int32_t groups, width;
    const double *mean;   /* of each column of the table, over the rows of the page */
    const uint8_t *whole; /* of each group: whether its columns are not ranked */
} rank_groups;

typedef struct {
    double weight;
    int32_t group, column[RANKED_COLUMNS]; /* the strongest columns first; -1: none */
} rank;

/* For each wanted row its strongest groups, the strongest first. The weight is how far a group moved the sum of this row
 * further than that of other rows, upwards where `keep` is set, else downwards. The groups of ranks beyond the last group, and
 * of other rows, are -1.
 * `means`: room for a number for each group. */
void rank_rows(const rank_groups *g, const float *table, const uint8_t *keep, const uint8_t *wanted, int64_t rows, double *means,
               rank *ranks);

#endif
