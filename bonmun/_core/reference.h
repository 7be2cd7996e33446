/* Character references: `&NAME;`, `&#DECIMAL;` and `&#xHEX;`. */
#ifndef BONMUN_REFERENCE_H
#define BONMUN_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint8_t bytes[8]; /* UTF-8 of at most two characters */
    int32_t count;
    int32_t stop;     /* offset behind the replaced bytes */
} replacement;

/* Cache of the last reference. Pages repeat few, above all `&quot;` and `&amp;` in attributes. */
typedef struct {
    uint64_t word, mask; /* eight bytes of the source, and a mask of those that belong to the reference */
    int32_t length;      /* in bytes; 0: the cache is empty */
    replacement meaning;
} known_reference;

/* Decode the reference at the ampersand source[at]; false: it starts none. */
bool reference_read(const uint8_t *source, int32_t at, int32_t stop, bool in_attribute, replacement *out);

#endif
