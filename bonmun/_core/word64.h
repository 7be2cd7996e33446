/* Eight bytes at a time in a 64-bit word (SWAR), in plain C. */
#ifndef BONMUN_WORD64_H
#define BONMUN_WORD64_H

#include <stdbool.h>
#include <stdint.h>

enum { WORD = 8 };

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (uint64_t)(value))

/* Little-endian on any machine; compilers make one load of it. */
static inline uint64_t word_load(const uint8_t *at) {
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

static inline uint32_t half_load(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* 1 to 7 bytes, padded with a filler; no byte beyond them is read. */
static inline uint64_t word_load_padded(const uint8_t *at, int32_t count, uint8_t filler) {
    uint64_t word;
    if (count >= 4) { /* two overlapping halves */
        word = half_load(at) | (uint64_t)half_load(at + count - 4) << 8 * (count - 4);
    } else {
        int32_t middle = count / 2, last = count - 1;
        word = at[0] | (uint64_t)at[middle] << 8 * middle | (uint64_t)at[last] << 8 * last;
    }
    return word | EACH_BYTE(filler) << 8 * count;
}

static inline bool word_has_zero(uint64_t word) {
    return ((word - EACH_BYTE(1)) & ~word & EACH_BYTE(0x80)) != 0;
}

/* The number of flags set; a flag is the highest bit of a byte, all other bits are 0. */
static inline int32_t flags_count(uint64_t flags) {
    return (int32_t)(((flags >> 7) * EACH_BYTE(1)) >> 56);
}

/* Flags of the bytes >= `least`, in a word of 7-bit bytes; `least` is at most 0x80. */
static inline uint64_t word_at_least(uint64_t seven_bits, unsigned least) {
    return (seven_bits + EACH_BYTE(0x80 - least)) & EACH_BYTE(0x80);
}

/* The index of the lowest set bit; `bits` is not 0. */
static inline int lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int at = 0;
    for (int half = 32; half; half /= 2)
        if (!(bits & ((UINT64_C(1) << half) - 1))) {
            bits >>= half;
            at += half;
        }
    return at;
#endif
}

/* How many bits are set. */
static inline int bits_set(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_popcountll(bits);
#else
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
#endif
}

/* Flags of the ASCII letters. */
static inline uint64_t word_letters(uint64_t word) {
    uint64_t lower = (word | EACH_BYTE(0x20)) & EACH_BYTE(0x7F);
    return word_at_least(lower, 'a') & ~word_at_least(lower, 'z' + 1) & ~word;
}

/* ASCII letters in lower case, other bytes unchanged. */
static inline uint64_t word_lower(uint64_t word) {
    uint64_t seven_bits = word & EACH_BYTE(0x7F);
    uint64_t from_a = seven_bits + EACH_BYTE(0x80 - 'A');
    uint64_t above_z = seven_bits + EACH_BYTE(0x7F - 'Z');
    return word | ((from_a ^ above_z) & ~word & EACH_BYTE(0x80)) >> 2;
}

#endif
