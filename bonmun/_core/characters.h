/* Character statistics of a text, in all scripts; bonmun/features/text_statistics.py is the twin and defines the counts. */
#ifndef BONMUN_CHARACTERS_H
#define BONMUN_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int32_t size, words, sentences, commas, colons, digits, currencies, quotes, brackets, years, dates;
    int32_t upper, letters, capitalised;
    bool ends_sentence;
} text_counts;

text_counts count_characters(const uint8_t *text, int32_t length);

/* Decode the character at an offset of valid UTF-8 and advance; on invalid UTF-8 no byte beyond the end is read. */
static inline uint32_t character_at(const uint8_t *text, int32_t length, int32_t *at) {
    uint32_t first = text[(*at)++];
    if (first < 0xC0) return first;
    int32_t more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    uint32_t character = first & (0x3Fu >> more);
    for (; more && *at < length; more--) character = character << 6 | (text[(*at)++] & 0x3F);
    return character;
}

#endif
