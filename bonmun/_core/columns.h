/* The tree as columns: one row per element and text node in document order, exactly as bonmun/model/nodes.py wants them. */
#ifndef BONMUN_COLUMNS_H
#define BONMUN_COLUMNS_H

#include "tree.h"

enum { FLAG_UNRENDERED = 1, FLAG_HIDDEN = 2, FLAG_LINK = 4 }; /* as in bonmun/model/tags.py */

typedef struct {
    int32_t *parent, *tag, *depth, *end, *start, *stop, *chars, *flags, *source_start, *source_stop;
    int32_t *attr_first, *attr_name, *attr_start, *attr_stop;
    int32_t rows, attributes;
} columns;

typedef struct {
    const uint8_t *flags_of_tag; /* by tag number; beyond `known`: none */
    int32_t known;
    int32_t most_depth; /* deeper elements have no row; their text stays, below the deepest that has one */
    int32_t depth_cut;  /* how many elements that were */
} column_rules;

/* Fill the columns, which have room for t->count rows and t->attribute_total attributes. Where no node was moved, as on most
 * pages, the arena stands in document order and is read straight through; else by its links. */
void columns_fill(tree *t, column_rules *rules, columns *out);

#endif
