#include "decode.h"

#include "compiler.h"
#include "reference.h"
#include "utf8.h"

static int32_t upcoming(const store *s, int32_t *next, char byte, int32_t from) {
    if (*next < from) {
        *next = find_near(s, byte, from);
    }
    return *next;
}

static int32_t earlier(int32_t one, int32_t other) {
    return one < other ? one : other;
}

/* The offset of the first byte from `from` on that may need decoding. */
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

NOINLINE void find_upcoming(tokenizer *t, int32_t from) {
    t->next_special = upcoming_change(t, from, REPLACE_NUL | REFERENCES);
}

bool has_nul(tokenizer *t, int32_t start, int32_t stop) {
    return upcoming(t->store, &t->next_nul, '\0', start) < stop;
}

static bool is_known(const known_reference *known, const store *s, int32_t at) {
    return known->length != 0 && s->length - at >= WORD &&
           ((word_load(s->source + at) ^ known->word) & known->mask) == 0;
}

static void remember(known_reference *known, const store *s, int32_t at, const replacement *meaning) {
    int32_t length = meaning->stop - at;
    /* Without a semicolon the meaning depends on the bytes that follow. */
    if (length < WORD && s->length - at >= WORD && s->source[meaning->stop - 1] == ';') {
        *known = (known_reference){word_load(s->source + at), (UINT64_C(1) << 8 * length) - 1, length, *meaning};
    }
}

/* Decode the &, CR or NUL at `at`; false: an ampersand that starts no reference. */
static bool replace(tokenizer *t, int32_t at, int32_t stop, unsigned how, replacement *out) {
    const store *s = t->store;
    if (s->source[at] == '&') {
        if (is_known(&t->known, s, at)) {
            *out = t->known.meaning;
            out->stop = at + t->known.length;
            return true;
        }
        if (!reference_read(s->source, at, stop, (how & IN_ATTRIBUTE) != 0, out)) {
            return false;
        }
        remember(&t->known, s, at, out);
        t->store->refers_to_forbidden |= utf8_has_forbidden(out->bytes, (size_t)out->count);
        return true;
    }
    out->stop = at + 1;
    if (s->source[at] == '\r') {
        bool before_line_feed = out->stop < stop && s->source[out->stop] == '\n';
        out->bytes[0] = '\n';
        out->count = before_line_feed ? 0 : 1;
    } else {
        memcpy(out->bytes, "\xEF\xBF\xBD", 3);
        out->count = 3;
    }
    return true;
}

/* Append a part of the source and the replacement of the bytes behind it. */
static bool put(store *s, int32_t start, int32_t stop, const replacement *after) {
    int32_t count = stop - start, slack = NEARBY + (int32_t)sizeof after->bytes;
    if (count > INT32_MAX - slack || store_ensure(s, count + slack) < 0) {
        return false;
    }
    uint8_t *to = s->spill + s->spilled;
    /* A copy of fixed size needs no call; surplus bytes are overwritten later. */
    if (count <= NEARBY && s->length - start >= NEARBY) {
        memcpy(to, s->source + start, NEARBY);
    } else {
        memcpy(to, s->source + start, (size_t)count);
    }
    memcpy(to + count, after->bytes, sizeof after->bytes);
    s->spilled += count + after->count;
    return true;
}

NOINLINE span decode_special(tokenizer *t, int32_t start, int32_t stop, unsigned how) {
    store *s = t->store;
    int32_t first = s->length + s->spilled, copied = start;
    int32_t at = upcoming_change(t, start, how);
    replacement now = {{0}, 0, 0};
    while (at < stop) {
        if (!replace(t, at, stop, how, &now)) {
            at = upcoming_change(t, at + 1, how);
            continue;
        }
        if (!put(s, copied, at, &now)) {
            t->failed = true;
            return (span){start, start};
        }
        copied = now.stop;
        at = upcoming_change(t, copied, how);
    }
    if (copied == start) { /* no & started a reference */
        return (span){start, stop};
    }
    if (store_put(s, s->source + copied, stop - copied) < 0) {
        t->failed = true;
        return (span){start, start};
    }
    return (span){first, s->length + s->spilled};
}
