/* White space in UTF-8, as defined by Python's str.split. */
#ifndef BONMUN_WHITESPACE_H
#define BONMUN_WHITESPACE_H

#include <stddef.h>
#include <stdint.h>

/* The length in bytes of the white space character that starts here; 0: none. `left` is at least 1. */
static inline int32_t space_length(const uint8_t *bytes, int32_t left) {
    uint8_t first = bytes[0];
    if (first < 0x80) return first == ' ' || (first >= 9 && first <= 13) || (first >= 28 && first <= 31);
    if (first == 0xC2) return left > 1 && (bytes[1] == 0x85 || bytes[1] == 0xA0) ? 2 : 0;
    if (left < 3) return 0;
    uint8_t second = bytes[1], third = bytes[2];
    if (first == 0xE2 && second == 0x80)
        return (third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF ? 3 : 0;
    if (first == 0xE2 && second == 0x81) return third == 0x9F ? 3 : 0;
    if (first == 0xE3 && second == 0x80) return third == 0x80 ? 3 : 0;
    return first == 0xE1 && second == 0x9A && third == 0x80 ? 3 : 0;
}

/* The length in bytes of the white space character that ends here; 0: none. */
static inline int32_t space_length_before(const uint8_t *bytes, int32_t length) {
    for (int32_t back = 1; back <= 3 && back <= length; back++)
        if (space_length(bytes + length - back, back) == back) return back;
    return 0;
}

/* The start of the next word from `*at` on, NULL: there is none; `*at` is behind it then. */
static inline const uint8_t *word_from(const uint8_t *text, int32_t length, int32_t *at) {
    int32_t space;
    while (*at < length && (space = space_length(text + *at, length - *at))) *at += space;
    if (*at == length) return NULL;
    const uint8_t *start = text + *at;
    while (*at < length && ((text[*at] > ' ' && text[*at] < 0x80) || !space_length(text + *at, length - *at))) ++*at;
    return start;
}

#endif
