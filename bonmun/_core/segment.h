/* Nodes to blocks, as bonmun/read/segment.py does it in Python: the same rules, the same answer. */
#ifndef BONMUN_SEGMENT_H
#define BONMUN_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The columns of bonmun/model/nodes.py that segmentation reads. */
typedef struct {
    const int32_t *parent, *tag, *end, *start, *stop, *chars, *flags;
    const int32_t *attr_first, *attr_name, *attr_start, *attr_stop;
    const uint8_t *buffer, *spill;
    int32_t buffer_length; /* offsets from here on lie in the spill */
    int32_t rows;
} node_view;

/* What a tag means, one byte a tag; tags beyond `known` mean nothing. */
enum { ROLE_KIND = 15, ROLE_BLOCK = 16, ROLE_LIST = 32 };

/* As in bonmun/model/block.py, in this order; a role holds one more, so that 0 is no kind. */
enum { KIND_PARAGRAPH, KIND_HEADING, KIND_ITEM, KIND_TERM, KIND_DEFINITION, KIND_CELL, KIND_CODE, KIND_QUOTE,
       KIND_CAPTION, KIND_IMAGE };

/* Numbers of attribute names on this page; -1: no element has it. */
enum { NAME_WIDTH, NAME_HEIGHT, NAME_ROLE, NAME_SRC, NAME_DATA_SRC, NAME_DATA_ORIGINAL, NAME_DATA_LAZY_SRC,
       NAME_DATA_LAZY, NAME_DATA_URL, NAME_SRCSET, NAME_DATA_SRCSET, NAME_COUNT };

typedef struct {
    const uint8_t *roles;
    int32_t known;
    int32_t names[NAME_COUNT];
} segment_rules;

typedef struct {
    int32_t kind, level, element, first, stop, continues, link_chars, flags;
    int32_t chars, text_start, text_stop; /* of and in `text` */
} block;

typedef struct {
    block *blocks;
    int32_t count, room;
    uint8_t *text; /* UTF-8, one block after the other; white space collapsed except in code */
    int32_t text_used, text_room;
    int32_t *tables; /* rows of tables that hold data */
    int32_t table_count, table_room;
} block_list;

int segment(const node_view *nodes, const segment_rules *rules, block_list *out); /* -1: no memory */
void block_list_free(block_list *list);

#endif
