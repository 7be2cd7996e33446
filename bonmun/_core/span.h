/* Spans of text, and the store that owns decoded text.
 *
 * Text and attribute values are spans: byte ranges of the source if they need no decoding, else of the spill. Offsets from the
 * source's length on are in the spill, as if it were appended to the source. */
#ifndef BONMUN_SPAN_H
#define BONMUN_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t start;
    int32_t stop;
} span;

typedef struct {
    const uint8_t *source; /* UTF-8 */
    int32_t length;
    uint8_t *spill;
    int32_t spilled;
    int32_t room;
    bool is_valid, without_return; /* of the source: known to have no character that XML forbids, and no CR */
    bool refers_to_forbidden;      /* some reference that was decoded means a character that XML forbids */
} store;

void store_init(store *s, const uint8_t *source, int32_t length);
void store_free(store *s);

/* Append bytes to the spill, at offset length + spilled; -1: memory or offsets ran out. */
int store_put(store *s, const uint8_t *bytes, int32_t count);

/* Append uninitialised bytes to the spill; -1 as above. */
int store_reserve(store *s, int32_t count);

/* Make room for more bytes without appending; -1 as above. */
int store_grow(store *s, int32_t count);

static inline int store_ensure(store *s, int32_t count) {
    return count <= s->room - s->spilled ? 0 : store_grow(s, count);
}

static inline const uint8_t *store_at(const store *s, int32_t offset) {
    /* An empty span may be at the end of the source while there is no spill. */
    return offset < s->length || s->spill == NULL ? s->source + offset : s->spill + (offset - s->length);
}

#endif
