/* The visible length of a text. */
#ifndef BONMUN_CHARS_H
#define BONMUN_CHARS_H

#include <stdint.h>

/* Characters after collapsing white space: one space between words. `readable` bytes, at least `length`, may be read. */
int32_t count_chars(const uint8_t *bytes, int32_t length, int32_t readable);

#endif
