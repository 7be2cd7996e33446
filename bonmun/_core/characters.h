/* Character statistics of a text, in all scripts, and where its terms are; bonmun/features/text_statistics.py and hashing.py are
 * the twins and define the counts and the terms. */
#ifndef BONMUN_CHARACTERS_H
#define BONMUN_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t size, words, sentences, commas, colons, digits, currencies, quotes, brackets, years, dates;
    int32_t upper, letters, capitalised;
    bool ends_sentence;
} text_counts;

/* What is known of the bytes of a text. Bits: 64 in each number, the first byte's lowest; one number more than the text fills, at most. */
typedef struct {
    uint64_t *letters;        /* of terms: A to Z, and the bytes of letters beyond ASCII */
    uint64_t *digits, *wide;  /* wide: beyond ASCII */
    uint64_t *starts, *stops; /* of the characters that are terms on their own; set if `alone` */
    bool alone;
    uint8_t *lower; /* the text with A to Z in lower case; LOWER_BEHIND bytes more can be read */
} text_bits;

enum { BITS_ARRAYS = 5, LOWER_BEHIND = 64 };

static inline int32_t bits_size(int32_t length) { return length / 64 + 2; }

/* How much room there is for a text in lower case, which is written 64 bytes at a time. */
static inline size_t lower_size(int32_t length) { return 64 * (size_t)bits_size(length) + LOWER_BEHIND; }

/* Count the characters of a text and set its bits. `readable`: how many bytes can be read from `text` on, at least `length`. */
void read_characters(const uint8_t *text, int32_t length, int32_t readable, text_bits *bits, text_counts *counts);

#endif
