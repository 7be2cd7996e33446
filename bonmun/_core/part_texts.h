/* Texts of blocks that were kept in part; `text_of` of bonmun/model/block.py is the twin. */
#ifndef BONMUN_PART_TEXTS_H
#define BONMUN_PART_TEXTS_H

#include "output_buffer.h"
#include "segment.h"

typedef struct {
    const node_view *nodes;
    const segment_rules *rules;
    const int32_t *kinds;  /* of each block */
    const int32_t *starts; /* of each block's rows, and the end */
    const int32_t *rows;   /* those kept, in order */
    int32_t count;
} text_parts;

/* Whether the rows are texts of the page in order, some for each block; Python writes others. */
bool parts_fit(const text_parts *parts, int32_t rows);
/* Append the texts; `stops` are their ends. -1: no memory. */
int part_texts(const text_parts *parts, output_buffer *out, int32_t *stops);

#endif
