/* utf8_kind with AVX2, 64 bytes at a time: "Validating UTF-8 in less than one instruction per byte" (Keiser and Lemire, 2021).
 * Included by utf8.c alone. */
#ifndef BONMUN_UTF8_AVX2_H
#define BONMUN_UTF8_AVX2_H

#if defined(__GNUC__) && defined(__x86_64__)
#define UTF8_AVX2

#include <immintrin.h>
#include <string.h>

#define IN_AVX2 __attribute__((target("avx2")))

typedef __m256i wide_bytes;

typedef struct {
    wide_bytes error, before, incomplete; /* errors so far; the last 32 bytes; where a character goes on behind them */
    wide_bytes controls, noncharacters, returns;
    bool beyond_ascii;
} utf8_state;

static inline IN_AVX2 wide_bytes each_byte(int value) { return _mm256_set1_epi8((char)value); }

/* Each byte's predecessor `count` bytes before. */
#define BYTES_BEFORE(bytes, before, count) _mm256_alignr_epi8(bytes, _mm256_permute2x128_si256(before, bytes, 0x21), 16 - (count))

#define TABLE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

/* The errors that two neighbouring bytes can show, as bits; a bit that is set in all three tables is one. */
enum {
    TOO_SHORT = 1, TOO_LONG = 2, OVERLONG_3 = 4, SURROGATE = 16, OVERLONG_2 = 32, TOO_LARGE_1000 = 64, OVERLONG_4 = 64,
    TOO_LARGE = 8, TWO_CONTINUATIONS = -128, CARRY = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS
};

static inline IN_AVX2 wide_bytes high_half(wide_bytes bytes) { return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), each_byte(0x0F)); }

static inline IN_AVX2 wide_bytes pair_errors(wide_bytes bytes, wide_bytes before) {
    const wide_bytes by_high_before = TABLE(
        TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TWO_CONTINUATIONS, TWO_CONTINUATIONS,
        TWO_CONTINUATIONS, TWO_CONTINUATIONS, TOO_SHORT | OVERLONG_2, TOO_SHORT, TOO_SHORT | OVERLONG_3 | SURROGATE,
        TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4);
    const wide_bytes by_low_before = TABLE(
        CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4, CARRY | OVERLONG_2, CARRY, CARRY, CARRY | TOO_LARGE,
        CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000,
        CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000,
        CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000,
        CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE, CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000);
    const int continues = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;
    const wide_bytes by_high = TABLE(
        TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
        continues | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4, continues | OVERLONG_3 | TOO_LARGE,
        continues | SURROGATE | TOO_LARGE, continues | SURROGATE | TOO_LARGE, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT);
    wide_bytes first = _mm256_shuffle_epi8(by_high_before, high_half(before));
    wide_bytes second = _mm256_shuffle_epi8(by_low_before, _mm256_and_si256(before, each_byte(0x0F)));
    return _mm256_and_si256(_mm256_and_si256(first, second), _mm256_shuffle_epi8(by_high, high_half(bytes)));
}

static inline IN_AVX2 void take_characters(utf8_state *s, wide_bytes bytes) {
    wide_bytes one = BYTES_BEFORE(bytes, s->before, 1), two = BYTES_BEFORE(bytes, s->before, 2), three = BYTES_BEFORE(bytes, s->before, 3);
    wide_bytes third = _mm256_subs_epu8(two, each_byte(0xE0 - 0x80)), fourth = _mm256_subs_epu8(three, each_byte(0xF0 - 0x80));
    wide_bytes goes_on = _mm256_and_si256(_mm256_or_si256(third, fourth), each_byte(0x80));
    s->error = _mm256_or_si256(s->error, _mm256_xor_si256(goes_on, pair_errors(bytes, one)));
    wide_bytes last = _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                       -1, -1, -1, -1, (char)0xEF, (char)0xDF, (char)0xBF);
    s->incomplete = _mm256_subs_epu8(bytes, last);
    wide_bytes high = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, each_byte(0xBE)), bytes); /* behind EF BF: U+FFFE, U+FFFF */
    wide_bytes lead = _mm256_and_si256(_mm256_cmpeq_epi8(two, each_byte(0xEF)), _mm256_cmpeq_epi8(one, each_byte(0xBF)));
    s->noncharacters = _mm256_or_si256(s->noncharacters, _mm256_and_si256(lead, high));
    s->before = bytes;
}

static inline IN_AVX2 void take_controls(utf8_state *s, wide_bytes bytes) {
    wide_bytes control = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, each_byte(0x1F)), bytes);
    wide_bytes carriage_return = _mm256_cmpeq_epi8(bytes, each_byte('\r'));
    wide_bytes gap = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, each_byte('\n')), _mm256_cmpeq_epi8(bytes, each_byte('\t')));
    s->returns = _mm256_or_si256(s->returns, carriage_return);
    s->controls = _mm256_or_si256(s->controls, _mm256_andnot_si256(_mm256_or_si256(gap, carriage_return), control));
}

static inline IN_AVX2 bool any(wide_bytes flags) { return _mm256_movemask_epi8(_mm256_cmpeq_epi8(flags, _mm256_setzero_si256())) != -1; }

/* False: not UTF-8. */
static inline IN_AVX2 bool take_block(utf8_state *s, const uint8_t *at) {
    wide_bytes one, other;
    memcpy(&one, at, sizeof one);
    memcpy(&other, at + sizeof one, sizeof other);
    take_controls(s, one);
    take_controls(s, other);
    if (!_mm256_movemask_epi8(_mm256_or_si256(one, other))) {
        s->error = _mm256_or_si256(s->error, s->incomplete);
        s->incomplete = _mm256_setzero_si256();
        s->before = other;
        return true;
    }
    s->beyond_ascii = true;
    take_characters(s, one);
    take_characters(s, other);
    return !any(s->error);
}

static IN_AVX2 int utf8_kind_avx2(const uint8_t *bytes, size_t length) {
    enum { BLOCK = 64 };
    utf8_state s;
    uint8_t rest[BLOCK];
    size_t at = 0;
    memset(&s, 0, sizeof s);
    memset(rest, ' ', sizeof rest);
    for (; length - at >= BLOCK; at += BLOCK)
        if (!take_block(&s, bytes + at)) return NOT_UTF8;
    if (length > at) memcpy(rest, bytes + at, length - at);
    if (!take_block(&s, rest) || any(_mm256_or_si256(s.error, s.incomplete))) return NOT_UTF8;
    bool forbidden = any(_mm256_or_si256(s.controls, s.noncharacters));
    return (s.beyond_ascii ? BEYOND_ASCII : ONLY_ASCII) | (forbidden ? HAS_FORBIDDEN : 0) | (any(s.returns) ? HAS_RETURN : 0);
}

#undef BYTES_BEFORE
#undef TABLE

#endif

#endif
