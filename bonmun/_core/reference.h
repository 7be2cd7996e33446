/* Character references: `&NAME;`, `&#DECIMAL;` and `&#xHEX;`. */
#ifndef BONMUN_REFERENCE_H
#define BONMUN_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint8_t bytes[8]; /* UTF-8 of at most two characters */
    int32_t count;
    int32_t stop;     /* the first byte behind what is replaced */
} replacement;

/* A reference read before. Pages use few, again and again: above all `&quot;` and `&amp;` in attributes. */
typedef struct {
    uint64_t word, mask; /* its bytes in the source, and which of the eight they are */
    int32_t length;      /* of these bytes; 0: none was read yet */
    replacement meaning;
} known_reference;

/* The reference that starts with the ampersand at source[at]; false: it is just an ampersand. */
bool reference_read(const uint8_t *source, int32_t at, int32_t stop, bool in_attribute, replacement *out);

#endif
