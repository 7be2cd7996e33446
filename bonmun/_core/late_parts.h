/* Parts of a streamed page that were sent late, and their places; bonmun/read/streamed.py is the Python twin. */
#ifndef BONMUN_LATE_PARTS_H
#define BONMUN_LATE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "span.h"

typedef struct {
    span whole, inner, number; /* the element, the markup inside, its number */
} late_part;

typedef struct {
    span whole, number;
} late_place;

typedef struct {
    late_part *parts, *open; /* closed parts in the order of their ends; open elements, those that are no part without number */
    late_place *places;
    int32_t part_count, part_room, open_count, open_room, place_count, place_room;
} late_parts;

bool late_parts_find(const uint8_t *source, int32_t length, late_parts *found); /* false: no memory; late_parts_free either way */
void late_parts_free(late_parts *found);

#endif
