/* The programming language that a page declares for a block of code; bonmun/model/code.py is the Python twin. */
#ifndef BONMUN_CODE_LANGUAGE_H
#define BONMUN_CODE_LANGUAGE_H

#include "writer_page.h"

/* Find the language of a block of code, of length 0 if none is declared. false: Python has to write the block, for it has
 * pictures, roles around it, or class names that only Python tells apart. */
bool code_language(const writer_page *page, int32_t block, attribute_value *language);

#endif
