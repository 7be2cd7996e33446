/* Things as small numbers, by a digest of 64 bits that stands for them: equal digests, equal numbers. */
#ifndef BONMUN_DIGESTS_H
#define BONMUN_DIGESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "word64.h"

typedef struct {
    uint64_t digest;
    int32_t number; /* < 0: a free slot */
} digest_slot;

typedef struct {
    digest_slot *slots;
    uint32_t mask;
    int shift;    /* leaves as many high bits as the mask has */
    uint64_t key; /* decides only where a digest lies, so that no page can make them fall together */
    int32_t count;
} digests;

int digests_init(digests *d, int32_t expected); /* -1: no memory */
void digests_free(digests *d);

/* The number of a digest: the next one where it is new; -1: no memory. */
int32_t digests_number(digests *d, uint64_t digest);

/* The digest of something and what comes after it. */
static inline uint64_t digest_pair(uint64_t first, uint64_t second) {
    uint64_t mixed = ((first << 27 | first >> 37) ^ second) * UINT64_C(0x9E3779B97F4A7C15);
    return mixed ^ mixed >> 32;
}

/* Of some bytes, if wanted in lower case (A to Z); never 0 for none. */
static inline uint64_t digest_bytes(const uint8_t *bytes, int32_t length, bool lower) {
    uint64_t digest = (uint64_t)length + 1;
    for (; length > 0; bytes += WORD, length -= WORD) {
        uint64_t word = length >= WORD ? word_load(bytes) : word_load_padded(bytes, length, 0);
        digest = digest_pair(digest, lower ? word_lower(word) : word);
    }
    return digest;
}

#endif
