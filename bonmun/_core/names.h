/* Interned names: tag names and attribute names as numbers, each in a table of its own.
 *
 * A table may start with names that have fixed numbers (the tags of bonmun/model/tags.py); others get the next number
 * when first seen, so the numbers depend on the page alone. The hash is keyed by addresses and the clock, so that no page
 * can force collisions; it only decides the slot of a name. A table made once is copied for every page. */
#ifndef BONMUN_NAMES_H
#define BONMUN_NAMES_H

#include <stdbool.h>

#include "compiler.h"
#include "span.h"
#include "word64.h"

enum { SHORT_NAME = 7, FAST_NAME = 16 };

typedef struct {
    uint64_t digest; /* names_short_digest or names_long_digest; 0: a free slot */
    int32_t number;
} name_slot;

typedef struct {
    uint8_t *bytes;   /* all names joined, lower-case UTF-8 */
    int32_t used, room;
    int32_t *starts;  /* name i is bytes[starts[i]] … bytes[starts[i + 1]] */
    int32_t count, slots;
    name_slot *table; /* open addressing */
    int32_t mask;
    int32_t shift;    /* 64 - bits of the mask */
    uint64_t key;     /* multiplier of the hash; odd */
} names;

int names_init(names *n, const char *const *fixed, int32_t count); /* -1: no memory */
int names_copy(names *n, const names *original);                   /* with its key; -1: no memory */
void names_free(names *n);

/* The number of a name with ASCII letters in lower case and NUL replaced by U+FFFD; -1: no memory. */
int32_t names_intern(names *n, const uint8_t *name, int32_t length);

/* The digest of a name in lower case, which all copies of a table share; and its number, -1: the table does not have it. */
uint64_t names_digest(const names *n, const char *name);
int32_t names_number(const names *n, const char *name, uint64_t digest);

/* Multiply-shift with an odd key that the page's author cannot know: a universal hash. */
static inline int32_t names_slot(const names *n, uint64_t digest) {
    return (int32_t)(digest * n->key >> n->shift);
}

/* The digest of a name of at most SHORT_NAME bytes identifies it: its bytes on top, its length in the lowest byte. `word`: any
 * eight bytes that start with the name. */
static inline uint64_t names_short_digest(uint64_t word, int32_t length) {
    return word << (64 - 8 * length) | (uint64_t)length;
}

/* The digest of a longer name hashes its pieces of eight bytes in lower case; the last piece, the last eight bytes, may overlap
 * the one before. */
static inline uint64_t names_mix(const names *n, uint64_t hash, uint64_t piece) {
    hash = (hash ^ piece) * n->key;
    return hash ^ hash >> 32;
}

static inline uint64_t names_long_digest(uint64_t hash) {
    return hash | 0xFF;
}

/* Fast lookup of a name of at most FAST_NAME bytes, spelled in lower case; -1: use names_intern. FAST_NAME bytes must be
 * readable. */
static ALWAYS_INLINE int32_t names_find(const names *n, const uint8_t *name, int32_t length) {
    uint64_t first = word_load(name);
    if (length <= SHORT_NAME) {
        uint64_t digest = names_short_digest(first, length);
        const name_slot *slot = &n->table[names_slot(n, digest)];
        while (slot->digest != digest) {
            if (slot->digest == 0) {
                return -1;
            }
            slot = slot == n->table + n->mask ? n->table : slot + 1;
        }
        return slot->number;
    }
    uint64_t last = word_load(name + length - WORD);
    uint64_t digest = names_long_digest(names_mix(n, names_mix(n, (uint64_t)length, first), last));
    const name_slot *slot = &n->table[names_slot(n, digest)];
    if (slot->digest != digest) {
        return -1;
    }
    int32_t start = n->starts[slot->number], stop = n->starts[slot->number + 1];
    const uint8_t *known = n->bytes + start;
    bool same = stop - start == length && word_load(known) == first && word_load(known + length - WORD) == last;
    return same ? slot->number : -1;
}

#endif
