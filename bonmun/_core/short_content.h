/* The start of an element's content, white space collapsed: `Nodes.content` of bonmun/model/nodes.py is the twin. */
#ifndef BONMUN_SHORT_CONTENT_H
#define BONMUN_SHORT_CONTENT_H

#include "segment.h"

enum { SHORT_CONTENT = 256 };

typedef struct {
    uint8_t text[SHORT_CONTENT];
    int32_t length;
    bool is_cut, gap; /* there is more of it; white space is before what comes next */
} short_content;

void read_short_content(const node_view *nodes, int32_t element, short_content *content);

#endif
