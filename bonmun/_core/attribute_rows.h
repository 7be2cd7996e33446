/* Rows of elements by the value of an attribute; `Nodes.rows_having` in bonmun/model/nodes.py is the Python twin. */
#ifndef BONMUN_ATTRIBUTE_ROWS_H
#define BONMUN_ATTRIBUTE_ROWS_H

#include "segment.h"

/* Whether these are at most 32 words in lower case, none empty, each with a NUL behind it. */
bool attribute_words_fit(const uint8_t *words, size_t length);

/* The rows from `first` up to `stop`, in order, whose attribute of that number contains one of the words, without regard
   to ASCII case. To be
   freed; `count` is -1 where memory ran out. */
int32_t *attribute_rows(const node_view *nodes, int32_t first, int32_t stop, int32_t name, const uint8_t *words,
                        size_t length, int32_t *count);

#endif
