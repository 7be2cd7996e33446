/* Names as small numbers: tag names and attribute names, each in a table of its own.
 *
 * A table may start with names that have fixed numbers (the tags of bonmun/model/tags.py); others get the next number
 * when first seen, so the same page gives the same numbers every time. The hash is keyed by addresses and the clock: it
 * decides only where a number lies in the table, and nobody can write a page whose names all fall together. */
#ifndef BONMUN_NAMES_H
#define BONMUN_NAMES_H

#include "span.h"

/* A name of at most SHORT_NAME bytes is compared as one word: its bytes, the first one lowest, zeros above. */
enum { SHORT_NAME = 7 };

typedef struct {
    uint64_t digest; /* the word of a short name; else a hash, in which the highest bit is set */
    int32_t number;  /* -1: a free slot */
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

int32_t names_add_word(names *n, uint64_t word, int32_t length);

/* The same for a short name without NUL, given as its word, lower-cased. */
static inline int32_t names_intern_word(names *n, uint64_t word, int32_t length) {
    const name_slot *slot = &n->table[names_slot(n, word)];
    if (slot->digest == word && slot->number >= 0) {
        return slot->number;
    }
    return names_add_word(n, word, length);
}

#endif
