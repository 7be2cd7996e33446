/* Text of a block as it is assembled: white space collapsed, or copied for code; invisible characters left out. */
#ifndef BONMUN_TEXT_WRITER_H
#define BONMUN_TEXT_WRITER_H

#include <stdbool.h>
#include <stdint.h>

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

static inline void write_collapsed(text_writer *w, const uint8_t *text, int32_t length) {
    for (int32_t at = 0; at < length;) {
        uint8_t byte = text[at];
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
        if (w->gap) {
            *w->to++ = ' ';
            w->chars++;
        }
        w->gap = false;
        w->started = w->solid = true;
        do { /* the rest of the character, and of an ASCII word */
            w->chars += (text[at] & 0xC0) != 0x80;
            *w->to++ = text[at++];
        } while (at < length && ((text[at] & 0xC0) == 0x80 || (text[at] > ' ' && text[at] < 0x80)));
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
