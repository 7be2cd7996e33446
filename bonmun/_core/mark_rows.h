/* Links that may be marks of footnotes; `_mark_rows` of bonmun/model/footnotes.py is the twin. */
#ifndef BONMUN_MARK_ROWS_H
#define BONMUN_MARK_ROWS_H

#include "segment.h"
#include "signs.h"

typedef struct {
    const uint8_t *url; /* of the page, without a fragment */
    int32_t url_length;
    int32_t href;              /* the number of the attribute */
    const uint8_t *targets;    /* starts of fragments, one of which a mark has on a page without superscripts: `signs_list` */
    size_t targets_length;
} mark_rules;

/* The rows, for the caller to free; `count` is -1 if memory ran out. Targets that are no list of signs have no marks. */
int32_t *mark_rows(const node_view *nodes, const mark_rules *rules, int32_t *count);

#endif
