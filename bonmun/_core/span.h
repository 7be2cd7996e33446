/* Spans of characters, and the store that owns what the source does not spell out.
 *
 * Everything that the reader hands on (text, attribute values) is a span: a byte range of the source where the source
 * spells it as it is, else a byte range of the spill, which grows behind the source. Offsets at or beyond the source's
 * length lie in the spill, so that source + spill, put one after the other, is the one buffer that all spans index. */
#ifndef BONMUN_SPAN_H
#define BONMUN_SPAN_H

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
} store;

void store_init(store *s, const uint8_t *source, int32_t length);
void store_free(store *s);

/* Append bytes to the spill; -1 when memory or offsets run out. The first byte's offset is length + spilled before. */
int store_put(store *s, const uint8_t *bytes, int32_t count);

/* Reserve that many bytes at the end of the spill, unset; -1 as above. */
int store_reserve(store *s, int32_t count);

/* Make room for that many bytes, without taking it; -1 as above. */
int store_grow(store *s, int32_t count);

static inline int store_ensure(store *s, int32_t count) {
    return count <= s->room - s->spilled ? 0 : store_grow(s, count);
}

static inline const uint8_t *store_at(const store *s, int32_t offset) {
    /* An empty span may stand at the very end, where there is no spill yet. */
    return offset < s->length || s->spill == NULL ? s->source + offset : s->spill + (offset - s->length);
}

#endif
