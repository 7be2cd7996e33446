/* The inside of a block as HTML; `_inline` of bonmun/write/html.py and bonmun/write/marks.py are the Python twins. */
#ifndef BONMUN_INLINE_HTML_H
#define BONMUN_INLINE_HTML_H

#include "addresses.h"
#include "inline_runs.h"

/* Append a block; INLINE_OTHER where Python has to write it, and nothing is appended: for addresses that need a URL parser. */
inline_result inline_html(const writer_page *page, const address_bases *bases, int32_t block, output_buffer *out);
/* Append the image of a row that is a block of its own; the same. */
inline_result inline_html_picture(const writer_page *page, const address_bases *bases, int32_t row, output_buffer *out);
/* Append a text with &, < and > escaped, and in an attribute the quotation marks. */
void put_html_text(output_buffer *out, const uint8_t *text, size_t length, bool in_attribute);

#endif
