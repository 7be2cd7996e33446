#include "markup.h"

#include <stdlib.h>

#include "compiler.h"
#include "hints.h"
#include "simd.h"
#include "tags_table.h"

static inline int32_t intern(const store *s, names *n, int32_t start, int32_t stop) {
    int32_t length = stop - start, number = -1;
    if (length <= FAST_NAME && s->length - start >= FAST_NAME) {
        number = names_find(n, s->source + start, length);
    }
    return number >= 0 ? number : names_intern(n, s->source + start, length);
}

static COLD bool make_seen_room(tokenizer *t) {
    int32_t room = t->attribute_names->slots;
    int32_t *seen_in = realloc(t->seen_in, (size_t)room * sizeof *seen_in);
    if (seen_in == NULL) {
        t->failed = true;
        return false;
    }
    memset(seen_in + t->seen_room, 0, (size_t)(room - t->seen_room) * sizeof *seen_in);
    t->seen_in = seen_in;
    t->seen_room = room;
    return true;
}

/* Whether the current tag already has this attribute; records it. */
static inline bool is_duplicate(tokenizer *t, int32_t name) {
    if (name >= t->seen_room && !make_seen_room(t)) {
        return true;
    }
    bool before = t->seen_in[name] == t->tag_count;
    t->seen_in[name] = t->tag_count;
    return before;
}

COLD bool tokenizer_make_room(tokenizer *t, int32_t needed) {
    if (needed <= t->attribute_room) {
        return true;
    }
    int32_t room = t->attribute_room > INT32_MAX / 2 ? INT32_MAX : t->attribute_room * 2;
    if (room < needed) {
        room = needed;
    }
    if (!attribute_columns_grow(&t->attributes, t->attribute_room, room)) {
        t->failed = true;
        return false;
    }
    t->attribute_room = room;
    return true;
}

/* A one-hash Bloom filter of attribute names: a set bit means "maybe". */
static inline uint64_t name_bit(int32_t name) {
    return UINT64_C(1) << (name & (NAME_BITS - 1));
}

static inline void put_attribute(tokenizer *t, int32_t to, int32_t name, span value) {
    t->attributes.name[to] = name;
    t->attributes.start[to] = value.start;
    t->attributes.stop[to] = value.stop;
    if ((uint32_t)name - FIRST_NOTED_ATTRIBUTE <= LAST_NOTED_ATTRIBUTE - FIRST_NOTED_ATTRIBUTE) note_value(t, name, value);
}

static NOINLINE void keep_attribute(tokenizer *t, token *out, int32_t name, int32_t start, int32_t stop) {
    if (name < 0) {
        t->failed = true;
        return;
    }
    if (is_duplicate(t, name)) {
        return;
    }
    int32_t count = out->attribute_count, to = out->attribute_first + count;
    if (count >= t->most_attributes) {
        out->attributes_cut++;
    } else if (to < t->attribute_room || tokenizer_make_room(t, to + 1)) {
        out->attribute_count = count + 1;
        out->named |= name_bit(name);
        put_attribute(t, to, name, decode(t, start, stop, REPLACE_NUL | REFERENCES | IN_ATTRIBUTE));
    }
}

/* The raw value behind `=`; returns the offset behind it. */
static int32_t read_value(const store *s, int32_t at, span *value) {
    at = skip_space(s, at);
    uint8_t first = at < s->length ? s->source[at] : 0;
    if (first == '"' || first == '\'') {
        int32_t quote = find_byte(s, (char)first, at + 1);
        *value = (span){at + 1, quote};
        return quote < s->length ? quote + 1 : quote;
    }
    int32_t stop = skip_to(s, at, ENDS_BARE_VALUE);
    *value = (span){at, stop};
    return stop;
}

/* Returns the offset behind the attribute; the source's length if it is incomplete, and the tag with it. */
static NOINLINE int32_t read_any_attribute(tokenizer *t, token *out, int32_t start) {
    const store *s = t->store;
    /* The first byte belongs to the name even if it is `=`. */
    int32_t name_stop = skip_to(s, start + 1, ENDS_ATTRIBUTE_NAME), stop = name_stop;
    span value = {stop, stop};
    int32_t equals = skip_space(s, stop);
    if (equals < s->length && s->source[equals] == '=') {
        stop = read_value(s, equals + 1, &value);
    }
    if (out->kind == TOKEN_START && stop < s->length) {
        keep_attribute(t, out, intern(s, t->attribute_names, start, name_stop), value.start, value.stop);
    }
    return stop;
}

/* Bytes that read_simple_attribute reads without a check for the end of the source. */
enum { ATTRIBUTE_LOOKAHEAD = FAST_NAME + 2 + 2 * SIMD_WIDTH };

/* Fast path: name="value", neither of them long. Names are scanned byte by byte: branch prediction mostly knows their length,
 * so that nothing waits for it. Returns the offset behind the attribute; -1: use read_any_attribute. */
static ALWAYS_INLINE int32_t read_simple_attribute(tokenizer *t, token *out, int32_t start) {
    const store *s = t->store;
    const uint8_t *name = s->source + start;
    int32_t length = 1;
    while (length < FAST_NAME && !byte_is(name[length], ENDS_ATTRIBUTE_NAME)) {
        length++;
    }
    uint8_t quote = name[length + 1];
    if (name[length] != '=' || (quote != '"' && quote != '\'')) {
        return -1;
    }
    const uint8_t *value = name + length + 2;
    uint32_t quotes = simd_mask(simd_equal(simd_load(value), quote)) |
                      simd_mask(simd_equal(simd_load(value + SIMD_WIDTH), quote)) << SIMD_WIDTH;
    int32_t from = start + length + 2;
    int32_t stop = quotes != 0 ? from + lowest_bit(quotes) : find_near(s, (char)quote, from + 2 * SIMD_WIDTH);
    if (stop == s->length) {
        return stop;
    }
    int32_t number = names_find(t->attribute_names, name, length), count = out->attribute_count;
    if (number < 0 || number >= t->seen_room || count >= out->attribute_most) {
        keep_attribute(t, out, number >= 0 ? number : names_intern(t->attribute_names, name, length), from, stop);
    } else if (t->seen_in[number] != t->tag_count) {
        t->seen_in[number] = t->tag_count;
        out->attribute_count = count + 1;
        out->named |= name_bit(number);
        put_attribute(t, out->attribute_first + count, number,
                      decode(t, from, stop, REPLACE_NUL | REFERENCES | IN_ATTRIBUTE));
    }
    return stop + 1;
}

static inline void start_tag_token(tokenizer *t, token *out, token_kind kind, int32_t tag) {
    int32_t room = t->attribute_room - t->attributes_kept;
    out->kind = kind;
    out->tag = tag;
    out->self_closing = false;
    out->attribute_first = t->attributes_kept;
    out->attribute_most = room < t->most_attributes ? room : t->most_attributes;
    out->attribute_count = out->attributes_cut = 0;
    out->named = 0;
    t->tag_count++;
}

/* Read from `at`, behind the tag name, to the end of the tag. */
static inline void read_attributes(tokenizer *t, token *out, int32_t at) {
    const uint8_t *source = t->store->source;
    int32_t length = t->store->length, fast_until = out->kind == TOKEN_START ? length - ATTRIBUTE_LOOKAHEAD : -1, between = at;
    while (at < length && source[at] != '>') {
        if (byte_is(source[at], BETWEEN_ATTRIBUTES)) {
            at++;
            continue;
        }
        int32_t stop = at <= fast_until ? read_simple_attribute(t, out, at) : -1;
        between = at = stop < 0 ? read_any_attribute(t, out, at) : stop;
    }
    if (at < length) {
        out->self_closing = at > between && source[at - 1] == '/';
        at++;
    } else {
        out->kind = TOKEN_END_OF_FILE;
        out->start = at;
    }
    out->stop = t->at = at;
    if (out->tag == TAG_IMG || out->tag == TAG_IMAGE) {
        note_picture(t, out);
    }
    if (t->failed || out->tag < 0) {
        t->failed = true;
        out->kind = TOKEN_FAILED;
    }
}

NOINLINE void read_tag(tokenizer *t, token *out) {
    const store *s = t->store;
    bool is_end = s->source[t->at + 1] == '/';
    int32_t name = t->at + (is_end ? 2 : 1), stop = skip_to(s, name + 1, ENDS_TAG_NAME);
    start_tag_token(t, out, is_end ? TOKEN_END : TOKEN_START, intern(s, t->tags, name, stop));
    read_attributes(t, out, stop);
}

/* Fast path: most start tags have a known name. */
void read_start_tag(tokenizer *t, token *out) {
    int32_t start = t->at + 1, length = 1;
    const uint8_t *name = t->store->source + start;
    while (length < FAST_NAME && !byte_is(name[length], ENDS_TAG_NAME)) {
        length++;
    }
    int32_t tag = byte_is(name[length], ENDS_TAG_NAME) ? names_find(t->tags, name, length) : -1;
    out->start = t->at;
    if (tag < 0) {
        read_tag(t, out);
        return;
    }
    start_tag_token(t, out, TOKEN_START, tag);
    read_attributes(t, out, start + length);
}
