/* Which steps of bonmun/read/page.py between parsing and segmentation may change a page. */
#ifndef BONMUN_PAGE_STEPS_H
#define BONMUN_PAGE_STEPS_H

#include "page_facts.h"

/* The bits of bonmun/read/compiled.py; a step whose bit is missing would return the page as it is. */
int32_t page_steps(const tree *t, const node_view *nodes, const page_facts *facts);

#endif
