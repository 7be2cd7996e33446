#include "decode.h"

#include "reference.h"

static int32_t upcoming(const store *s, int32_t *next, char byte, int32_t from) {
    if (*next < from) {
        *next = find_byte(s, byte, from);
    }
    return *next;
}

static int32_t earlier(int32_t one, int32_t other) {
    return one < other ? one : other;
}

/* The first byte at or behind `from` that may mean something else than itself. */
static int32_t upcoming_change(tokenizer *t, int32_t from, unsigned how) {
    int32_t next = upcoming(t->store, &t->next_return, '\r', from);
    if (how & REPLACE_NUL) {
        next = earlier(next, upcoming(t->store, &t->next_nul, '\0', from));
    }
    if (how & REFERENCES) {
        next = earlier(next, upcoming(t->store, &t->next_reference, '&', from));
    }
    return next;
}

void find_upcoming(tokenizer *t, int32_t from) {
    t->next_special = upcoming_change(t, from, REPLACE_NUL | REFERENCES);
}

bool has_nul(tokenizer *t, int32_t start, int32_t stop) {
    return upcoming(t->store, &t->next_nul, '\0', start) < stop;
}

static bool replace(const uint8_t *source, int32_t at, int32_t stop, unsigned how, replacement *out) {
    if (source[at] == '&') {
        return reference_read(source, at, stop, (how & IN_ATTRIBUTE) != 0, out);
    }
    out->stop = at + 1;
    if (source[at] == '\r') {
        bool before_line_feed = out->stop < stop && source[out->stop] == '\n';
        out->bytes[0] = '\n';
        out->count = before_line_feed ? 0 : 1;
    } else {
        memcpy(out->bytes, "\xEF\xBF\xBD", 3);
        out->count = 3;
    }
    return true;
}

span decode_special(tokenizer *t, int32_t start, int32_t stop, unsigned how) {
    store *s = t->store;
    int32_t first = s->length + s->spilled, copied = start;
    int32_t at = upcoming_change(t, start, how);
    while (at < stop) {
        replacement now;
        if (!replace(s->source, at, stop, how, &now)) {
            at = upcoming_change(t, at + 1, how);
            continue;
        }
        if (store_put(s, s->source + copied, at - copied) < 0 || store_put(s, now.bytes, now.count) < 0) {
            t->failed = true;
            return (span){start, start};
        }
        copied = now.stop;
        at = upcoming_change(t, copied, how);
    }
    if (copied == start) { /* every & was just an ampersand */
        return (span){start, stop};
    }
    if (store_put(s, s->source + copied, stop - copied) < 0) {
        t->failed = true;
        return (span){start, start};
    }
    return (span){first, s->length + s->spilled};
}
