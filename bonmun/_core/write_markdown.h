/* Blocks as Markdown; bonmun/write/markdown.py is the Python twin.
 *
 * Some leaves and cells are written by Python: code with its language, pictures with lazy addresses, superscripts. The first pass
 * asks for them, the second has them. */
#ifndef BONMUN_WRITE_MARKDOWN_H
#define BONMUN_WRITE_MARKDOWN_H

#include "writer_plan.h"

/* Write all blocks of a plan whose page, input, bases, box kinds, and the store's special places are set. PLAN_ASKS: `requests`
 * are to be answered in a second pass; each answer is given at the place of its first block. The answer for a cell is its text; for
 * a leaf its chunks, each behind 'p' for a paragraph or '-', with a NUL between two. PLAN_OTHER: Python has to write all of it. */
plan_result write_markdown(writer_plan *plan, const given_texts *given, output_buffer *out);

#endif
