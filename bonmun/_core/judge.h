/* Scores of blocks → choice → summary of the page → its type and confidence. bonmun/methods/learned/judgement.py is the twin. */
#ifndef BONMUN_JUDGE_H
#define BONMUN_JUDGE_H

#include "choice.h"
#include "forest.h"

typedef struct {
    const forest *first, *rest;  /* over the features of a block, before and after the early exit */
    const forest *const *about;  /* over the summary of a page */
    int32_t about_count;
    const double *recalls;       /* weight of recall by page type: the types are the first of `about` */
    int32_t types;
    double below, above, weight; /* of the early exit */
    double empty;                /* minimum expected words of content on a page */
} judge_model;

typedef struct {
    double *raw;     /* by block */
    uint8_t *keep;   /* by block */
    float *figures;  /* SUMMARY_COUNT */
    float *about;    /* a sum for each forest over the summary */
    int32_t kind;    /* the likeliest type of the page */
    double likely;   /* its probability */
    double f1;       /* expected, of the choice */
    int whole;       /* SCORES_DECIDE, WHOLE_… */
    bool commented;  /* a kept block is near an element named after comments */
    int64_t copied;  /* characters of kept blocks whose text is further up the page */
} judgement;

typedef enum { JUDGED, JUDGE_NO_MEMORY, JUDGE_SECONDS } judge_result;

typedef struct {
    feature_state *state;
    const float *table; /* the features of all blocks; NULL: computed a tile at a time */
    const table_units *units;
    bool may_be_plain;
    double beta;    /* weight of recall */
    double seconds; /* time limit, checked once a tile */
} judge_task;

/* Judge a page with at least one block. */
judge_result judge_page(const judge_model *model, const judge_task *task, judgement *judged);

#endif
