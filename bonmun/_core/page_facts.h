/* What the reader knows about a page it has read, so that steps which few pages need are skipped for the others. */
#ifndef BONMUN_PAGE_FACTS_H
#define BONMUN_PAGE_FACTS_H

#include "segment.h"
#include "tree.h"

typedef struct {
    int32_t names[KNOWN_ATTRIBUTES];  /* the numbers of attributes, those of segmentation first; -1: the page has none */
    int32_t *formulas, formula_count; /* rows that may be formulas; formula_rows.h */
    int32_t *roles, role_count;       /* rows that may have an ARIA role of a heading, list or table */
} page_facts;

bool page_facts_find(const tree *t, const columns *c, page_facts *facts); /* false: no memory */
void page_facts_free(page_facts *facts);

#endif
