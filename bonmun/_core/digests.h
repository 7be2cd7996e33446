/* Interns 64-bit digests: equal digests get the same number, counted from 0. */
#ifndef BONMUN_DIGESTS_H
#define BONMUN_DIGESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "word64.h"

typedef struct {
    uint64_t digest;
    int32_t number; /* negative: a free slot */
} digest_slot;

typedef struct {
    digest_slot *slots;
    uint32_t mask;
    int shift;    /* 64 - bits of the mask */
    uint64_t key; /* random multiplier of the slot hash, so that no page can force collisions */
    int32_t count;
} digests;

int digests_init(digests *d, int32_t expected); /* -1: no memory */
void digests_free(digests *d);

/* The number of a digest; a new one gets the next number. -1: no memory. */
int32_t digests_number(digests *d, uint64_t digest);

/* The digest of a sequence of two. */
static inline uint64_t digest_pair(uint64_t first, uint64_t second) {
    uint64_t mixed = ((first << 27 | first >> 37) ^ second) * UINT64_C(0x9E3779B97F4A7C15);
    return mixed ^ mixed >> 32;
}

/* The digest of bytes, with A-Z in lower case if wanted; not 0 for the empty string. */
static inline uint64_t digest_bytes(const uint8_t *bytes, int32_t length, bool lower) {
    uint64_t digest = (uint64_t)length + 1;
    for (; length > 0; bytes += WORD, length -= WORD) {
        uint64_t word = length >= WORD ? word_load(bytes) : word_load_padded(bytes, length, 0);
        digest = digest_pair(digest, lower ? word_lower(word) : word);
    }
    return digest;
}

#endif
