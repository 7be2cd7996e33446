/* The elements around blocks that may be callouts or details; bonmun/model/boxes.py is the Python twin. */
#ifndef BONMUN_BOX_ROWS_H
#define BONMUN_BOX_ROWS_H

#include "outline.h"

typedef struct {
    const uint8_t *words, *roles; /* words in the class of a callout, and in its role, each with a NUL at its end */
    size_t words_length, roles_length;
} box_signs;

/* The rows that may be callouts, and `~row` of other details, in no order; to be freed. NULL: there are none, or with a count of -1
 * no memory. A block shown as `~row` is around the block before that row. */
int32_t *box_rows(const writer_page *page, const outline_input *shown, const box_signs *signs, int32_t *count);

#endif
