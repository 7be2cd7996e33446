/* Segmentation of nodes into blocks; bonmun/read/segment_reference.py is the Python twin. */
#ifndef BONMUN_SEGMENT_H
#define BONMUN_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "constants_table.h"

/* The columns of bonmun/model/nodes.py that segmentation reads. */
typedef struct {
    const int32_t *parent, *tag, *end, *start, *stop, *chars, *flags;
    const int32_t *attr_first, *attr_name, *attr_start, *attr_stop;
    const uint8_t *buffer, *spill;
    int32_t buffer_length; /* offsets from here on are in the spill */
    int32_t rows;
} node_view;

static inline const uint8_t *bytes_at(const node_view *nodes, int32_t offset) {
    return offset < nodes->buffer_length ? nodes->buffer + offset : nodes->spill + (offset - nodes->buffer_length);
}

_Static_assert((int)KIND_COUNT <= (int)ROLE_KIND, "a tag's role holds its kind + 1");

typedef struct {
    const uint8_t *roles; /* by tag: its kind + 1 or 0, ROLE_BLOCK, ROLE_LIST, ROLE_LINE */
    int32_t known;        /* tags that have a role; others have none */
    int32_t names[NAME_COUNT]; /* numbers of attribute names on this page; -1: no element has it */
    int32_t most_blocks;
} segment_rules;

static inline uint8_t role_of(const segment_rules *rules, int32_t tag) {
    return tag < rules->known ? rules->roles[tag] : 0;
}

typedef struct {
    int32_t kind, level, element, first, stop, continues, link_chars, flags;
    int32_t chars, text_start, text_stop; /* in the list's `text` */
} block;

_Static_assert(sizeof(block) == BLOCK_COLUMNS * sizeof(int32_t), "one field per column of bonmun/core.py");

typedef struct {
    block *blocks;
    int32_t count, room;
    uint8_t *text; /* UTF-8, block after block; white space collapsed except in code */
    int32_t text_used, text_room;
    int32_t *tables; /* rows of data tables */
    int32_t table_count, table_room;
} block_list;

/* -1: no memory. A page with more than `most_blocks` blocks is given up at the first block beyond them. */
int segment(const node_view *nodes, const segment_rules *rules, block_list *out);
void block_list_free(block_list *list);

#endif
