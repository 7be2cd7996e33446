/* Names as small numbers: tag names and attribute names, each in a table of its own.
 *
 * A table may start with names that have fixed numbers (the tags of bonmun/model/tags.py); others get the next number
 * when first seen, so the same page gives the same numbers every time. The hash is keyed by addresses and the clock: it
 * decides only where a number lies in the table, and nobody can write a page whose names all fall together. */
#ifndef BONMUN_NAMES_H
#define BONMUN_NAMES_H

#include "span.h"

enum { SHORT_NAME = 7 };

typedef struct {
    uint64_t digest; /* names_short_digest, or a hash of a longer name with the highest bit set; 0: a free slot */
    int32_t number;
} name_slot;

typedef struct {
    uint8_t *bytes;   /* all names, one after the other, lower-cased UTF-8 */
    int32_t used, room;
    int32_t *starts;  /* starts[i] … starts[i + 1] is name i */
    int32_t count, slots;
    name_slot *table; /* open addressing */
    int32_t mask;
    int32_t shift;    /* leaves as many high bits as the mask has */
    uint64_t key;     /* of the hash; odd */
} names;

int names_init(names *n, const char *const *fixed, int32_t count); /* -1: no memory */
void names_free(names *n);

/* The number of a name as the tokenizer reads it: ASCII letters lower-cased, NUL replaced by U+FFFD; -1: no memory. */
int32_t names_intern(names *n, const uint8_t *name, int32_t length);

/* Multiplying by an odd number that the page's author cannot know and taking the high bits is a universal hash. */
static inline int32_t names_slot(const names *n, uint64_t digest) {
    return (int32_t)(digest * n->key >> n->shift);
}

/* A name of at most SHORT_NAME bytes is compared as one word: its bytes, the first one lowest, and on top one more than
 * its length. A word of any eight bytes that start with the name will do. */
static inline uint64_t names_short_digest(uint64_t word, int32_t length) {
    return (word & ((UINT64_C(1) << 8 * length) - 1)) | (uint64_t)(length + 1) << 56;
}

/* The number of a short name that is in the table already; -1: it may be, but needs names_intern. */
static inline int32_t names_find_short(const names *n, uint64_t digest) {
    const name_slot *slot = &n->table[names_slot(n, digest)];
    return slot->digest == digest ? slot->number : -1;
}

#endif
