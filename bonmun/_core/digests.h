/* Interns 64-bit digests: equal digests get the same number, counted from 0. */
#ifndef BONMUN_DIGESTS_H
#define BONMUN_DIGESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "word64.h"

typedef struct {
    int32_t *slots;  /* open addressing: a number, negative if free; and a spare slot, which is only written */
    uint64_t *known; /* by number: the digest */
    uint32_t mask;
    int shift;    /* 64 - bits of the mask */
    uint64_t key; /* random multiplier of the slot hash, so that no page can force collisions */
    int32_t count;
} digests;

int digests_init(digests *d, int32_t expected); /* with room for those; -1: no memory */
void digests_free(digests *d);

/* Make room for some more digests; -1: no memory. */
int digests_grow(digests *d, int32_t more);

static inline int digests_reserve(digests *d, int32_t more) {
    return ((uint32_t)d->count + (uint32_t)more) * 2 > d->mask ? digests_grow(d, more) : 0;
}

/* The number of a digest; a new one gets the next number. There is room for it. Whether a digest is new is hard to predict: no
 * branch depends on it. For one that is known, the spare slot is written: a store into its own would hold up later loads. */
static inline int32_t digests_place(digests *d, uint64_t digest) {
    uint32_t at = (uint32_t)(digest * d->key >> d->shift);
    int32_t next = d->count, number, is_free;
    d->known[next] = digest;
    for (;; at = (at + 1) & d->mask) {
        int32_t taken = d->slots[at];
        is_free = -(taken < 0); /* all bits */
        number = (taken & ~is_free) | (next & is_free);
        if (d->known[number] == digest) break;
    }
    d->slots[(at & (uint32_t)is_free) | ((d->mask + 1) & ~(uint32_t)is_free)] = number;
    d->count = next - is_free;
    return number;
}

/* The same, with room made for it. -1: no memory. */
static inline int32_t digests_number(digests *d, uint64_t digest) {
    return digests_reserve(d, 1) ? -1 : digests_place(d, digest);
}

/* The digest of a sequence of two. */
static inline uint64_t digest_pair(uint64_t first, uint64_t second) {
    uint64_t mixed = ((first << 27 | first >> 37) ^ second) * UINT64_C(0x9E3779B97F4A7C15);
    return mixed ^ mixed >> 32;
}

/* Where the digest of bytes starts: a length must not look like the bytes of another. */
static inline uint64_t digest_length(int32_t length) { return ((uint64_t)length + 1) * UINT64_C(0xD6E8FEB86659FD93); }

/* Add two words to a digest: both halves of a 128-bit product, of which every bit depends on all three. */
static inline uint64_t digest_words(uint64_t digest, uint64_t first, uint64_t second) {
#if defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 product = (unsigned __int128)(first ^ UINT64_C(0x9E3779B97F4A7C15)) * (second ^ digest);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    return digest_pair(digest_pair(digest, first), second);
#endif
}

static inline uint64_t digest_load(const uint8_t *at, bool lower) {
    uint64_t word = word_load(at);
    return lower ? word_lower(word) : word;
}

/* The digest of bytes, with A-Z in lower case if wanted; not 0 for the empty string. `readable`: how many bytes can be read from
 * the first on, at least `length`. The last words overlap those before: there is no rest of any length to branch on. */
static inline uint64_t digest_bytes(const uint8_t *bytes, int32_t length, int32_t readable, bool lower) {
    uint64_t digest = digest_length(length), word = 0;
    if (length > 2 * WORD) {
        const uint8_t *last = bytes + length - 2 * WORD;
        for (; bytes < last; bytes += 2 * WORD)
            digest = digest_words(digest, digest_load(bytes, lower), digest_load(bytes + WORD, lower));
        return digest_words(digest, digest_load(last, lower), digest_load(last + WORD, lower));
    }
    if (length >= WORD) return digest_words(digest, digest_load(bytes, lower), digest_load(bytes + length - WORD, lower));
    if (readable >= WORD) word = word_load(bytes) & ((UINT64_C(1) << 8 * length) - 1);
    else if (length) word = word_load_padded(bytes, length, 0);
    return digest_words(digest, lower ? word_lower(word) : word, 0);
}

#endif
