/* Lines of Markdown: the inside of blocks with the addresses of links, and the escapes at the start of a line.
 *
 * bonmun/write/markdown_line.py and the paragraphs of bonmun/write/markdown.py are the Python twins. */
#ifndef BONMUN_MARKDOWN_LINES_H
#define BONMUN_MARKDOWN_LINES_H

#include "addresses.h"
#include "markdown_dollars.h"
#include "outline.h"

typedef struct {
    size_t from, to;          /* in the buffer of all lines */
    bool known, is_pythons;   /* it was asked for; Python has to write it */
} markdown_line;

typedef struct {
    const writer_page *page;
    const outline_input *input;
    const uint8_t *special; /* by place among the blocks shown: SHOWN_PICTURES of a caption, SHOWN_PYTHONS */
    const address_bases *bases;
    output_buffer bytes, scratch;
    markdown_line *lines; /* by place */
} line_store;

typedef struct {
    uint32_t extra; /* a mark around the whole text; 0: none */
    int32_t tildes; /* of the paragraph */
    dollar_signs dollars;
    bool in_cell;
} line_context;

/* The line of a block; NULL: Python has to write it, or no memory, which `bytes.failed` or `scratch.failed` tells. */
const markdown_line *line_at(line_store *store, int32_t place, const line_context *context);

/* The kind of a block as it is shown; a medium has that of a picture. */
int32_t kind_shown(const line_store *store, int32_t place);

/* Whether a block is one text node outside links and marks: its line is its text. */
bool is_plain_block(const writer_page *page, int32_t index);

/* The number of a byte in the text of a block. */
int32_t count_in_block(const line_store *store, int32_t place, uint8_t byte);
/* Append the text of a block to those of its paragraph or cell in `scratch`, with a NUL behind it. */
void join_text(line_store *store, int32_t place);
/* What the dollar signs of several blocks need, whose texts were joined. */
dollar_signs dollars_of_joined(const line_store *store, bool in_cell);

/* Append a line of a paragraph, escaped so that it starts no list, heading, table or other block; `number` counts from 0. false:
 * Python has to decide. */
bool put_paragraph_line(output_buffer *out, const uint8_t *line, size_t length, int32_t number);
/* Escape the paragraph from `start` on if it starts the definition of a link. */
void finish_paragraph(output_buffer *out, size_t start);
/* Append the line of a heading. */
void put_heading_line(output_buffer *out, const uint8_t *line, size_t length);
/* Whether all of a text would underline a heading or delimit a table. */
bool underlines(const uint8_t *text, size_t length);

#endif
