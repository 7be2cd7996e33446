/* Words as small numbers: terms of a text, words of an element's names; bonmun/features/hashing.py is the twin. */
#ifndef BONMUN_TERMS_H
#define BONMUN_TERMS_H

#include <stdbool.h>
#include <stdint.h>

enum { TERM_BUCKETS = 1 << 15, MOST_TERMS = 24 };

/* FNV-1a in 32 bits: what the learned weights are found by. */
#define HASH_START UINT32_C(0x811C9DC5)

static inline uint32_t hash_byte(uint32_t hash, uint8_t byte) { return (hash ^ byte) * UINT32_C(0x01000193); }

/* A text or name that is read word by word, and where its last word stands. */
typedef struct {
    const uint8_t *text;
    int32_t length, start, stop;
    bool number; /* the word is one; all of them are one term */
} word_reader;

bool next_term(word_reader *r);
uint64_t term_digest(const word_reader *r);
uint32_t term_hash(const word_reader *r, uint32_t before); /* `before`: the hash of what comes before the term */

bool next_name_word(word_reader *r);
uint32_t name_hash(const word_reader *r);

#endif
