/* What the reader knows about a page it has read, so that steps which few pages need are skipped for the others. */
#ifndef BONMUN_PAGE_FACTS_H
#define BONMUN_PAGE_FACTS_H

#include "roles.h"
#include "tree.h"

typedef struct {
    int32_t names[KNOWN_ATTRIBUTES];  /* the numbers of attributes, those of segmentation first; -1: the page has none */
    int32_t *formulas, formula_count; /* rows that may be formulas; formula_rows.h */
    bool may_have_formulas;           /* whether one of them is no other image */
    role_row *roles; /* elements with the ARIA role of a heading, list or table */
    int32_t role_count;
    int32_t steps;                    /* what may change the page before it is segmented; page_steps.h */
} page_facts;

node_view node_view_of(const columns *c, const store *s);

void page_facts_prepare(tree_tables *tables); /* once, behind tree_tables_init */
bool page_facts_find(const tree *t, const columns *c, page_facts *facts); /* false: no memory */
void page_facts_free(page_facts *facts);

#endif
