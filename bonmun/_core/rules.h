/* The blocks that the rules over the scores concern, or may concern; bonmun/methods/learned/candidates.py is the twin. */
#ifndef BONMUN_RULES_H
#define BONMUN_RULES_H

#include "feature_table.h"
#include "signs.h"

/* A page with a choice. `class`, `id`: the numbers of the attributes of these names; -1: no element has it. */
typedef struct {
    const feature_page *page;
    uint8_t *keep;
    int32_t class, id;
} chosen_page;

/* The first block behind the element that holds most of the expected text. `before`: room for one number more than blocks. */
int32_t end_of_text(const feature_page *page, const double *scores, double *before);

typedef struct {
    int32_t block[2 * RULE_ENDS]; /* the first and the last kept blocks with text */
    int32_t count;
    bool titles;      /* whether one may be a title from elsewhere */
    uint32_t notices; /* bits of those that may be closing notices */
} text_ends;

text_ends ends_of_text(const chosen_page *chosen, const sign_list *titles, const sign_list *notices);

/* Each of these writes blocks to `found`, which has room for all, and returns how many. */
int32_t find_gaps(const chosen_page *chosen, const int32_t *kinds, uint8_t *after, int32_t *found);
int32_t find_callout_titles(const chosen_page *chosen, const sign_list *callouts, int32_t *found);
int32_t find_linked_headings(const chosen_page *chosen, int32_t *found);

/* Decide on all pictures that are not `decided`; `found` are those that depend on captions. `sides`: room for each block. */
int32_t decide_pictures(const chosen_page *chosen, const uint8_t *decided, const sign_list *captions, uint8_t *sides, int32_t *found);

#endif
