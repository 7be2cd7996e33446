/* The visible length of a text. */
#ifndef BONMUN_CHARS_H
#define BONMUN_CHARS_H

#include "word64.h"

/* Characters after collapsing white space: one space between words. `readable` bytes, at least `length`, may be read. */
int32_t count_chars(const uint8_t *bytes, int32_t length, int32_t readable);

/* Population counts of the low and the high 32 bits, in the low and the high half. */
static inline uint64_t count_bits(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & EACH_BYTE(0x0F);
    bits += bits >> 8;
    return (bits + (bits >> 16)) & UINT64_C(0x3F0000003F);
}

/* The same for up to 32 bytes of ASCII by the bits of those that are no white space: `solid` is not 0. */
static inline int32_t chars_of_bits(uint32_t solid) {
    uint64_t bits = count_bits(solid | (uint64_t)(solid & ~(solid << 1)) << 32);
    return (int32_t)(bits & 0x3F) + (int32_t)(bits >> 32) - 1;
}

#endif
