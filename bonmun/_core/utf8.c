#include "utf8.h"

#include <string.h>

#include "simd.h"
#include "utf8_avx2.h"
#include "word64.h"

static bool continues(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/* The length of the valid non-ASCII character that starts here; 0: invalid. */
static size_t character_length(const uint8_t *at, size_t left) {
    uint8_t first = at[0];
    if (first < 0xC2 || first > 0xF4 || left < 2 || !continues(at[1])) return 0;
    if (first < 0xE0) return 2;
    if (left < 3 || !continues(at[2])) return 0;
    if (first == 0xE0 && at[1] < 0xA0) return 0; /* overlong */
    if (first == 0xED && at[1] > 0x9F) return 0; /* surrogate */
    if (first < 0xF0) return 3;
    if (left < 4 || !continues(at[3])) return 0;
    if (first == 0xF0 && at[1] < 0x90) return 0;
    return first == 0xF4 && at[1] > 0x8F ? 0 : 4;
}

/* Flags of the control characters that XML forbids, all but tab and line break. */
static inline simd_bytes forbidden_controls(simd_bytes bytes) {
    simd_bytes breaks = simd_or(simd_equal(bytes, '\n'), simd_equal(bytes, '\r'));
    return simd_but(simd_at_most(bytes, 0x1F), simd_or(breaks, simd_equal(bytes, '\t')));
}

static bool is_forbidden(const uint8_t *at, size_t left) {
    if (at[0] < 0x20) return at[0] != '\t' && at[0] != '\n' && at[0] != '\r';
    return at[0] == 0xEF && left > 2 && at[1] == 0xBF && at[2] >= 0xBE; /* U+FFFE, U+FFFF */
}

/* Skip ASCII, most of markup, 64 bytes at a time; `forbidden` becomes true if some of it is. */
static size_t skip_ascii(const uint8_t *bytes, size_t at, size_t length, bool *forbidden) {
    simd_bytes controls = simd_none();
    uint32_t beyond = 0;
    for (; length - at >= 4 * SIMD_WIDTH; at += 4 * SIMD_WIDTH) {
        const uint8_t *from = bytes + at;
        simd_bytes a = simd_load(from), b = simd_load(from + SIMD_WIDTH);
        simd_bytes c = simd_load(from + 2 * SIMD_WIDTH), d = simd_load(from + 3 * SIMD_WIDTH);
        if (simd_non_ascii(simd_or(simd_or(a, b), simd_or(c, d)))) break;
        controls = simd_or(controls, simd_or(forbidden_controls(a), forbidden_controls(b)));
        controls = simd_or(controls, simd_or(forbidden_controls(c), forbidden_controls(d)));
    }
    for (; !beyond && length - at >= SIMD_WIDTH; at += beyond ? (size_t)lowest_bit(beyond) : SIMD_WIDTH) {
        simd_bytes some = simd_load(bytes + at);
        controls = simd_or(controls, forbidden_controls(some)); /* behind `beyond` too: they are no less forbidden */
        beyond = simd_non_ascii(some);
    }
    for (; !beyond && at < length && bytes[at] < 0x80; at++) *forbidden |= is_forbidden(bytes + at, length - at);
    *forbidden |= simd_mask(controls) != 0;
    return at;
}

static int utf8_kind_anywhere(const uint8_t *bytes, size_t length) {
    int kind = ONLY_ASCII;
    bool forbidden = false;
    for (size_t at = skip_ascii(bytes, 0, length, &forbidden); at < length; at = skip_ascii(bytes, at, length, &forbidden)) {
        kind = BEYOND_ASCII;
        while (at < length && bytes[at] >= 0x80) { /* other scripts come in runs */
            size_t count = character_length(bytes + at, length - at);
            if (!count) return NOT_UTF8;
            forbidden |= is_forbidden(bytes + at, count);
            at += count;
        }
    }
    if (length && memchr(bytes, '\r', length)) kind |= HAS_RETURN;
    return forbidden ? kind | HAS_FORBIDDEN : kind;
}

int utf8_kind(const uint8_t *bytes, size_t length) {
#ifdef UTF8_AVX2
    if (__builtin_cpu_supports("avx2")) return utf8_kind_avx2(bytes, length);
#endif
    return utf8_kind_anywhere(bytes, length);
}

bool utf8_has_forbidden(const uint8_t *bytes, size_t length) {
    size_t at = 0;
    for (; length - at >= SIMD_WIDTH; at += SIMD_WIDTH) {
        simd_bytes some = simd_load(bytes + at);
        if (simd_mask(forbidden_controls(some))) return true;
        if (!simd_mask(simd_equal(some, 0xEF))) continue;
        for (size_t near = at; near < at + SIMD_WIDTH; near++) {
            if (is_forbidden(bytes + near, length - near)) return true;
        }
    }
    for (; at < length; at++) {
        if (is_forbidden(bytes + at, length - at)) return true;
    }
    return false;
}
