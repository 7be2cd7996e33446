#include "span.h"

#include <stdlib.h>
#include <string.h>

/* Room for decoded text at first, in part of the source; untouched room costs nothing. */
enum { FIRST_SPILL = 4096, SPILL_PART = 4 };

void store_init(store *s, const uint8_t *source, int32_t length) {
    /* An empty source may be NULL; memchr and the like need an address. */
    *s = (store){.source = source != NULL ? source : (const uint8_t *)"", .length = length};
}

void store_free(store *s) {
    free(s->spill);
    s->spill = NULL;
    s->spilled = s->room = 0;
}

int store_grow(store *s, int32_t count) {
    int32_t most = INT32_MAX - s->length;
    if (count > most - s->spilled) {
        return -1;
    }
    int32_t room = s->room > most / 2 ? most : s->room * 2;
    int32_t first = FIRST_SPILL + s->length / SPILL_PART;
    if (room < first) {
        room = most < first ? most : first;
    }
    if (room < s->spilled + count) {
        room = s->spilled + count;
    }
    uint8_t *spill = realloc(s->spill, (size_t)room);
    if (spill == NULL) {
        return -1;
    }
    s->spill = spill;
    s->room = room;
    return 0;
}

int store_reserve(store *s, int32_t count) {
    if (store_ensure(s, count) < 0) {
        return -1;
    }
    s->spilled += count;
    return 0;
}

int store_put(store *s, const uint8_t *bytes, int32_t count) {
    if (store_reserve(s, count) < 0) {
        return -1;
    }
    if (count > 0) {
        memcpy(s->spill + s->spilled - count, bytes, (size_t)count);
    }
    return 0;
}
