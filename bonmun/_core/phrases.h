/* Phrases for the verdict on a block, by decision lists over its columns. bonmun/methods/learned/reasons.py is the Python twin. */
#ifndef BONMUN_PHRASES_H
#define BONMUN_PHRASES_H

#include "ranks.h"

/* List l has the clauses start[l] … start[l + 1]. A clause gives its wording if all of its conditions hold: those from
 * condition[c] up to condition[c + 1], each with the least and the greatest value of a column. */
typedef struct {
    const int32_t *start, *wording, *condition, *column;
    const double *bounds;
    const int32_t *list_of_group; /* of a group whose columns are not ranked; the others have a list for each column */
    const int32_t *alone;         /* of each group: whether no other group gives its phrases */
} phrase_decisions;

/* A block: its features and contributions, and whether it was kept. */
typedef struct {
    const float *features, *contributions;
    bool keep;
} judged_row;

/* The strongest REASONS phrases of a block by the ranks of its groups: -1 in place of missing ones, PHRASE_UNSURE in the first
 * place if only the twin can tell. `weights`: room for a number for each group. */
void find_phrases(const phrase_decisions *d, const rank_groups *g, const double *means, const judged_row *row, double *weights,
                  int32_t *phrases);

#endif
