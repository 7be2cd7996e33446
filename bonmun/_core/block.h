/* Sixteen bytes at a time: which of them are of some sort, as one bit each, the first byte's lowest. SSE2, which every
 * x86-64 has; elsewhere two words in plain C. */
#ifndef BONMUN_BLOCK_H
#define BONMUN_BLOCK_H

#include "words.h"

enum { BLOCK = 16 };

#if defined(__SSE2__) || defined(_M_X64)

#include <emmintrin.h>

typedef __m128i block;

static inline block block_load(const uint8_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }
static inline block block_either(block one, block other) { return _mm_or_si128(one, other); }
static inline block block_equal(block bytes, uint8_t wanted) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)wanted)); }
static inline block block_at_most(block bytes, uint8_t most) {
    return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8((char)most)), bytes);
}
static inline uint32_t block_bits(block flags) { return (uint32_t)_mm_movemask_epi8(flags); }
static inline uint32_t block_high(block bytes) { return block_bits(bytes); } /* those that are no ASCII */

#else

/* Of flags only the highest bit of each byte counts. */
typedef struct {
    uint64_t low, high;
} block;

static inline block block_load(const uint8_t *at) { return (block){word_load(at), word_load(at + WORD)}; }
static inline block block_either(block one, block other) { return (block){one.low | other.low, one.high | other.high}; }
static inline uint64_t word_at_most(uint64_t word, uint8_t most) { /* below 0x80 */
    return ~((word & EACH_BYTE(0x7F)) + EACH_BYTE(0x7F - most)) & ~word & EACH_BYTE(0x80);
}
static inline block block_equal(block bytes, uint8_t wanted) {
    return (block){word_at_most(bytes.low ^ EACH_BYTE(wanted), 0), word_at_most(bytes.high ^ EACH_BYTE(wanted), 0)};
}
static inline block block_at_most(block bytes, uint8_t most) {
    return (block){word_at_most(bytes.low, most), word_at_most(bytes.high, most)};
}
static inline uint32_t word_bits(uint64_t flags) {
    return (uint32_t)((((flags & EACH_BYTE(0x80)) >> 7) * UINT64_C(0x0102040810204080)) >> 56);
}
static inline uint32_t block_bits(block flags) { return word_bits(flags.low) | word_bits(flags.high) << 8; }
static inline uint32_t block_high(block bytes) { return block_bits(bytes); } /* those that are no ASCII */

#endif

#endif
