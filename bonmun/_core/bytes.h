/* Character classes of bytes in markup. */
#ifndef BONMUN_BYTES_H
#define BONMUN_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    SPACE = 1,                /* tab, LF, FF, CR, space */
    LETTER = 2,               /* A-Z, a-z */
    DIGIT = 4,                /* 0-9 */
    ENDS_TAG_NAME = 8,        /* SPACE, / and > */
    ENDS_ATTRIBUTE_NAME = 16, /* SPACE, /, > and = */
    ENDS_BARE_VALUE = 32,     /* of an unquoted value: SPACE and > */
    BETWEEN_ATTRIBUTES = 64,  /* SPACE and / */
    OPENS_MARKUP = 128        /* after <: LETTER, !, / and ? */
};

extern const uint8_t byte_classes[256];

static inline bool byte_is(uint8_t byte, unsigned classes) {
    return (byte_classes[byte] & classes) != 0;
}

static inline bool byte_in(uint8_t byte, const char *characters) { return byte && strchr(characters, byte); }

static inline uint8_t byte_lower(uint8_t byte) {
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte;
}

#endif
