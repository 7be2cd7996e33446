/* Rows that may be formulas; bonmun/read/formula_rows.py is the Python twin. */
#ifndef BONMUN_FORMULA_ROWS_H
#define BONMUN_FORMULA_ROWS_H

#include "segment.h"

typedef struct {
    int32_t tags[FORMULA_TAGS];        /* numbers of element names on this page; -1: no such element */
    int32_t names[FORMULA_NAME_COUNT]; /* numbers of attribute names on this page; -1: no element has it */
    bool only_images;                  /* nothing but an image can be a formula: known from the reader's hints */
} formula_rules;

/* Whether a class starts with the name of a renderer, and not only with its letters, as "text" does with "tex". */
bool names_renderer(const uint8_t *text, int32_t length);

/* Whether an image's class or address mentions TeX in the bytes of it that count. */
bool mentions_tex(const uint8_t *text, int32_t length);

/* Whether a row is an image that nothing shows to be a formula; _image in bonmun/read/formulas.py looks closer. */
bool is_other_image(const node_view *nodes, const formula_rules *rules, int32_t row);

/* The rows in order, to be freed; `count` is -1 where memory ran out. */
int32_t *formula_rows(const node_view *nodes, const formula_rules *rules, int32_t *count);

#endif
