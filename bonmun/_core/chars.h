/* How many characters of a text a reader sees. */
#ifndef BONMUN_CHARS_H
#define BONMUN_CHARS_H

#include <stdint.h>

/* Characters after collapsing white space: those that are none, and a space between words. So many bytes can be
 * read, `length` of them or more. */
int32_t count_chars(const uint8_t *bytes, int32_t length, int32_t readable);

#endif
