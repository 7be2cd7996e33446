#include "utf8.h"

#include "simd.h"
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

/* Skip ASCII, most of markup, 64 bytes at a time. */
static size_t skip_ascii(const uint8_t *bytes, size_t at, size_t length) {
    for (; length - at >= 4 * SIMD_WIDTH; at += 4 * SIMD_WIDTH) {
        const uint8_t *from = bytes + at;
        simd_bytes one = simd_or(simd_load(from), simd_load(from + SIMD_WIDTH));
        simd_bytes other = simd_or(simd_load(from + 2 * SIMD_WIDTH), simd_load(from + 3 * SIMD_WIDTH));
        if (simd_non_ascii(simd_or(one, other))) break;
    }
    for (; length - at >= SIMD_WIDTH; at += SIMD_WIDTH) {
        uint32_t beyond = simd_non_ascii(simd_load(bytes + at));
        if (beyond) return at + (size_t)lowest_bit(beyond);
    }
    while (at < length && bytes[at] < 0x80) at++;
    return at;
}

int utf8_kind(const uint8_t *bytes, size_t length) {
    int kind = ONLY_ASCII;
    for (size_t at = skip_ascii(bytes, 0, length); at < length; at = skip_ascii(bytes, at, length)) {
        kind = BEYOND_ASCII;
        while (at < length && bytes[at] >= 0x80) { /* other scripts come in runs */
            size_t count = character_length(bytes + at, length - at);
            if (!count) return NOT_UTF8;
            at += count;
        }
    }
    return kind;
}

static bool is_forbidden(const uint8_t *at, size_t left) {
    if (at[0] < 0x20) return at[0] != '\t' && at[0] != '\n' && at[0] != '\r';
    return at[0] == 0xEF && left > 2 && at[1] == 0xBF && at[2] >= 0xBE; /* U+FFFE, U+FFFF */
}

bool utf8_has_forbidden(const uint8_t *bytes, size_t length) {
    size_t at = 0;
    for (; length - at >= SIMD_WIDTH; at += SIMD_WIDTH) {
        simd_bytes some = simd_load(bytes + at);
        simd_bytes control = simd_at_most(some, 0x1F), wide = simd_equal(some, 0xEF);
        simd_bytes usual = simd_or(simd_or(simd_equal(some, '\n'), simd_equal(some, '\r')), simd_equal(some, '\t'));
        if (simd_mask(control) & ~simd_mask(usual)) return true;
        if (!simd_mask(wide)) continue;
        for (size_t near = at; near < at + SIMD_WIDTH; near++) {
            if (is_forbidden(bytes + near, length - near)) return true;
        }
    }
    for (; at < length; at++) {
        if (is_forbidden(bytes + at, length - at)) return true;
    }
    return false;
}
