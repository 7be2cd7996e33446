#include "markup.h"

static span lower_name(tokenizer *t, int32_t start, int32_t stop) {
    store *s = t->store;
    int32_t first = s->length + s->spilled;
    bool same = true;
    for (int32_t at = start; at < stop && same; at++) {
        same = s->source[at] != 0 && byte_lower(s->source[at]) == s->source[at];
    }
    if (same) {
        return (span){start, stop};
    }
    for (int32_t at = start; at < stop && !t->failed; at++) {
        uint8_t lower = byte_lower(s->source[at]);
        t->failed = store_put(s, lower != 0 ? &lower : (const uint8_t *)"\xEF\xBF\xBD", lower != 0 ? 1 : 3) < 0;
    }
    return (span){first, s->length + s->spilled};
}

/* A quoted identifier after white space; false: missing or incomplete. */
static bool read_identifier(tokenizer *t, int32_t *at, span *out) {
    const store *s = t->store;
    *at = skip_space(s, *at);
    uint8_t quote = *at < s->length ? s->source[*at] : 0;
    if (quote != '"' && quote != '\'') {
        return false;
    }
    int32_t stop = *at + 1;
    while (stop < s->length && s->source[stop] != quote && s->source[stop] != '>') {
        stop++;
    }
    *out = decode(t, *at + 1, stop, REPLACE_NUL);
    bool closed = stop < s->length && s->source[stop] == quote;
    *at = closed ? stop + 1 : stop;
    return closed;
}

static bool is_at(const store *s, int32_t at, uint8_t byte) {
    return at < s->length && s->source[at] == byte;
}

/* Read name and identifiers from *at on; *at stops at `>`, at a syntax error, or at the end of the file. False: force
 * quirks. */
static bool read_parts(tokenizer *t, token *out, int32_t *at) {
    const store *s = t->store;
    int32_t name = *at = skip_space(s, *at);
    if (name == s->length || is_at(s, name, '>')) {
        return false;
    }
    *at = skip_to(s, name, ENDS_BARE_VALUE);
    out->name = lower_name(t, name, *at);
    *at = skip_space(s, *at);
    if (is_at(s, *at, '>')) {
        return true;
    }
    bool is_public = starts_with(s, *at, "public", 6);
    if (!is_public && !starts_with(s, *at, "system", 6)) {
        return false;
    }
    *at += 6;
    if (is_public) {
        if (!read_identifier(t, at, &out->public_id)) {
            return false;
        }
        *at = skip_space(s, *at);
        if (is_at(s, *at, '>')) {
            return true;
        }
    }
    if (!read_identifier(t, at, &out->system_id)) {
        return false;
    }
    *at = skip_space(s, *at);
    return *at < s->length;
}

void read_doctype(tokenizer *t, token *out, int32_t content) {
    const span missing = {-1, -1};
    int32_t at = content;
    out->kind = TOKEN_DOCTYPE;
    out->name = out->public_id = out->system_id = missing;
    out->force_quirks = !read_parts(t, out, &at);
    at = find_byte(t->store, '>', at);
    out->stop = t->at = at < t->store->length ? at + 1 : at;
}
