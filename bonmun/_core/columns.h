/* A page as columns: one row per element and text node in document order, exactly as bonmun/model/nodes.py wants them.
 *
 * The reader writes them while it reads. Before row 0 there is a cell for the document, which is everybody's ancestor and no
 * row: parent[DOCUMENT], as the others, can be asked for. */
#ifndef BONMUN_COLUMNS_H
#define BONMUN_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "constants_table.h"

enum { DOCUMENT = -1 };

typedef struct {
    int32_t *parent, *tag, *depth, *end, *start, *stop, *chars, *flags, *source_start, *source_stop;
    int32_t *attr_first; /* has one more cell: where the last row's attributes end */
} row_columns;

typedef struct {
    int32_t *name;         /* in the table of attribute names */
    int32_t *start, *stop; /* the value, decoded: references resolved, CR LF to LF, NUL replaced */
} attribute_columns;

_Static_assert(sizeof(row_columns) == ROW_COLUMNS * sizeof(int32_t *), "one pointer per column of bonmun/read/compiled.py");
_Static_assert(sizeof(attribute_columns) == ATTRIBUTE_COLUMNS * sizeof(int32_t *), "likewise");
_Static_assert(ROW_PARENT == 0 && ROW_TAG == 1 && ATTR_NAME == 0 && ATTR_START == 1,
               "`parent` and `name` are where the memory starts, the next ones tell the stride");

typedef struct {
    row_columns row;
    attribute_columns attribute;
    int32_t rows, attributes;
} columns;

/* Memory for so many rows, or attributes: one piece, in which each column is as far from the next. What the first `kept` cells
 * hold is kept. false: there is no memory, and nothing has changed. */
bool row_columns_grow(row_columns *c, int32_t kept, int32_t room);
bool attribute_columns_grow(attribute_columns *c, int32_t kept, int32_t room);

/* Each row ends behind the last that it holds; it has to end behind itself already. */
void row_columns_set_ends(const row_columns *c, int32_t rows);

/* Copy cells; they may overlap. */
void attribute_columns_move(const attribute_columns *from, int32_t at, const attribute_columns *to, int32_t where,
                            int32_t count);

void row_columns_free(row_columns *c);
void attribute_columns_free(attribute_columns *c);

#endif
