/* Blocks as Markdown; bonmun/write/markdown.py is the Python twin.
 *
 * Some leaves and cells are written by Python: code with its language, pictures with lazy addresses, superscripts. The first pass
 * asks for them, the second has them. */
#ifndef BONMUN_WRITE_MARKDOWN_H
#define BONMUN_WRITE_MARKDOWN_H

#include "markdown_lines.h"
#include "write_text.h"

typedef enum { MARKDOWN_WRITTEN, MARKDOWN_ASKS, MARKDOWN_OTHER, MARKDOWN_NO_MEMORY } markdown_result;

enum { ASKS_FOR_CELL = 3 }; /* otherwise a request is for a leaf, and begins with the mark around it */

typedef struct {
    const writer_page *page;
    outline_input input;
    address_bases bases;
    const int32_t *box_kinds; /* by box: BOX_… */
    line_store store;
    outline outline;
    int32_t *requests; /* each: the mark around a leaf or ASKS_FOR_CELL, the number of its blocks, their places */
    int32_t request_count, request_room;
} markdown_plan;

/* Write all blocks of a plan whose page, input, bases, box kinds, and the store's special places are set. MARKDOWN_ASKS: `requests`
 * are to be answered in a second pass; each answer is given at the place of its first block. The answer for a cell is its text; for
 * a leaf its chunks, each behind 'p' for a paragraph or '-', with a NUL between two. MARKDOWN_OTHER: Python has to write all of it. */
markdown_result write_markdown(markdown_plan *plan, const given_texts *given, output_buffer *out);
void markdown_plan_free(markdown_plan *plan);

#endif
