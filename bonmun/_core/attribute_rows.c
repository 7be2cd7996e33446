#include "attribute_rows.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_WINDOW = 4 };

static inline uint8_t lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte | 32 : byte; }

bool attribute_words_fit(const uint8_t *words, size_t length) {
    if (!length || words[length - 1]) return false;
    int count = 0;
    for (size_t at = 0; at < length; at++) {
        if ((!words[at] && (!at || !words[at - 1])) || lower(words[at]) != words[at]) return false;
        count += !words[at];
    }
    return count <= ATTRIBUTE_WORDS;
}

static void note(uint32_t by_byte[256], uint8_t byte, uint32_t bit) {
    by_byte[byte] |= bit;
    if (byte >= 'a' && byte <= 'z') by_byte[byte - 32] |= bit;
}

/* Bytes that differ in case only are the same pair; so are some others, which only makes a shift shorter. */
static inline uint32_t pair_of(uint8_t first, uint8_t second) { return (first & 31u) << 5 | (second & 31u); }

/* The shift table of the algorithm by Wu and Manber. */
static void list_shifts(const uint8_t *words, size_t length, attribute_words *list) {
    list->window = 255;
    for (const uint8_t *word = words; word < words + length; word += strlen((const char *)word) + 1) {
        int32_t size = (int32_t)strlen((const char *)word);
        if (size < list->window) list->window = size;
    }
    if (list->window < LEAST_WINDOW) return;
    memset(list->shift, list->window - 1, WORD_PAIRS);
    for (const uint8_t *word = words; word < words + length; word += strlen((const char *)word) + 1) {
        for (int32_t at = 0; at + 2 <= list->window; at++) {
            uint8_t *shift = &list->shift[pair_of(word[at], word[at + 1])], left = (uint8_t)(list->window - 2 - at);
            if (left < *shift) *shift = left;
        }
    }
}

static int start_of(const uint8_t *words, size_t length) {
    for (const uint8_t *word = words; word < words + length; word += strlen((const char *)word) + 1)
        if (*word != *words || (*word >= 'a' && *word <= 'z')) return -1;
    return *words;
}

static void list_words(const uint8_t *words, size_t length, attribute_words *list) {
    memset(list, 0, sizeof *list);
    uint32_t bit = 1;
    for (const uint8_t *word = words; word < words + length; word += strlen((const char *)word) + 1, bit <<= 1) {
        list->word[__builtin_ctz(bit)] = word;
        note(list->first, word[0], bit);
        if (word[1]) note(list->second, word[1], bit);
        else
            for (int byte = 0; byte < 256; byte++) list->second[byte] |= bit;
    }
}

void attribute_words_list(const uint8_t *words, size_t length, attribute_words *list) {
    list_words(words, length, list);
    list_shifts(words, length, list);
    list->start = start_of(words, length);
}

static bool one_starts(const attribute_words *list, uint32_t candidates, const uint8_t *text, const uint8_t *stop) {
    for (; candidates; candidates &= candidates - 1) {
        const uint8_t *word = list->word[__builtin_ctz(candidates)];
        size_t at = 0;
        while (word[at] && text + at < stop && lower(text[at]) == word[at]) at++;
        if (!word[at]) return true;
    }
    return false;
}

static bool contains_long_one(const attribute_words *list, const uint8_t *text, int32_t length) {
    const uint8_t *stop = text + length;
    for (int32_t end = list->window - 1; end < length;) {
        uint8_t shift = list->shift[pair_of(text[end - 1], text[end])];
        if (shift) {
            end += shift;
            continue;
        }
        const uint8_t *start = text + end - list->window + 1;
        uint32_t candidates = list->first[start[0]] & list->second[start[1]];
        if (candidates && one_starts(list, candidates, start, stop)) return true;
        end++;
    }
    return false;
}

static bool contains_after_start(const attribute_words *list, const uint8_t *text, const uint8_t *stop) {
    while (text < stop && (text = memchr(text, list->start, (size_t)(stop - text)))) {
        if (one_starts(list, list->first[*text], text, stop)) return true;
        text++;
    }
    return false;
}

bool attribute_words_in(const attribute_words *list, const uint8_t *text, int32_t length) {
    if (list->start >= 0) return contains_after_start(list, text, text + length);
    if (list->window >= LEAST_WINDOW) return contains_long_one(list, text, length);
    for (const uint8_t *stop = text + length; text < stop; text++) {
        uint32_t candidates = list->first[*text];
        if (text + 1 < stop) candidates &= list->second[text[1]];
        if (candidates && one_starts(list, candidates, text, stop)) return true;
    }
    return false;
}

int32_t *attribute_rows(const node_view *nodes, int32_t first, int32_t stop, int32_t name, const uint8_t *words,
                        size_t length, int32_t *count) {
    int32_t *rows = NULL, room = 0, row = first, attributes = nodes->attr_first[stop];
    attribute_words list;
    attribute_words_list(words, length, &list);
    *count = 0;
    for (int32_t at = nodes->attr_first[first]; at < attributes; at++) {
        if (nodes->attr_name[at] != name) continue;
        int32_t size = nodes->attr_stop[at] - nodes->attr_start[at];
        if (!attribute_words_in(&list, bytes_at(nodes, nodes->attr_start[at]), size)) continue;
        while (nodes->attr_first[row + 1] <= at) row++;
        if (*count == room) {
            room = room ? 2 * room : 16;
            int32_t *grown = realloc(rows, (size_t)room * sizeof *rows);
            if (!grown) {
                free(rows);
                *count = -1;
                return NULL;
            }
            rows = grown;
        }
        rows[(*count)++] = row;
    }
    return rows;
}
