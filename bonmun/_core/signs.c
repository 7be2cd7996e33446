#include "signs.h"

#include <string.h>

#include "bytes.h"
#include "word64.h"

static void note(uint64_t by_byte[256], uint8_t byte, uint64_t bit) {
    by_byte[byte] |= bit;
    if (byte >= 'a' && byte <= 'z') by_byte[byte - 32] |= bit;
}

bool signs_list(const uint8_t *words, size_t length, sign_list *list) {
    memset(list, 0, sizeof *list);
    int count = 0;
    if (length && words[length - 1]) return false;
    for (const uint8_t *word = words, *stop = words + length; word < stop; word += strlen((const char *)word) + 1, count++) {
        if (count == MOST_SIGNS || !*word) return false;
        uint64_t bit = UINT64_C(1) << count;
        list->word[count] = word;
        note(list->first, word[0], bit);
        if (word[1]) note(list->second, word[1], bit);
        else
            for (int byte = 0; byte < 256; byte++) list->second[byte] |= bit;
    }
    return true;
}

static bool starts_with(const uint8_t *text, const uint8_t *stop, const uint8_t *word) {
    while (*word && text < stop && byte_lower(*text) == *word) word++, text++;
    return !*word;
}

bool signs_in(const sign_list *list, const uint8_t *text, int32_t length) {
    for (const uint8_t *stop = text + length; text < stop; text++) {
        uint64_t candidates = list->first[*text];
        if (candidates && text + 1 < stop) candidates &= list->second[text[1]];
        for (; candidates; candidates &= candidates - 1)
            if (starts_with(text, stop, list->word[lowest_bit(candidates)])) return true;
    }
    return false;
}
