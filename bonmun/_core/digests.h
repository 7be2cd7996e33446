/* Things as small numbers, by a digest of 64 bits that stands for them: equal digests, equal numbers. */
#ifndef BONMUN_DIGESTS_H
#define BONMUN_DIGESTS_H

#include <stdint.h>

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

/* FNV-1a. */
#define DIGEST_START UINT64_C(0xCBF29CE484222325)

static inline uint64_t digest_byte(uint64_t digest, uint8_t byte) { return (digest ^ byte) * UINT64_C(0x100000001B3); }

/* The digest of two things in this order. */
static inline uint64_t digest_pair(uint64_t first, uint64_t second) {
    uint64_t mixed = (first ^ UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = ((mixed ^ mixed >> 31) + second) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 29;
}

#endif
