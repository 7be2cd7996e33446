/* The index of each node among its siblings, for bonmun/model/xpaths.py, which has the Python twin. */
#ifndef BONMUN_PLACES_H
#define BONMUN_PLACES_H

#include <stdint.h>

typedef struct {
    const int32_t *parent, *depth, *tag, *end;
    int32_t rows;
} place_nodes;

/* `kinds`: the PLACE_… bits of each tag. `deepest`: the depth of the last nodes that are counted; deeper ones have the place 0.
 * `anchor`: the depth from which on nodes are counted among all descendants of their ancestor at that depth; -1: none.
 * A place is counted from 1 among nodes of the same tag, and is negative if counted among all elements. -1: no memory. */
int number_places(const place_nodes *nodes, const uint8_t *kinds, int32_t tags, int32_t deepest, int32_t anchor, int32_t *place);

/* The same, without a limit or an anchor, for the rows on the paths to some rows; negative ones are passed over. `place` has to
 * be zeros, and other rows may get a place as well. */
int number_path_places(const place_nodes *nodes, const uint8_t *kinds, int32_t tags, const int32_t *rows, int32_t count, int32_t *place);

#endif
