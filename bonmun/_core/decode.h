/* Decoding of runs of the source: character references, line ends, NULs.
 *
 * Most runs need no decoding, and that must be cheap to know. So the tokenizer caches the offsets of the next &, CR and NUL
 * of the whole source: a run that ends before them is used as it is, without reading its bytes. Each offset is searched
 * again only when the reader has passed it; therefore runs must be decoded in the order of the source. */
#ifndef BONMUN_DECODE_H
#define BONMUN_DECODE_H

#include <string.h>

#include "simd.h"
#include "tokenizer.h"

enum { REPLACE_NUL = 1, REFERENCES = 2, IN_ATTRIBUTE = 4 };

/* The offset of the first such byte from `from` on; the source's length if there is none. */
static inline int32_t find_byte(const store *s, char byte, int32_t from) {
    const uint8_t *found = memchr(s->source + from, byte, (size_t)(s->length - from));
    return found != NULL ? (int32_t)(found - s->source) : s->length;
}

enum { NEARBY = 2 * SIMD_WIDTH };

/* As find_byte, for a byte that is probably near: references cluster, and most texts and values are short. */
static inline int32_t find_near(const store *s, char byte, int32_t from) {
    if (s->length - from < NEARBY) {
        return find_byte(s, byte, from);
    }
    const uint8_t *at = s->source + from;
    uint32_t bits = simd_mask(simd_equal(simd_load(at), (uint8_t)byte)) |
                    simd_mask(simd_equal(simd_load(at + SIMD_WIDTH), (uint8_t)byte)) << SIMD_WIDTH;
    return bits != 0 ? from + lowest_bit(bits) : find_byte(s, byte, from + NEARBY);
}

void find_upcoming(tokenizer *t, int32_t from);

/* Whether the run has no &, CR or NUL. */
static inline bool is_plain(tokenizer *t, int32_t start, int32_t stop) {
    if (t->next_special < start) {
        find_upcoming(t, start);
    }
    return t->next_special >= stop;
}

bool has_nul(tokenizer *t, int32_t start, int32_t stop);
span decode_special(tokenizer *t, int32_t start, int32_t stop, unsigned how);

/* The decoded run: itself if it is plain, else a span of the spill. Sets t->failed if memory runs out. */
static inline span decode(tokenizer *t, int32_t start, int32_t stop, unsigned how) {
    return is_plain(t, start, stop) ? (span){start, stop} : decode_special(t, start, stop, how);
}

#endif
