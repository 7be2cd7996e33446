/* Blocks as HTML; bonmun/write/html.py is the Python twin. */
#ifndef BONMUN_WRITE_HTML_H
#define BONMUN_WRITE_HTML_H

#include "writer_plan.h"

/* Write all blocks of a plan, a line for each outermost part. The answer to a request is the content of the leaf; for code its parts,
 * each behind 'f' for a figure or '-', with a NUL between two. */
plan_result write_html(writer_plan *plan, const given_texts *given, output_buffer *out);

#endif
