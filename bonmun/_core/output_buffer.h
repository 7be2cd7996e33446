/* Bytes that grow as a writer appends; `failed` is checked once at the end. */
#ifndef BONMUN_OUTPUT_BUFFER_H
#define BONMUN_OUTPUT_BUFFER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t *bytes;
    size_t used, room;
    bool failed; /* no memory: what follows is not written */
} output_buffer;

/* Make room for more bytes; NULL: there is none. */
static inline uint8_t *output_reserve(output_buffer *out, size_t more) {
    if (out->room - out->used < more) {
        size_t room = out->room + out->room / 2 + more + 64;
        uint8_t *larger = room > out->room && !out->failed ? realloc(out->bytes, room) : NULL;
        if (!larger) {
            out->failed = true;
            return NULL;
        }
        out->bytes = larger;
        out->room = room;
    }
    return out->bytes + out->used;
}

static inline void output_put(output_buffer *out, const void *bytes, size_t length) {
    uint8_t *to = length ? output_reserve(out, length) : NULL;
    if (!to) return;
    memcpy(to, bytes, length);
    out->used += length;
}

static inline void output_byte(output_buffer *out, uint8_t byte) {
    uint8_t *to = output_reserve(out, 1);
    if (!to) return;
    *to = byte;
    out->used++;
}

static inline void output_text(output_buffer *out, const char *text) { output_put(out, text, strlen(text)); }

void output_number(output_buffer *out, int64_t number);

/* Replace the bytes between two offsets by all bytes behind them. */
static inline void output_move_down(output_buffer *out, size_t from, size_t to) {
    if (out->failed || from >= to) return;
    memmove(out->bytes + from, out->bytes + to, out->used - to);
    out->used -= to - from;
}

#endif
