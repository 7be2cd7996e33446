/* What a writer of marked-up text needs: the blocks shown and their outline, and requests to Python for what is more than columns. */
#ifndef BONMUN_WRITER_PLAN_H
#define BONMUN_WRITER_PLAN_H

#include "markdown_lines.h"
#include "write_text.h"

typedef enum { PLAN_WRITTEN, PLAN_ASKS, PLAN_OTHER, PLAN_NO_MEMORY } plan_result;

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
} writer_plan;

/* Build the outline once; false: no memory. */
bool writer_plan_begin(writer_plan *plan);
void writer_plan_free(writer_plan *plan);

/* Add a number to the requests; false: no memory. */
bool writer_plan_ask(writer_plan *plan, int32_t number);
/* The BOX_… of the box at a row of the page. */
int32_t kind_of_box(const writer_plan *plan, int32_t row);
/* The text that Python gave for the leaf or cell whose first block is at a place; false: none. `given` may be NULL. */
bool is_given(const given_texts *given, int32_t place, const uint8_t **bytes, size_t *length);

#endif
