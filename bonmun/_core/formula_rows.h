/* Rows that may be formulas; bonmun/read/formula_rows.py is the Python twin. */
#ifndef BONMUN_FORMULA_ROWS_H
#define BONMUN_FORMULA_ROWS_H

#include "segment.h"

typedef struct {
    int32_t tags[FORMULA_TAGS];        /* numbers of element names on this page; -1: no such element */
    int32_t names[FORMULA_NAME_COUNT]; /* numbers of attribute names on this page; -1: no element has it */
} formula_rules;

/* The rows in order, to be freed; `count` is -1 where memory ran out. */
int32_t *formula_rows(const node_view *nodes, const formula_rules *rules, int32_t *count);

#endif
