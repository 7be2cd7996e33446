/* The summary of a page, from which its type and the expected F1 are predicted; bonmun/methods/learned/page_figures.py is the
 * twin and names the figures. The same operations on doubles in the same order give the same bits. */
#ifndef BONMUN_PAGE_FIGURES_H
#define BONMUN_PAGE_FIGURES_H

#include "feature_table.h"

typedef struct {
    const double *probabilities, *sizes; /* by block; sizes in words */
    const uint8_t *keep;
    const int32_t *kind;
    int32_t count; /* at least 1 */
} page_choice;

/* Sums over the rows of kept blocks. */
typedef struct {
    double means[MEANS], kinds[KIND_COUNT];
} kept_sums;

/* Add the kept blocks from `first` up to `stop`; `rows` are their features, from that of block `first` on. */
void add_kept(const page_choice *choice, const float *rows, int32_t first, int32_t stop, kept_sums *sums);

/* SUMMARY_COUNT figures; `row`: the features of any block. */
void put_figures(const page_choice *choice, const kept_sums *sums, const float *row, float *figures);

#endif
