#include "chars.h"

#include <stdbool.h>

#include "simd.h"
#include "whitespace.h"

typedef struct {
    int32_t solid, words; /* characters other than white space; words */
    bool inside;          /* the last character is part of a word */
} char_counts;

/* Eight bytes at once, if all are printable ASCII or ASCII white space. */
static inline bool count_eight(char_counts *counts, uint64_t eight) {
    uint64_t low = eight & EACH_BYTE(0x7F), solid = word_at_least(low, '!');
    uint64_t usual = word_at_least(low, ' ') & ~eight;
    if ((~usual & EACH_BYTE(0x80)) != 0) {
        uint64_t line_break = word_at_least(low, 9) & ~word_at_least(low, 14) & ~eight;
        if ((~(usual | line_break) & EACH_BYTE(0x80)) != 0) return false;
    }
    counts->solid += flags_count(solid);
    counts->words += flags_count(solid & ~(solid << 8 | (counts->inside ? 0x80 : 0)));
    counts->inside = solid >> 63;
    return true;
}

static inline void count_one_by_one(char_counts *counts, const uint8_t *bytes, int32_t *at, int32_t until, int32_t length) {
    while (*at < until) {
        int32_t space = space_length(bytes + *at, length - *at);
        if (space) {
            counts->inside = false;
            *at += space;
            continue;
        }
        counts->words += !counts->inside;
        counts->inside = true;
        counts->solid += (bytes[(*at)++] & 0xC0) != 0x80;
    }
}

static inline uint32_t line_breaks(simd_bytes bytes) {
    return simd_mask(simd_at_most(bytes, 13)) & ~simd_mask(simd_at_most(bytes, 8));
}

/* Population counts of the low and the high 32 bits, in the low and the high half. */
static inline uint64_t count_bits(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & EACH_BYTE(0x0F);
    bits += bits >> 8;
    return (bits + (bits >> 16)) & UINT64_C(0x3F0000003F);
}

/* The next `count` bytes, at most 32, if all are printable ASCII or ASCII white space. 32 bytes must be readable. */
static inline bool count_near(char_counts *counts, const uint8_t *bytes, int32_t count) {
    simd_bytes one = simd_load(bytes), other = simd_load(bytes + SIMD_WIDTH);
    uint64_t among = (UINT64_C(1) << (count < 2 * SIMD_WIDTH ? count : 2 * SIMD_WIDTH)) - 1;
    uint64_t gap = simd_mask(simd_at_most(one, ' ')) | (uint64_t)simd_mask(simd_at_most(other, ' ')) << SIMD_WIDTH;
    uint64_t space = simd_mask(simd_equal(one, ' ')) | (uint64_t)simd_mask(simd_equal(other, ' ')) << SIMD_WIDTH;
    uint64_t wide = simd_non_ascii(one) | (uint64_t)simd_non_ascii(other) << SIMD_WIDTH;
    if (((gap ^ space) | wide) & among) {
        uint64_t breaks = line_breaks(one) | (uint64_t)line_breaks(other) << SIMD_WIDTH;
        if (((gap & ~space & ~breaks) | wide) & among) return false;
    }
    uint64_t solid = ~gap & among;
    uint64_t bits = count_bits(solid | (solid & ~(solid << 1 | counts->inside)) << 32);
    counts->solid += (int32_t)(bits & 0x3F);
    counts->words += (int32_t)(bits >> 32);
    counts->inside = solid >> 31;
    return true;
}

int32_t count_chars(const uint8_t *bytes, int32_t length, int32_t readable) {
    char_counts counts = {0, 0, false};
    for (int32_t at = 0; at < length;) {
        int32_t left = length - at;
        if (readable - at >= 2 * SIMD_WIDTH && count_near(&counts, bytes + at, left)) {
            at += 2 * SIMD_WIDTH;
            continue;
        }
        uint64_t eight = left >= WORD ? word_load(bytes + at) : word_load_padded(bytes + at, left, ' ');
        if (count_eight(&counts, eight)) at += WORD;
        else count_one_by_one(&counts, bytes, &at, left < WORD ? length : at + WORD, length);
    }
    return counts.words ? counts.solid + counts.words - 1 : 0;
}
