/* The rules over the scores, one after another, up to one that Python has to look at; bonmun/methods/learned/overruling.py is the
 * twin. */
#ifndef BONMUN_OVERRULE_H
#define BONMUN_OVERRULE_H

#include "choice.h"
#include "posts.h"
#include "rules.h"

/* What the rules look for in texts and names. */
typedef struct {
    sign_list titles, notices, callouts, captions;
    const uint8_t *assistive; /* words in classes of elements that may not be seen as text, each with a NUL at its end */
    size_t assistive_length;
    post_signs posts;
} rule_signs;

typedef struct {
    chosen_page chosen;
    uint8_t *why;         /* by block: WHY_…, 0 where the scores decide */
    const double *scores; /* by block; NULL: what is behind the text stays */
    const double *in_posts; /* scores by block; NULL: posts are not looked for */
    const int32_t *kinds; /* by block, as readers see them */
    const table_units *units;
    const rule_signs *signs;
    bool is_article;   /* posts may be its comments */
    bool has_copies;   /* many kept characters are further up the page */
    bool has_comments; /* kept blocks may be readers' comments */
    bool has_notes;  /* the page has footnotes */
    int32_t href;    /* the number of the attribute; -1: no element has it */
} overruling;

/* Where the rules stopped, and what they found for Python. */
typedef struct {
    int step;       /* STEP_… */
    int32_t *found; /* blocks; room for all */
    int32_t count;
    bool titles;      /* STEP_INTRUDERS: one of the blocks may be a title from elsewhere */
    uint32_t notices; /* STEP_INTRUDERS: bits of the blocks that may be closing notices */
    int32_t *rows;        /* elements that may not be seen as text; STEP_INTRUDERS: blocks of copies; STEP_DONE: seen_parts; to be freed */
    int32_t row_count;
} rule_findings;

/* Take the steps from `findings->step` on. -1: memory ran out. */
int overrule(const overruling *task, rule_findings *findings);

#endif
