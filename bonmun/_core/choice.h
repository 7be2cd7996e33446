/* The choice of blocks with the best expected F score. The twins are choice.py, tables.py (`evened`) and plain_pages.py of
 * bonmun/methods/learned: the same operations on doubles in the same order, so that they give the same bits. */
#ifndef BONMUN_CHOICE_H
#define BONMUN_CHOICE_H

#include "feature_table.h"

/* Data tables, each of which is one decision: `blocks` holds the visible blocks of the first one, its other blocks, those of
 * the second one …; `stops` the end of each of these runs, two for each table. */
typedef struct {
    const int32_t *blocks, *stops;
    int32_t count;
} table_units;

/* Whether these are runs of `blocks` numbers, of a page with `count` blocks. */
bool table_units_fit(const table_units *units, ptrdiff_t blocks, int32_t count);

/* Give the visible blocks of each table their mean probability, and its other blocks no more than that. */
void even_tables(const table_units *units, const double *probabilities, const double *sizes, double *even);

/* Set `keep` by block and `f1`, the expected F1; -1: no memory. */
int choose_blocks(const double *probabilities, const double *sizes, int32_t count, double beta, double empty, uint8_t *keep,
                  double *f1);

/* Why all readable text of a page is kept, whatever the scores. */
enum { SCORES_DECIDE, WHOLE_SNIPPET, WHOLE_PLAIN };

/* `may_be_plain`: the text is from markup. -1: no memory. */
int kept_whole(const feature_page *page, const uint8_t *keep, const double *sizes, bool may_be_plain);
void keep_readable(const feature_page *page, uint8_t *keep);

#endif
