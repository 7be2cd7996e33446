/* Text with emphasis, code and links as inline Markdown; bonmun/write/markdown_inline.py is the Python twin. */
#ifndef BONMUN_INLINE_MARKDOWN_H
#define BONMUN_INLINE_MARKDOWN_H

#include "inline_runs.h"
#include "markdown_dollars.h"
#include "output_buffer.h"

typedef struct {
    int32_t tildes; /* of the block's paragraph */
    dollar_signs dollars;
    bool in_cell;
    int32_t alt;    /* the number of this attribute on the page; -1: no element has it */
} inline_options;

/* Append the Markdown of a block. In place of an address it has the row of the link between two NULs, or that of the image between
 * two bytes IMAGE_BYTE. INLINE_OTHER where the twin has to decide, and nothing is appended: for scripts, addresses in the text with
 * escapes, and emphasis next to rare characters. */
inline_result inline_markdown(const node_view *nodes, const inline_place *place, const inline_options *options, output_buffer *out);

/* Append the image of a row that is a block of its own; the same. */
inline_result inline_picture(const node_view *nodes, int32_t row, const inline_options *options, output_buffer *out);

/* Append a text without marks and links. */
inline_result inline_plain(const uint8_t *text, int32_t length, const inline_options *options, output_buffer *out);

#endif
