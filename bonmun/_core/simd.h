/* Sixteen bytes at a time: compare them, and get one bit per byte, the first byte's lowest. SSE2, which every x86-64 has;
 * elsewhere two 64-bit words in plain C. */
#ifndef BONMUN_SIMD_H
#define BONMUN_SIMD_H

#include "word64.h"

enum { SIMD_WIDTH = 16 };

#if defined(__SSE2__) || defined(_M_X64)

#include <emmintrin.h>

typedef __m128i simd_bytes;

static inline simd_bytes simd_load(const uint8_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }
static inline simd_bytes simd_or(simd_bytes one, simd_bytes other) { return _mm_or_si128(one, other); }
/* The flags of one without those of the other. */
static inline simd_bytes simd_but(simd_bytes one, simd_bytes other) { return _mm_andnot_si128(other, one); }
static inline simd_bytes simd_none(void) { return _mm_setzero_si128(); }
static inline simd_bytes simd_equal(simd_bytes bytes, uint8_t wanted) {
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)wanted));
}
static inline simd_bytes simd_at_most(simd_bytes bytes, uint8_t most) {
    return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8((char)most)), bytes);
}
/* Each byte with its highest bit the other way round. */
static inline simd_bytes simd_flip(simd_bytes bytes) { return _mm_xor_si128(bytes, _mm_set1_epi8((char)0x80)); }
static inline uint32_t simd_mask(simd_bytes flags) { return (uint32_t)_mm_movemask_epi8(flags); }
static inline uint32_t simd_non_ascii(simd_bytes bytes) { return simd_mask(bytes); }

#else

/* In flags only the highest bit of each byte counts. */
typedef struct {
    uint64_t low, high;
} simd_bytes;

static inline simd_bytes simd_load(const uint8_t *at) { return (simd_bytes){word_load(at), word_load(at + WORD)}; }
static inline simd_bytes simd_or(simd_bytes one, simd_bytes other) {
    return (simd_bytes){one.low | other.low, one.high | other.high};
}
static inline simd_bytes simd_but(simd_bytes one, simd_bytes other) {
    return (simd_bytes){one.low & ~other.low, one.high & ~other.high};
}
static inline simd_bytes simd_none(void) { return (simd_bytes){0, 0}; }
static inline uint64_t word_at_most(uint64_t word, uint8_t most) { /* most < 0x80 */
    return ~((word & EACH_BYTE(0x7F)) + EACH_BYTE(0x7F - most)) & ~word & EACH_BYTE(0x80);
}
static inline simd_bytes simd_flip(simd_bytes bytes) {
    return (simd_bytes){bytes.low ^ EACH_BYTE(0x80), bytes.high ^ EACH_BYTE(0x80)};
}
static inline simd_bytes simd_equal(simd_bytes bytes, uint8_t wanted) {
    return (simd_bytes){word_at_most(bytes.low ^ EACH_BYTE(wanted), 0), word_at_most(bytes.high ^ EACH_BYTE(wanted), 0)};
}
static inline simd_bytes simd_at_most(simd_bytes bytes, uint8_t most) {
    return (simd_bytes){word_at_most(bytes.low, most), word_at_most(bytes.high, most)};
}
static inline uint32_t word_mask(uint64_t flags) {
    return (uint32_t)((((flags & EACH_BYTE(0x80)) >> 7) * UINT64_C(0x0102040810204080)) >> 56);
}
static inline uint32_t simd_mask(simd_bytes flags) { return word_mask(flags.low) | word_mask(flags.high) << 8; }
static inline uint32_t simd_non_ascii(simd_bytes bytes) { return simd_mask(bytes); }

#endif

/* The bytes of UTF-8 that go on with a character. */
static inline uint32_t simd_continuations(simd_bytes bytes) { return simd_mask(simd_at_most(simd_flip(bytes), 0x3F)); }

static inline simd_bytes simd_from_to(simd_bytes bytes, uint8_t first, uint8_t last) {
    return simd_but(simd_at_most(bytes, last), simd_at_most(bytes, (uint8_t)(first - 1)));
}

#endif
