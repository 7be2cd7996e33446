/* Encodings that a page declares in its <meta> elements; bonmun/read/encodings.py has the twin. */
#ifndef BONMUN_META_PRESCAN_H
#define BONMUN_META_PRESCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "span.h"

enum { META_CHARSET, META_HTTP_EQUIV, META_CONTENT, META_VALUES };

typedef struct {
    span value[META_VALUES]; /* start < 0: the element has no such attribute */
    int32_t stop;            /* the offset behind the element */
} meta_element;

/* Find the next <meta> from an offset on that has a charset or http-equiv attribute; false: there is none, or a construct
 * before it is cut off at the end. */
bool next_meta(const uint8_t *head, int32_t length, int32_t at, meta_element *out);

#endif
