#include "digests.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Slots for `bits` bits, all free, and room for half as many digests. */
static int make_slots(digests *d, int bits) {
    size_t slots = (size_t)1 << bits;
    d->mask = (uint32_t)(slots - 1);
    d->shift = 64 - bits;
    d->slots = bits < 31 ? malloc((slots + 1) * sizeof *d->slots) : NULL;
    if (!d->slots) return -1;
    memset(d->slots, 0xFF, slots * sizeof *d->slots);
    return 0;
}

int digests_grow(digests *d, int32_t more) {
    int bits = 64 - d->shift;
    while (bits < 31 && (INT64_C(1) << bits) <= 2 * ((int64_t)d->count + more)) bits++;
    uint64_t *known = bits < 31 ? realloc(d->known, ((size_t)1 << bits) / 2 * sizeof *known) : NULL;
    if (!known) return -1;
    d->known = known;
    digests old = *d;
    if (make_slots(d, bits)) {
        *d = old;
        return -1;
    }
    free(old.slots);
    for (int32_t number = 0; number < d->count; number++) {
        uint32_t at = (uint32_t)(known[number] * d->key >> d->shift);
        while (d->slots[at] >= 0) at = (at + 1) & d->mask;
        d->slots[at] = number;
    }
    return 0;
}

/* The finaliser of splitmix64: every input bit affects every bit of the key. */
static uint64_t make_key(const void *address) {
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    uint64_t key = (uint64_t)(uintptr_t)address << 16 ^ (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec;
    key = (key ^ key >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    key = (key ^ key >> 27) * UINT64_C(0x94D049BB133111EB);
    return (key ^ key >> 31) | 1;
}

int digests_init(digests *d, int32_t expected) {
    int bits = 6;
    while (bits < 31 && INT64_C(1) << bits < INT64_C(2) * expected) bits++;
    d->count = 0;
    d->known = NULL;
    if (make_slots(d, bits)) return -1;
    d->known = malloc(((size_t)d->mask + 1) / 2 * sizeof *d->known);
    d->key = make_key(d->slots);
    if (d->known) return 0;
    digests_free(d);
    return -1;
}

void digests_free(digests *d) {
    free(d->slots);
    free(d->known);
    d->slots = NULL;
    d->known = NULL;
}
