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

/* The reference that starts with the ampersand at source[at]; false: it is just an ampersand. */
bool reference_read(const uint8_t *source, int32_t at, int32_t stop, bool in_attribute, replacement *out);

#endif
