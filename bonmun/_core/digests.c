#include "digests.h"

#include <stdlib.h>
#include <time.h>

static digest_slot *slot_of(const digests *d, uint64_t digest) {
    uint32_t at = (uint32_t)(digest * d->key >> d->shift);
    while (d->slots[at].number >= 0 && d->slots[at].digest != digest) at = (at + 1) & d->mask;
    return &d->slots[at];
}

static int make_slots(digests *d, int bits) {
    d->mask = (UINT32_C(1) << bits) - 1;
    d->shift = 64 - bits;
    d->slots = bits < 31 ? malloc(((size_t)d->mask + 1) * sizeof(digest_slot)) : NULL;
    if (!d->slots) return -1;
    for (uint32_t at = 0; at <= d->mask; at++) d->slots[at].number = -1;
    return 0;
}

static int grow(digests *d) {
    digests old = *d;
    if (make_slots(d, 64 - old.shift + 1)) {
        *d = old;
        return -1;
    }
    for (uint32_t at = 0; at <= old.mask; at++)
        if (old.slots[at].number >= 0) *slot_of(d, old.slots[at].digest) = old.slots[at];
    free(old.slots);
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
    while (bits < 30 && INT64_C(1) << bits < INT64_C(2) * expected) bits++;
    d->count = 0;
    if (make_slots(d, bits)) return -1;
    d->key = make_key(d->slots);
    return 0;
}

void digests_free(digests *d) { free(d->slots); }

int32_t digests_number(digests *d, uint64_t digest) {
    digest_slot *slot = slot_of(d, digest);
    if (slot->number >= 0) return slot->number;
    if ((uint32_t)d->count * 2 > d->mask) {
        if (grow(d)) return -1;
        slot = slot_of(d, digest);
    }
    *slot = (digest_slot){digest, d->count};
    return d->count++;
}
