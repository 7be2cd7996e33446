/* The text of a block from its rows. */
#ifndef BONMUN_BLOCK_TEXT_H
#define BONMUN_BLOCK_TEXT_H

#include "segment.h"
#include "text_writer.h"

typedef struct {
    const node_view *nodes;
    const segment_rules *rules;
    int32_t first, stop, skipped; /* rows with a flag of `skipped` are left out */
    bool is_heading;
} block_rows;

/* Both return how many characters of the text are in links. */
int32_t write_rows(const block_rows *s, text_writer *w); /* text_of in bonmun/model/block.py is the twin */
int32_t write_code(const block_rows *s, text_writer *w); /* code_rows in bonmun/model/code.py is the twin */

#endif
