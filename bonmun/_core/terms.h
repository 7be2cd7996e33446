/* Words as small numbers: terms of a text, words of an element's names; bonmun/features/hashing.py is the twin. */
#ifndef BONMUN_TERMS_H
#define BONMUN_TERMS_H

#include <stdbool.h>
#include <stdint.h>

enum { TERM_BUCKETS = 1 << 15, MOST_TERMS = 24 };

/* FNV-1a in 32 bits: what the learned weights are found by. */
#define HASH_START UINT32_C(0x811C9DC5)

static inline uint32_t hash_byte(uint32_t hash, uint8_t byte) { return (hash ^ byte) * UINT32_C(0x01000193); }

/* A text or name that is read word by word, and the last word read. */
typedef struct {
    const uint8_t *text;
    int32_t length, at;
    uint64_t digest; /* stands for the word itself */
    uint32_t hash;
    uint32_t pair; /* of the word before, a space and the word */
} word_reader;

bool next_term(word_reader *r);
bool next_name_word(word_reader *r); /* sets the hash alone */

#endif
