#include "terms.h"

#include "bytes.h"
#include "compiler.h"
#include "simd.h"

#if defined(__SSE2__) || defined(_M_X64)
#define TERMS_SSE2
#endif

static int32_t *list_bits(uint64_t bits, int32_t at, int32_t *to) {
    for (; bits; bits &= bits - 1) *to++ = at + lowest_bit(bits);
    return to;
}

int32_t list_terms(term_list *list, int32_t *start, int32_t *stop) {
    const text_bits *bits = list->bits;
    int32_t *starts = start + list->open, *stops = stop, end = list->length / 64 + 1;
    uint64_t letter = list->letter, digit = list->digit;
    if (list->open) *start = start[list->listed];
    if (end > list->at + TERMS_AT_ONCE / 64) end = list->at + TERMS_AT_ONCE / 64;
    for (int32_t at = list->at; at < end; at++) {
        uint64_t letters = bits->letters[at], digits = bits->digits[at], open = letter | digit;
        uint64_t after_letter = letters << 1 | letter, after_digit = digits << 1 | digit;
        uint64_t first = (letters & ~after_letter) | (digits & ~after_digit);
        uint64_t behind = (after_letter & ~letters) | (after_digit & ~digits);
        letter = letters >> 63;
        digit = digits >> 63;
        if (bits->alone) {
            starts = list_bits(first | bits->starts[at], 64 * at, starts);
            stops = list_bits(behind | bits->stops[at], 64 * at, stops);
            continue;
        }
        for (; first; first &= first - 1, behind &= behind - 1) { /* as many of both, but for open runs */
            *starts++ = 64 * at + lowest_bit(first);
            *stops++ = 64 * at + lowest_bit(behind | UINT64_C(1) << 63);
        }
        *stops = 64 * at + lowest_bit(behind | UINT64_C(1) << 63);
        stops += (int32_t)open - (int32_t)(letter | digit);
    }
    list->at = end;
    list->listed = (int32_t)(stops - stop);
    list->open = starts - start > list->listed;
    list->letter = letter;
    list->digit = digit;
    return list->listed;
}

/* The hash of the bytes before a byte of a term, and of those from it on. */
static uint32_t hash_rest(const uint8_t *text, int32_t at, int32_t length, uint32_t hash) {
    for (; at < length; at++) hash = hash_byte(hash, byte_lower(text[at]));
    return hash;
}

enum { SIDE_BY_SIDE = 8, GROUPS_OF_TERMS = MOST_LANES / SIDE_BY_SIDE };

_Static_assert(MOST_LANES % SIDE_BY_SIDE == 0, "no group is partly filled");

/* A bucket is known by the lowest 16 bits of the hash, which depend on no others: eight terms fit into a register. */
#ifdef TERMS_SSE2

/* Byte pairs of eight terms: the first pair of each, the second of each, … */
static void transpose(const uint64_t (*word)[2], __m128i *pairs) {
    __m128i a[SIDE_BY_SIDE], b[SIDE_BY_SIDE];
    for (int at = 0; at < SIDE_BY_SIDE; at++) a[at] = _mm_loadu_si128((const __m128i *)(const void *)word[at]);
    for (int at = 0; at < 4; at++) {
        b[at] = _mm_unpacklo_epi16(a[2 * at], a[2 * at + 1]);
        b[at + 4] = _mm_unpackhi_epi16(a[2 * at], a[2 * at + 1]);
    }
    for (int at = 0; at < 4; at++) {
        a[2 * at] = _mm_unpacklo_epi32(b[2 * at], b[2 * at + 1]);
        a[2 * at + 1] = _mm_unpackhi_epi32(b[2 * at], b[2 * at + 1]);
    }
    for (int at = 0; at < 2; at++)
        for (int low = 0; low < 2; low++) {
            __m128i first = a[4 * at + low], second = a[4 * at + low + 2];
            pairs[4 * at + 2 * low] = _mm_unpacklo_epi64(first, second);
            pairs[4 * at + 2 * low + 1] = _mm_unpackhi_epi64(first, second);
        }
}

/* Add a byte to each hash. Behind the end of a term, the byte is 0 and the factor 1. */
static inline __m128i hash_lane_bytes(__m128i hash, __m128i bytes, __m128i length, int at) {
    __m128i inside = _mm_cmpgt_epi16(length, _mm_set1_epi16((int16_t)at));
    __m128i factor = _mm_and_si128(inside, _mm_set1_epi16((int16_t)((HASH_PRIME & 0xFFFF) - 1)));
    return _mm_mullo_epi16(_mm_xor_si128(hash, bytes), _mm_add_epi16(factor, _mm_set1_epi16(1)));
}

/* The bytes from a pair of each term on, `WORD` of each. */
static ALWAYS_INLINE __m128i hash_word(const __m128i *pairs, __m128i length, int first, __m128i hash) {
    UNROLL(4) for (int at = first; at < first + WORD / 2; at++) {
        hash = hash_lane_bytes(hash, _mm_and_si128(pairs[at], _mm_set1_epi16(0xFF)), length, 2 * at);
        hash = hash_lane_bytes(hash, _mm_srli_epi16(pairs[at], 8), length, 2 * at + 1);
    }
    return hash;
}

typedef struct {
    __m128i pairs[GROUPS_OF_TERMS][SIDE_BY_SIDE], length[GROUPS_OF_TERMS];
    bool long_terms; /* some are longer than ROW */
} lane_bytes;

static __m128i lane_lengths(const int32_t *length) {
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)length);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(length + SIDE_BY_SIDE / 2));
    return _mm_packs_epi32(low, high);
}

static inline bool any_longer(__m128i length, int than) {
    return _mm_movemask_epi8(_mm_cmpgt_epi16(length, _mm_set1_epi16((int16_t)than))) != 0;
}

static void read_lanes(const term_lanes *lanes, lane_bytes *bytes) {
    bytes->long_terms = false;
    for (int at = 0; SIDE_BY_SIDE * at < lanes->count; at++) {
        transpose(lanes->word + SIDE_BY_SIDE * at, bytes->pairs[at]);
        bytes->length[at] = lane_lengths(lanes->length + SIDE_BY_SIDE * at);
        bytes->long_terms |= any_longer(bytes->length[at], ROW);
    }
}

/* Hash each term; `hashes`: of the bytes before it, then of these and the term. */
static void hash_lanes(const term_lanes *lanes, const lane_bytes *bytes, uint16_t *hashes) {
    for (int at = 0; SIDE_BY_SIDE * at < lanes->count; at++) {
        __m128i *home = (__m128i *)(void *)(hashes + SIDE_BY_SIDE * at), length = bytes->length[at];
        __m128i hash = hash_word(bytes->pairs[at], length, 0, _mm_loadu_si128(home));
        if (any_longer(length, WORD)) hash = hash_word(bytes->pairs[at], length, WORD / 2, hash);
        _mm_storeu_si128(home, hash);
    }
    for (int32_t at = 0; bytes->long_terms && at < lanes->count; at++)
        hashes[at] = (uint16_t)hash_rest(lanes->text[at], ROW, lanes->length[at], hashes[at]);
}

#else

typedef char lane_bytes;

static void read_lanes(const term_lanes *lanes, lane_bytes *bytes) { (void)lanes, *bytes = 0; }

static void hash_lanes(const term_lanes *lanes, const lane_bytes *bytes, uint16_t *hashes) {
    (void)bytes;
    for (int32_t at = 0; at < lanes->count; at++) {
        uint32_t hash = hashes[at];
        for (int32_t byte = 0; byte < lanes->length[at] && byte < ROW; byte++)
            hash = hash_byte(hash, (uint8_t)(lanes->word[at][byte / WORD] >> 8 * (byte % WORD)));
        hashes[at] = (uint16_t)hash_rest(lanes->text[at], ROW, lanes->length[at], hash);
    }
}

#endif

void hash_terms(const term_lanes *lanes, uint16_t *single, uint16_t *pair) {
    lane_bytes bytes;
    read_lanes(lanes, &bytes);
    for (int at = 0; at < MOST_LANES; at++) single[at] = (uint16_t)HASH_START;
    hash_lanes(lanes, &bytes, single);
    pair[0] = 0;
    for (int at = 1; at < MOST_LANES; at++) pair[at] = (uint16_t)((single[at - 1] ^ ' ') * (HASH_PRIME & 0xFFFF));
    hash_lanes(lanes, &bytes, pair);
    for (int at = 0; at < MOST_LANES; at++) {
        single[at] &= TERM_BUCKETS - 1;
        pair[at] &= TERM_BUCKETS - 1;
    }
}

static bool is_upper(uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }

static bool continues_word(uint8_t byte) { return (byte >= 'a' && byte <= 'z') || byte_is(byte, DIGIT) || byte >= 0x80; }

static bool is_in_run(uint8_t byte) { return byte_is(byte, LETTER | DIGIT) || byte >= 0x80; }

/* Whether a run of letters and digits is a hash, as bundlers of style sheets write them. */
static bool is_made_up(const uint8_t *text, int32_t start, int32_t stop) {
    int32_t words = 0;
    bool upper = false, letter = false, digit = false, inside = false;
    for (int32_t at = start; at < stop; at++) {
        bool is_capital = is_upper(text[at]), is_digit = byte_is(text[at], DIGIT);
        words += at == start || (is_capital && !upper);
        upper = is_capital;
        inside |= digit && !is_digit;
        digit = is_digit && letter;
        letter |= !is_digit;
    }
    return inside || (words >= HASHED_WORDS && stop - start < HASHED_LETTERS * words - 1);
}

enum { WINDOW = 63 /* bytes that are looked at together: the end of the last run has a bit, too */ };

static inline uint64_t lowest_of(uint64_t bits) { return bits & (~bits + 1); }

/* Bits of the bytes of a window: those of runs, and which of these are A to Z, and digits. */
typedef struct {
    uint64_t runs, upper, digits;
} window_bits;

/* The twin of is_made_up: `parts` start within the run, `behind` are the bytes behind digits. */
static bool is_made_up_run(uint64_t start, uint64_t stop, uint64_t parts, uint64_t behind, uint64_t digits) {
    int32_t words = 1;
    uint64_t run = stop - start, inside = behind & run;
    if (digits & start) inside &= inside - 1; /* digits that no letter is before */
    for (uint64_t left = parts & run; left; left &= left - 1) words++;
    return inside || (words >= HASHED_WORDS && lowest_bit(stop) - lowest_bit(start) < HASHED_LETTERS * words - 1);
}

/* Split runs at their capitals; numbers and runs that are made up are no words. */
static void split_runs(word_reader *r, const window_bits *b) {
    uint64_t inner = b->runs & ~r->starts, parts = b->upper & ~(b->upper << 1) & inner, ends = parts;
    uint64_t behind = b->digits << 1 & ~b->digits & inner;
    for (uint64_t starts = r->starts, stops = r->stops; starts; starts &= starts - 1, stops &= stops - 1) {
        uint64_t start = lowest_of(starts), stop = lowest_of(stops), run = stop - start;
        if (!(run & (b->upper | b->digits))) continue;
        if (is_made_up_run(start, stop, parts, behind, b->digits)) {
            r->starts &= ~start;
            r->stops &= ~stop;
            parts &= ~run;
            ends &= ~run;
        } else if (b->digits & start) {
            uint64_t end = parts & run ? lowest_of(parts & run) : stop; /* of the first part */
            if ((end - start) & ~b->digits) continue;
            r->starts &= ~start;
            r->stops &= ~end;
            ends &= ~end;
        }
    }
    r->starts |= parts;
    r->stops |= ends;
}

static void put_lower(const uint8_t *restrict from, uint8_t *restrict to) {
    for (int at = 0; at <= WINDOW; at++) to[at] = byte_lower(from[at]);
}

static window_bits read_bits(const uint8_t *text, int32_t count) {
    window_bits b = {0, 0, 0};
    for (int at = 0; at < count; at += SIMD_WIDTH) {
        simd_bytes bytes = simd_load(text + at), upper = simd_from_to(bytes, 'A', 'Z'), digits = simd_from_to(bytes, '0', '9');
        simd_bytes ascii = simd_or(simd_or(upper, digits), simd_from_to(bytes, 'a', 'z'));
        b.upper |= (uint64_t)simd_mask(upper) << at;
        b.digits |= (uint64_t)simd_mask(digits) << at;
        b.runs |= (uint64_t)(simd_mask(ascii) | simd_non_ascii(bytes)) << at;
    }
    b.runs &= (UINT64_C(1) << count) - 1;
    return b;
}

/* A run may go on behind the window: it is left for the next one. If it is all there is, it is read byte by byte. */
static void leave_last_run(word_reader *r, window_bits *b) {
    uint64_t last = b->runs & ~(b->runs << 1);
    while (last & (last - 1)) last &= last - 1;
    b->runs &= last - 1;
    r->next = r->from + lowest_bit(last);
    if (last != 1) return;
    for (r->run = r->from + WINDOW; r->run < r->length && is_in_run(r->text[r->run]);) r->run++;
    r->next = r->run;
    r->stop = is_made_up(r->text, r->from, r->run) ? r->run : r->from;
}

static void read_window(word_reader *r) {
    uint8_t padded[WINDOW + 1];
    const uint8_t *text = r->text + r->next;
    int32_t left = r->length - r->next, count = left < WINDOW ? left : WINDOW;
    if (r->readable - r->next <= WINDOW) {
        memset(padded, 0, sizeof padded);
        text = memcpy(padded, text, (size_t)count);
    }
    put_lower(text, r->lower);
    window_bits b = read_bits(text, count);
    r->from = r->next;
    r->next += count;
    if (left > WINDOW && b.runs >> (WINDOW - 1)) leave_last_run(r, &b);
    b.upper &= b.runs;
    b.digits &= b.runs;
    r->starts = b.runs & ~(b.runs << 1);
    r->stops = b.runs << 1 & ~b.runs;
    if (b.upper | b.digits) split_runs(r, &b);
}

/* The next part of a run that is longer than a window. */
static bool next_part(word_reader *r) {
    while (r->stop < r->run) {
        int32_t at = r->start = r->stop, digits = 0;
        while (at < r->run && is_upper(r->text[at])) at++;
        for (; at < r->run && continues_word(r->text[at]); at++) digits += byte_is(r->text[at], DIGIT);
        r->stop = at;
        if (digits == at - r->start) continue;
        r->from = r->start;
        for (int32_t byte = 0; byte < ROW && r->start + byte < at; byte++) r->lower[byte] = byte_lower(r->text[r->start + byte]);
        return true;
    }
    return false;
}

bool next_hard_word(word_reader *r) {
    while (!next_part(r)) {
        if (r->starts) return take_word(r);
        if (r->next >= r->length) return false;
        read_window(r);
    }
    return true;
}

uint32_t name_hash(const word_reader *r) {
    uint32_t hash = HASH_START;
    for (int32_t at = r->start; at < r->stop; at++) hash = hash_byte(hash, byte_lower(r->text[at]));
    return hash;
}
