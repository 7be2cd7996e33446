#include "entities.h"

#include <stdbool.h>
#include <string.h>

#include "bytes.h"
#include "entities_table.h"

static const entity *find(const uint8_t *name, int32_t length) {
    const entity_group *group = &entity_groups[length];
    size_t width = (size_t)length;
    uint32_t slot = 0;
    for (size_t i = 0; i < width; i++) {
        slot = slot * 33 + name[i];
    }
    for (slot %= ENTITY_SLOTS; entity_slots[slot] != 0; slot = (slot + 1) % ENTITY_SLOTS) {
        /* Wraps around, and so is too high, where the place is before the group. */
        size_t place = (size_t)entity_slots[slot] - 1 - group->first;
        if (place < group->count && memcmp(name, group->names + place * width, width) == 0) {
            return &entity_values[group->first + place];
        }
    }
    return NULL;
}

/* A name holds letters and digits only. So the longest match is either the whole run of them with the semicolon behind
 * it, or else the longest start of the run that counts without one. */
const entity *entities_match(const uint8_t *name, int32_t room, int32_t *length) {
    int32_t run = 0;
    while (run < room && run <= LONGEST_ENTITY && byte_is(name[run], LETTER | DIGIT)) {
        run++;
    }
    if (run < room && run <= LONGEST_ENTITY && name[run] == ';') {
        const entity *whole = find(name, run);
        if (whole != NULL) {
            *length = run + 1;
            return whole;
        }
    }
    for (int32_t start = run < LONGEST_BARE_ENTITY ? run : LONGEST_BARE_ENTITY; start >= SHORTEST_BARE_ENTITY; start--) {
        const entity *bare = find(name, start);
        if (bare != NULL && bare->bare) {
            *length = start;
            return bare;
        }
    }
    return NULL;
}
