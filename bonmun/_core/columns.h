/* A page as columns: one row per element and text node in document order; bonmun/model/nodes.py documents them.
 *
 * The reader writes them while it reads. Each column has a cell before row 0 for the document, the root's parent, which is no
 * row: parent[DOCUMENT] and the like are valid. */
#ifndef BONMUN_COLUMNS_H
#define BONMUN_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "constants_table.h"

enum { DOCUMENT = -1 };

typedef struct {
    int32_t *parent, *tag, *depth, *end, *start, *stop, *chars, *flags, *source_start, *source_stop;
    int32_t *attr_first; /* one more cell: the end of the last row's attributes */
} row_columns;

typedef struct {
    int32_t *name;         /* number in the table of attribute names */
    int32_t *start, *stop; /* the decoded value: references resolved, CR LF to LF, NUL replaced */
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

/* Grow to `room` rows or attributes, in one allocation with a constant stride between columns; the first `kept` cells of each
 * column are kept. false: no memory, nothing has changed. */
bool row_columns_grow(row_columns *c, int32_t kept, int32_t room);
bool attribute_columns_grow(attribute_columns *c, int32_t kept, int32_t room);

/* Set the end of each row to the end of its last descendant; every end must be at least row + 1 before. */
void row_columns_set_ends(const row_columns *c, int32_t rows);

/* Copy cells; source and target may overlap. */
void attribute_columns_move(const attribute_columns *from, int32_t at, const attribute_columns *to, int32_t where,
                            int32_t count);

void row_columns_free(row_columns *c);
void attribute_columns_free(attribute_columns *c);

#endif
