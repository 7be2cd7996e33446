/* The groups of columns that speak most for the verdict on each row of a table of contributions.
 * bonmun/methods/learned/ranks.py is the Python twin. */
#ifndef BONMUN_RANKS_H
#define BONMUN_RANKS_H

#include <stdbool.h>
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

/* For each row its strongest groups, the strongest first. The weight is how far a group moved the sum of this row
 * further than that of other rows, upwards if they were kept, else downwards. The groups of ranks beyond the last group are -1.
 * `numbers`: room for two for each group. */
void rank_rows(const rank_groups *g, const float *table, bool keep, int64_t rows, double *numbers, rank *ranks);

/* The steps of it: the mean of each group, the weights of the groups of a row, and the columns of a rank, which were -1. */
void sum_means(const rank_groups *g, double *means);
void weigh_groups(const rank_groups *g, const float *row, bool keep, const double *means, double *weights);
void rank_columns_of(const rank_groups *g, const float *row, bool keep, rank *r);

#endif
