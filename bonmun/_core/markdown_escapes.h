/* Text of a line of Markdown with backslashes where a reader would see markup; bonmun/write/markdown_inline.py is the Python twin. */
#ifndef BONMUN_MARKDOWN_ESCAPES_H
#define BONMUN_MARKDOWN_ESCAPES_H

#include "markdown_dollars.h"
#include "output_buffer.h"

typedef struct {
    const uint8_t *text;
    int32_t from, to;
    bool tildes;              /* whether tildes could strike text out */
    bool linked, before_link; /* inside a link; right before one */
    dollar_signs dollars;
    bool unsure;              /* out: the twin has to decide */
} escaped_text;

bool is_ascii_punctuation(uint8_t byte);

/* Append a text; false: no memory. */
bool write_escaped(escaped_text *t, output_buffer *line);

#endif
