/* Terms of a text and words of an element's names, as hashes; bonmun/features/hashing.py is the twin. */
#ifndef BONMUN_TERMS_H
#define BONMUN_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "constants_table.h"
#include "digests.h"

/* 32-bit FNV-1a: the hash of the buckets of the learned weights. */
static inline uint32_t hash_byte(uint32_t hash, uint8_t byte) { return (hash ^ byte) * HASH_PRIME; }

/* Reads a text or name word by word; the last word is text[start … stop]. */
typedef struct {
    const uint8_t *text;
    int32_t length, start, stop;
    int32_t run; /* the end of the letters and digits of a name that the last word is one of */
    bool number; /* the word is a number; all numbers are the same term */
} word_reader;

bool next_term(word_reader *r);

static inline uint64_t term_digest(const word_reader *r) {
    return r->number ? 0 : digest_bytes(r->text + r->start, r->stop - r->start, true);
}

/* The hash of a term; `pair`, the hash of the bytes before the term, becomes that with the term. */
uint32_t term_hash(const word_reader *r, uint32_t *pair);

bool next_name_word(word_reader *r);
uint32_t name_hash(const word_reader *r);

#endif
