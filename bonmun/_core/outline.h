/* Blocks nested again in the lists, quotes, boxes and tables of the page, as flat rows.
 *
 * bonmun/write/nesting.py and bonmun/write/places.py are the Python twins; here the groups, their parts and the leaves are rows in
 * document order, each with the row behind its last descendant. */
#ifndef BONMUN_OUTLINE_H
#define BONMUN_OUTLINE_H

#include "writer_page.h"

/* Kinds of rows beside the OUTLINE_… of bonmun/write/groups.py. */
enum { OUTLINE_LEAF = OUTLINE_GROUPS, OUTLINE_RULE };

typedef struct {
    int32_t kind;
    int32_t at;   /* of a group: the row of its element, negative for one that the page does not have; of a leaf: its first block
                     among those shown */
    int32_t stop; /* the row behind its last descendant */
    int32_t count; /* of a leaf: its blocks */
} outline_row;

typedef struct {
    outline_row *rows;
    int32_t count, room;
} outline;

typedef struct {
    const int32_t *shown; /* blocks in the order of the page; ~row for a medium at that row */
    int32_t count;
    int32_t nesting;                      /* groups around a block, at most */
    const int32_t *box_rows, *box_groups; /* rows of boxes and their titles, in order, and their OUTLINE_… */
    int32_t box_count;
    const int32_t *rules; /* blocks behind a thematic break, in order */
    int32_t rule_count;
} outline_input;

int outline_build(const writer_page *page, const outline_input *input, outline *out); /* -1: no memory */
void outline_free(outline *o);

/* Of a box: the first row of its content; the rows before are the title. A title alone is the content. */
int32_t outline_title_end(const outline *o, int32_t box);

#endif
