/* Parts of kept blocks that are not read as text: permalinks of headings, labels for screen readers, names of icons.
 * bonmun/model/permalinks.py, bonmun/model/assistive.py and bonmun/methods/unseen.py are the twins. */
#ifndef BONMUN_UNSEEN_H
#define BONMUN_UNSEEN_H

#include "rules.h"

/* What is known of an element; only Python can tell where letters beyond ASCII matter. */
typedef enum { IS_SEEN, IS_UNSEEN, ASKS_PYTHON } unseen_kind;

typedef struct {
    const node_view *nodes;
    int32_t class, href; /* the numbers of these attributes; -1: no element has it */
} unseen_names;

unseen_kind assistive_kind(const unseen_names *names, int32_t row);
/* The permalink or edit link around a text in a link, if it is IS_UNSEEN. */
unseen_kind permalink_around(const unseen_names *names, int32_t text, int32_t *element);

/* The rows to keep of blocks with unseen text, for the caller to free: block, number of rows, rows; the next block … */
typedef struct {
    int32_t *cells, count;
    bool asks_python; /* none of it is known */
} seen_parts;

/* What may be unseen: kept headings with links, and elements with names of assistive text, in order. */
typedef struct {
    const int32_t *headings, *elements;
    int32_t heading_count, element_count;
} unseen_candidates;

/* `href`: the number of the attribute; `unseen`: by block, set for those without other text. -1: no memory. */
int find_seen_parts(const chosen_page *chosen, int32_t href, const unseen_candidates *found, uint8_t *unseen, seen_parts *parts);

#endif
