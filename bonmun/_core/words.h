/* Eight bytes at a time, in plain C. */
#ifndef BONMUN_WORDS_H
#define BONMUN_WORDS_H

#include <stdbool.h>
#include <stdint.h>

enum { WORD = 8 };

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (uint64_t)(value))

/* The first byte lowest, on any machine. Compilers see one load in it. */
static inline uint64_t word_load(const uint8_t *at) {
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

static inline bool word_has_zero(uint64_t word) {
    return ((word - EACH_BYTE(1)) & ~word & EACH_BYTE(0x80)) != 0;
}

/* ASCII letters in lower case, all other bytes as they are. */
static inline uint64_t word_lower(uint64_t word) {
    uint64_t seven_bits = word & EACH_BYTE(0x7F);
    uint64_t from_a = seven_bits + EACH_BYTE(0x80 - 'A');
    uint64_t above_z = seven_bits + EACH_BYTE(0x7F - 'Z');
    return word | ((from_a ^ above_z) & ~word & EACH_BYTE(0x80)) >> 2;
}

#endif
