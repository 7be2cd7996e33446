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
        /* An index before the group wraps around, and is too high then. */
        size_t index = (size_t)entity_slots[slot] - 1 - group->first;
        if (index < group->count && memcmp(name, group->names + index * width, width) == 0) {
            return &entity_values[group->first + index];
        }
    }
    return NULL;
}

/* A name has letters and digits only. So the longest match is either the whole run of them with a semicolon behind it, or
 * the longest prefix of the run that is valid without one. */
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
