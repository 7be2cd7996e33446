/* What the writers read of a page: its nodes, with the tags of ARIA roles, and its blocks. */
#ifndef BONMUN_WRITER_PAGE_H
#define BONMUN_WRITER_PAGE_H

#include "segment.h"

typedef struct {
    node_view nodes;
    const int32_t *kind, *level, *element, *first, *stop, *continues, *flags, *text_start, *text_stop;
    const uint8_t *text;
    int32_t blocks;
    const int32_t *tables; /* rows of data tables, in order */
    int32_t table_count;
    segment_rules rules; /* which elements are displayed as blocks */
    int32_t names[WRITER_NAME_COUNT]; /* numbers of attribute names on this page; -1: no element has it */
} writer_page;

typedef struct {
    const uint8_t *bytes; /* NULL: the element has no such attribute */
    int32_t length;
} attribute_value;

/* An attribute of an element by its number on the page; -1: no element has it. */
attribute_value attribute_of(const node_view *nodes, int32_t row, int32_t number);
/* An attribute of an element by its WRITER_NAME_…; `row` may be negative, for an element that the page does not have. */
attribute_value writer_attribute(const writer_page *page, int32_t row, int name);
attribute_value without_spaces(attribute_value value); /* at both ends */
/* The attribute without white space at both ends. */
attribute_value writer_stripped(const writer_page *page, int32_t row, int name);
/* A value of 1 to `most` ASCII digits; -1: it is something else. */
int32_t writer_digits(attribute_value value, int32_t most);

/* Whether a number is among some in order. */
bool writer_has(const int32_t *sorted, int32_t count, int32_t number);

#endif
