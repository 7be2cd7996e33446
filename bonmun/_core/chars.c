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

/* 32 bytes, and the bits of those that are some byte. */
typedef struct {
    simd_bytes one, other;
} near_bytes;

static inline uint32_t near_mask(simd_bytes one, simd_bytes other) { return simd_mask(one) | simd_mask(other) << SIMD_WIDTH; }
static inline uint32_t all_of(near_bytes b, uint8_t byte) { return near_mask(simd_equal(b.one, byte), simd_equal(b.other, byte)); }
static inline uint32_t all_from_to(near_bytes b, uint8_t first, uint8_t last) {
    return near_mask(simd_from_to(b.one, first, last), simd_from_to(b.other, first, last));
}

/* The bytes of white space beyond ASCII that is among some bytes, by those that may start it; whitespace.h lists them. */
static inline uint32_t wide_spaces(near_bytes b, uint32_t among, uint32_t c2, uint32_t e1, uint32_t e2, uint32_t e3) {
    uint32_t x80 = all_of(b, 0x80), two = c2 & (all_of(b, 0x85) | all_of(b, 0xA0)) >> 1, three = e3 & x80 >> 1 & x80 >> 2;
    if (e1) three |= e1 & all_of(b, 0x9A) >> 1 & x80 >> 2;
    if (e2) {
        uint32_t last = near_mask(simd_at_most(simd_flip(b.one), 0x0A), simd_at_most(simd_flip(b.other), 0x0A));
        last |= all_of(b, 0xA8) | all_of(b, 0xA9) | all_of(b, 0xAF);
        three |= e2 & ((x80 >> 1 & last >> 2) | (all_of(b, 0x81) >> 1 & all_of(b, 0x9F) >> 2));
    }
    two &= among >> 1; /* all of it: bytes that are no UTF-8 end anywhere */
    three &= among >> 2;
    return two | two << 1 | three | three << 1 | three << 2;
}

/* The next `count` bytes, at most 32, of any script; 32 bytes must be readable. Returns how many were counted: those
 * before one of the last two if white space may start there. */
static int32_t count_any_near(char_counts *counts, const uint8_t *bytes, int32_t count) {
    const near_bytes b = {simd_load(bytes), simd_load(bytes + SIMD_WIDTH)};
    uint32_t c2 = all_of(b, 0xC2), e1 = all_of(b, 0xE1), e2 = all_of(b, 0xE2), e3 = all_of(b, 0xE3), starts = c2 | e1 | e2 | e3;
    if (count > 2 * SIMD_WIDTH) count = 2 * SIMD_WIDTH;
    uint32_t late = starts & UINT32_C(3) << (2 * SIMD_WIDTH - 2);
    if (late && count > lowest_bit(late)) count = lowest_bit(late);
    uint32_t among = (uint32_t)((UINT64_C(1) << count) - 1);
    uint32_t space = all_from_to(b, 9, 13) | all_from_to(b, 28, ' ');
    if (starts) space |= wide_spaces(b, among, c2, e1, e2, e3);
    uint32_t inside = ~space & among, solid = inside & ~(simd_continuations(b.one) | simd_continuations(b.other) << SIMD_WIDTH);
    uint64_t bits = count_bits(solid | (uint64_t)(inside & ~(inside << 1 | counts->inside)) << 32);
    counts->solid += (int32_t)(bits & 0x3F);
    counts->words += (int32_t)(bits >> 32);
    counts->inside = inside >> (count - 1) & 1;
    return count;
}

int32_t count_chars(const uint8_t *bytes, int32_t length, int32_t readable) {
    char_counts counts = {0, 0, false};
    for (int32_t at = 0; at < length;) {
        int32_t left = length - at;
        if (readable - at >= 2 * SIMD_WIDTH) {
            bool is_ascii = count_near(&counts, bytes + at, left);
            at += is_ascii ? 2 * SIMD_WIDTH : count_any_near(&counts, bytes + at, left);
            continue;
        }
        uint64_t eight = left >= WORD ? word_load(bytes + at) : word_load_padded(bytes + at, left, ' ');
        if (count_eight(&counts, eight)) at += WORD;
        else count_one_by_one(&counts, bytes, &at, left < WORD ? length : at + WORD, length);
    }
    return counts.words ? counts.solid + counts.words - 1 : 0;
}
