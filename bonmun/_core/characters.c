#include "characters.h"

#include <string.h>

#include "bytes.h"
#include "compiler.h"
#include "simd.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define CHARACTERS_AVX
#endif

enum { CHUNK = 64 /* bytes that are looked at together */ };

/* A bit for each byte of a chunk. */
typedef struct {
    uint64_t letters, upper, digits, wide, gaps, stops, commas, colons, quotes, brackets, currencies;
    uint64_t separators; /* of dates and times */
    uint64_t closing;    /* may follow a full stop */
} byte_masks;

typedef struct {
    const uint8_t *text;
    int32_t length, readable;
    int32_t narrow, wide, twice, thrice; /* ASCII characters, others, those of width 2 and 3 */
    text_counts *counts;
    text_bits *bits;
} reading;

static bool between(uint32_t character, uint32_t first, uint32_t last) {
    return character - first <= last - first;
}

static bool is_digit(uint8_t byte) { return between(byte, '0', '9'); }

/* Decode the character at an offset of valid UTF-8 and advance; on invalid UTF-8 no byte beyond the end is read. */
static inline uint32_t character_at(const uint8_t *text, int32_t length, int32_t *at) {
    uint32_t first = text[(*at)++];
    if (first < 0xC0) return first;
    int32_t more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    uint32_t character = first & (0x3Fu >> more);
    for (; more && *at < length; more--) character = character << 6 | (text[(*at)++] & 0x3F);
    return character;
}

/* Whether a full stop before this offset ends a sentence: a gap, a closing mark or the end follows. */
static bool closes(const uint8_t *text, int32_t length, int32_t at) {
    if (at >= length) return true;
    uint32_t next = character_at(text, length, &at);
    return next == ' ' || next == '\n' || next == '"' || next == '\'' || next == ')' || next == 0xBB || next == 0x2019 ||
           next == 0x201D;
}

/* Whether a run of digits is a year. */
static bool is_year(const uint8_t *text, int32_t length, int32_t at) {
    if (length - at < 4 || (length - at > 4 && is_digit(text[at + 4]))) return false;
    if (!is_digit(text[at + 2]) || !is_digit(text[at + 3])) return false;
    return (text[at] == '1' && text[at + 1] == '9') || (text[at] == '2' && text[at + 1] == '0');
}

/* Bits moved to later bytes, behind those of the chunk before. */
static inline uint64_t one_later(uint64_t bits, uint64_t last, int by) { return bits << by | last >> (CHUNK - by); }

static NOINLINE const uint8_t *pad(uint8_t *padded, const uint8_t *from, int32_t left) {
    memset(padded, 0, CHUNK);
    return memcpy(padded, from, (size_t)(left < CHUNK ? left : CHUNK));
}

/* Sentences that end where it is not `sure`: before a character beyond ASCII, or at the end of the chunk. */
static ALWAYS_INLINE int32_t count_unsure(const reading *r, int32_t at, uint64_t stops, uint64_t sure, uint64_t wide) {
    int32_t count = 0;
    uint64_t unsure = stops & ~sure & (wide >> 1 | UINT64_C(1) << (CHUNK - 1));
    for (; unsure; unsure &= unsure - 1) count += closes(r->text, r->length, at + lowest_bit(unsure) + 1);
    return count;
}

static ALWAYS_INLINE int32_t count_years(const reading *r, int32_t at, uint64_t first, uint64_t digits) {
    int32_t count = 0;
    uint64_t second = digits >> 1 | UINT64_C(1) << 63, third = digits >> 2 | UINT64_C(3) << 62;
    uint64_t four = first & second & third & (digits >> 3 | UINT64_C(7) << 61);
    for (; four; four &= four - 1) count += is_year(r->text, r->length, at + lowest_bit(four));
    return count;
}

static inline int32_t plain_ones(uint64_t bits) {
    if (!bits) return 0;
    bits -= bits >> 1 & EACH_BYTE(0x55);
    bits = (bits & EACH_BYTE(0x33)) + (bits >> 2 & EACH_BYTE(0x33));
    return (int32_t)(((bits + (bits >> 4)) & EACH_BYTE(0x0F)) * EACH_BYTE(1) >> 56);
}

static inline simd_bytes either(simd_bytes bytes, uint8_t one, uint8_t other) {
    return simd_or(simd_equal(bytes, one), simd_equal(bytes, other));
}

static inline byte_masks plain_masks(const uint8_t *from) {
    byte_masks m = {0};
    for (int shift = 0; shift < CHUNK; shift += SIMD_WIDTH, from += SIMD_WIDTH) {
        simd_bytes x = simd_load(from), upper = simd_from_to(x, 'A', 'Z'), stop = simd_equal(x, '.'), colon = simd_equal(x, ':');
        simd_bytes quote = simd_equal(x, '"'), close = simd_equal(x, ')'), gap = either(x, ' ', '\n');
        m.upper |= (uint64_t)simd_mask(upper) << shift;
        m.letters |= (uint64_t)simd_mask(simd_or(upper, simd_from_to(x, 'a', 'z'))) << shift;
        m.digits |= (uint64_t)simd_mask(simd_from_to(x, '0', '9')) << shift;
        m.wide |= (uint64_t)simd_non_ascii(x) << shift;
        m.gaps |= (uint64_t)simd_mask(gap) << shift;
        m.stops |= (uint64_t)simd_mask(simd_or(stop, either(x, '!', '?'))) << shift;
        m.commas |= (uint64_t)simd_mask(either(x, ',', ';')) << shift;
        m.colons |= (uint64_t)simd_mask(colon) << shift;
        m.quotes |= (uint64_t)simd_mask(quote) << shift;
        m.brackets |= (uint64_t)simd_mask(simd_or(simd_or(close, simd_equal(x, '(')), either(x, '[', ']'))) << shift;
        m.currencies |= (uint64_t)simd_mask(simd_equal(x, '$')) << shift;
        m.separators |= (uint64_t)simd_mask(simd_or(simd_or(stop, colon), either(x, '-', '/'))) << shift;
        m.closing |= (uint64_t)simd_mask(simd_or(simd_or(gap, quote), simd_or(close, simd_equal(x, '\'')))) << shift;
    }
    return m;
}

#define IN(name) plain_##name
#define IN_TARGET
#include "characters_chunk.h"
#undef IN
#undef IN_TARGET

#ifdef CHARACTERS_AVX
#define IN_TARGET __attribute__((target("avx2,popcnt,bmi")))

static inline IN_TARGET int32_t avx2_ones(uint64_t bits) { return __builtin_popcountll(bits); }

typedef struct {
    __m256i low, high;
} avx2_chunk;

static inline IN_TARGET uint64_t avx2_equal(avx2_chunk x, char wanted) {
    __m256i all = _mm256_set1_epi8(wanted);
    uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x.low, all));
    return low | (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x.high, all)) << 32;
}

/* Bytes beyond ASCII are negative: they are in no range. */
static inline IN_TARGET uint64_t avx2_range(avx2_chunk x, char first, char last) {
    __m256i below = _mm256_set1_epi8((char)(first - 1)), above = _mm256_set1_epi8((char)(last + 1));
    __m256i low = _mm256_and_si256(_mm256_cmpgt_epi8(x.low, below), _mm256_cmpgt_epi8(above, x.low));
    __m256i high = _mm256_and_si256(_mm256_cmpgt_epi8(x.high, below), _mm256_cmpgt_epi8(above, x.high));
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline IN_TARGET uint64_t avx2_wide(avx2_chunk x) {
    return (uint32_t)_mm256_movemask_epi8(x.low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(x.high) << 32;
}

static inline IN_TARGET avx2_chunk avx2_load(const uint8_t *from) {
    return (avx2_chunk){_mm256_loadu_si256((const __m256i *)(const void *)from),
                        _mm256_loadu_si256((const __m256i *)(const void *)(from + CHUNK / 2))};
}

#define IN(name) avx2_##name
#include "characters_masks.h"
#include "characters_chunk.h"
#undef IN
#undef IN_TARGET

#define IN_TARGET __attribute__((target("avx512bw,popcnt,bmi")))

typedef __m512i avx512_chunk;

static inline IN_TARGET int32_t avx512_ones(uint64_t bits) { return __builtin_popcountll(bits); }

static inline IN_TARGET uint64_t avx512_equal(avx512_chunk x, char wanted) {
    return _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(wanted));
}

static inline IN_TARGET uint64_t avx512_range(avx512_chunk x, char first, char last) {
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(x, _mm512_set1_epi8(first)), _mm512_set1_epi8((char)(last - first)));
}

static inline IN_TARGET uint64_t avx512_wide(avx512_chunk x) { return _mm512_movepi8_mask(x); }

static inline IN_TARGET avx512_chunk avx512_load(const uint8_t *from) { return _mm512_loadu_si512(from); }

#define IN(name) avx512_##name
#include "characters_masks.h"
#include "characters_chunk.h"
#undef IN
#undef IN_TARGET
#endif

typedef void read_chunks(reading *r);

static read_chunks *read_chunks_here(void) {
#ifdef CHARACTERS_AVX
    if (__builtin_cpu_supports("avx512bw")) return avx512_read;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi")) return avx2_read;
#endif
    return plain_read;
}

static void count_wide_mark(reading *r, uint32_t character, int32_t start, int32_t stop) {
    text_counts *counts = r->counts;
    bool after_digit = start && is_digit(r->text[start - 1]);
    switch (character) {
    case 0x2026: counts->sentences += closes(r->text, r->length, stop); break;
    case 0x61F: case 0x6D4: case 0x964: case 0x3002: case 0xFF01: case 0xFF1F: case 0xFF61: counts->sentences++; break;
    case 0x60C: case 0x3001: case 0xFF0C: case 0xFF1B: counts->commas++; break;
    case 0xFF1A: counts->colons++; break;
    case 0xA3: case 0xA5: case 0x20A9: case 0x20AC: case 0x20B9: case 0xFFE5: counts->currencies++; break;
    case 0x5143: case 0x5186: case 0xC6D0: counts->currencies += after_digit; break;
    case 0xAB: case 0xBB: case 0x201C: case 0x201D: case 0x300C: case 0x300D: case 0x300E: case 0x300F: counts->quotes++; break;
    case 0x3010: case 0x3011: case 0xFF08: case 0xFF09: counts->brackets++; break;
    case 0x5E74: case 0x6708: case 0x65E5: case 0xB144: case 0xC6D4: case 0xC77C: counts->dates += after_digit; break;
    default: break;
    }
}

/* Of a character beyond ASCII: part of no term, of a run of letters, or a term on its own. */
typedef enum { NO_TERM, LETTERS, ALONE } term_kind;

static term_kind kind_of_wide(uint32_t character) {
    if (character < 0x2E80) {
        bool letter = character >= 0xC0 && (character <= 0x1FFF || character >= 0x2C00) && character != 0x1680;
        return letter && character <= 0x2DFF ? LETTERS : NO_TERM;
    }
    if (character <= 0xA4CF) return character <= 0x2FFF || character >= 0x3040 ? ALONE : NO_TERM;
    if (character <= 0xD7FF) return LETTERS;
    return between(character, 0xF900, 0xFAFF) || between(character, 0x20000, 0x3FFFF) ? ALONE : NO_TERM;
}

static void set_bit(uint64_t *bits, int32_t at) { bits[at / CHUNK] |= UINT64_C(1) << at % CHUNK; }

static void mark_wide(reading *r, term_kind kind, int32_t start, int32_t stop) {
    text_bits *bits = r->bits;
    if (kind == ALONE) {
        set_bit(bits->starts, start);
        set_bit(bits->stops, stop);
        bits->alone = true;
    } else if (kind == LETTERS) {
        for (int32_t at = start; at < stop; at++) set_bit(bits->letters, at);
    }
}

static int32_t read_wide(reading *r, int32_t start) {
    int32_t stop = start;
    uint32_t character = character_at(r->text, r->length, &stop);
    r->wide++;
    r->thrice += between(character, 0x2E80, 0xA4CF) || between(character, 0xF900, 0xFAFF) ||
                 between(character, 0xFF00, 0xFF60) || between(character, 0x20000, 0x3FFFF);
    r->twice += between(character, 0x1100, 0x11FF) || between(character, 0xA960, 0xA97F) || between(character, 0xAC00, 0xD7FF);
    count_wide_mark(r, character, start, stop);
    mark_wide(r, kind_of_wide(character), start, stop);
    return stop;
}

static NOINLINE void read_all_wide(reading *r) {
    size_t numbers = (size_t)bits_size(r->length);
    memset(r->bits->starts, 0, numbers * sizeof *r->bits->starts);
    memset(r->bits->stops, 0, numbers * sizeof *r->bits->stops);
    for (int32_t at = 0; at < r->length;) {
        uint64_t wide = r->bits->wide[at / CHUNK] >> at % CHUNK;
        if (!wide) {
            at += CHUNK - at % CHUNK;
            continue;
        }
        at += lowest_bit(wide);
        do at = read_wide(r, at);
        while (at < r->length && r->text[at] >= 0x80);
    }
}

static bool ends_sentence(const uint8_t *text, int32_t length) {
    int32_t at = length - 1;
    while (at > 0 && (text[at] & 0xC0) == 0x80) at--;
    if (at < 0) return false;
    switch (character_at(text, length, &at)) {
    case '"': case '\'': case ')': case '.': case '!': case '?': case 0x2019: case 0x201D: case 0x2026: case 0x3002:
    case 0xFF01: case 0xFF1F: case 0xFF61: case 0x964: case 0x61F: case 0x6D4: return true;
    default: return false;
    }
}

void read_characters(const uint8_t *text, int32_t length, int32_t readable, text_bits *bits, text_counts *counts) {
    reading r = {.text = text, .length = length, .readable = readable, .bits = bits, .counts = counts};
    bits->alone = false;
    read_chunks_here()(&r);
    if (r.narrow < length) read_all_wide(&r);
    counts->size = r.narrow + r.wide + r.twice + 2 * r.thrice;
    counts->words += (length > 0) + r.thrice / 3;
    counts->ends_sentence = ends_sentence(text, length);
}
