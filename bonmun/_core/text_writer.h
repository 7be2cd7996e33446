/* Text of a block as it is assembled: white space collapsed, or copied for code; invisible characters left out. */
#ifndef BONMUN_TEXT_WRITER_H
#define BONMUN_TEXT_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "simd.h"
#include "whitespace.h"

/* The length of an invisible character, a soft hyphen or stray byte order mark; 0: none. */
static inline int32_t invisible(const uint8_t *text, int32_t left) {
    if (text[0] == 0xC2) return left > 1 && text[1] == 0xAD ? 2 : 0;
    return text[0] == 0xEF && left > 2 && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0;
}

typedef struct {
    uint8_t *from, *to;
    int32_t chars;
    bool started, gap, solid; /* something was written; a space is pending; something but white space was seen */
} text_writer;

static inline void write_gap(text_writer *w) {
    if (w->gap) {
        *w->to++ = ' ';
        w->chars++;
    }
    w->gap = false;
    w->started = w->solid = true;
}

/* The bytes beyond ASCII that may start white space or an invisible character. Only with the two bytes behind it U+3000 can be told
 * from kana. */
static inline uint32_t may_be_no_text(simd_bytes bytes) {
    uint32_t last = simd_mask(simd_equal(bytes, 0x80)), wide = simd_mask(simd_equal(bytes, 0xE3));
    uint32_t others = simd_mask(simd_or(simd_or(simd_equal(bytes, 0xC2), simd_equal(bytes, 0xE1)),
                                        simd_or(simd_equal(bytes, 0xE2), simd_equal(bytes, 0xEF))));
    last |= UINT32_C(3) << SIMD_WIDTH; /* not read here */
    return others | (wide & last >> 1 & last >> 2);
}

/* Write the words with single spaces between them at the start of `length` bytes, up to SIMD_WIDTH; so many are read and written in
 * any case. Returns the number of bytes taken, which may end inside a character. */
static inline int32_t write_plain(text_writer *w, const uint8_t *text, int32_t length) {
    simd_bytes bytes = simd_load(text);
    uint32_t space = simd_mask(simd_equal(bytes, ' ')), odd = simd_mask(simd_at_most(bytes, 0x1F)), wide = simd_non_ascii(bytes);
    if (wide) odd |= may_be_no_text(bytes);
    uint32_t stops = odd | (space & (space << 1 | 1)) | UINT32_C(1) << (length < SIMD_WIDTH ? length : SIMD_WIDTH);
    int32_t taken = lowest_bit(stops);
    if (!taken) return 0;
    bool ends_in_gap = space >> (taken - 1) & 1;
    write_gap(w);
    memcpy(w->to, text, SIMD_WIDTH);
    w->to += taken - ends_in_gap;
    w->chars += taken - ends_in_gap;
    if (wide) w->chars -= bits_set(simd_continuations(bytes) & ((UINT32_C(1) << taken) - 1));
    w->gap = ends_in_gap;
    return taken;
}

/* Needs room for `length` bytes, and one more for a gap that is pending. `readable`: how many bytes can be read from the first on,
 * at least `length`; where they are more, there is room for SIMD_WIDTH bytes behind the text. */
static inline void write_collapsed(text_writer *w, const uint8_t *text, int32_t length, int32_t readable) {
    for (int32_t at = 0; at < length;) {
        uint8_t byte = text[at];
        bool is_far = readable - at >= SIMD_WIDTH;
        if (is_far) {
            int32_t taken = write_plain(w, text + at, length - at);
            at += taken;
            if (taken) continue;
        }
        if (byte <= ' ' || byte >= 0x80) {
            int32_t space = space_length(text + at, length - at);
            if (space) {
                w->gap = w->started;
                at += space;
                continue;
            }
            int32_t hidden = byte >= 0x80 ? invisible(text + at, length - at) : 0;
            if (hidden) {
                at += hidden;
                continue;
            }
        }
        write_gap(w);
        do { /* the rest of the character, and of an ASCII word near the end */
            w->chars += (text[at] & 0xC0) != 0x80;
            *w->to++ = text[at++];
        } while (at < length && ((text[at] & 0xC0) == 0x80 || (!is_far && text[at] > ' ' && text[at] < 0x80)));
    }
}

static inline void write_verbatim(text_writer *w, const uint8_t *text, int32_t length) {
    for (int32_t at = 0; at < length;) {
        int32_t hidden = text[at] >= 0x80 ? invisible(text + at, length - at) : 0;
        if (hidden) {
            at += hidden;
            continue;
        }
        w->solid = w->solid || !space_length(text + at, length - at);
        *w->to++ = text[at++];
        while (at < length && (text[at] & 0xC0) == 0x80) *w->to++ = text[at++];
    }
}

#endif
