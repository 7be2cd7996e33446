/* Dollar signs that a Markdown reader would take for those of a formula; bonmun/write/markdown_math.py is the Python twin. */
#ifndef BONMUN_MARKDOWN_DOLLARS_H
#define BONMUN_MARKDOWN_DOLLARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    DOLLARS_UNKNOWN, /* the twin has to decide */
    DOLLARS_OF_LINE, /* the line with the dollar signs decides */
    DOLLARS_HARMLESS,
    DOLLARS_ESCAPED
} dollar_signs;

/* What the dollar signs of a text need; a NUL is between its runs or lines. */
dollar_signs dollars_of_text(const uint8_t *text, size_t length, bool in_cell);

#endif
