#include "tokenizer.h"

#include <stdlib.h>

#include "chars.h"
#include "compiler.h"
#include "simd.h"
#include "markup.h"

/* Most texts have at most NEAR bytes. */
enum { NEAR = 2 * SIMD_WIDTH, TEXT_LOOKAHEAD = NEAR + 1 };

/* Most pages have more bytes per attribute; untouched room costs nothing. */
enum { FIRST_ATTRIBUTES = 16, BYTES_PER_ATTRIBUTE = 64 };

int tokenizer_init(tokenizer *t, store *s, names *tags, names *attribute_names, int32_t most_attributes) {
    *t = (tokenizer){
        .store = s,
        .tags = tags,
        .attribute_names = attribute_names,
        .raw_tag = -1,
        .fast_until = s->length - TEXT_LOOKAHEAD,
        .most_attributes = most_attributes,
        .next_reference = -1,
        .next_return = s->without_return ? s->length : -1,
        .next_nul = s->is_valid ? s->length : -1,
        .next_special = -1,
    };
    return tokenizer_make_room(t, FIRST_ATTRIBUTES + s->length / BYTES_PER_ATTRIBUTE) ? 0 : -1;
}

void tokenizer_free(tokenizer *t) {
    attribute_columns_free(&t->attributes);
    free(t->seen_in);
    t->seen_in = NULL;
    t->attribute_room = t->seen_room = 0;
}

static void set_model(tokenizer *t, content_model model) {
    t->model = model;
    t->fast_until = model == MODEL_DATA ? t->store->length - TEXT_LOOKAHEAD : -1;
}

void tokenizer_set_content_model(tokenizer *t, content_model model, int32_t raw_tag) {
    set_model(t, model);
    t->raw_tag = raw_tag;
}

static bool is_blank(const store *s, span text) {
    const uint8_t *at = store_at(s, text.start), *stop = at + (text.stop - text.start);
    while (at < stop && byte_is(*at, SPACE)) {
        at++;
        if (stop - at >= WORD && word_load(at) == EACH_BYTE(' ')) { /* indentation */
            at += WORD;
        }
    }
    return at == stop;
}

static void put_text(tokenizer *t, token *out, int32_t stop, unsigned how) {
    int32_t start = t->at;
    out->kind = TOKEN_TEXT;
    out->start = start;
    out->stop = t->at = stop;
    if (is_plain(t, start, stop)) {
        out->has_nul = false;
        out->text = (span){start, stop};
    } else {
        out->has_nul = !(how & REPLACE_NUL) && has_nul(t, start, stop);
        out->text = decode_special(t, start, stop, how);
    }
    out->blank = is_blank(t->store, out->text);
    out->chars = out->blank ? 0 : CHARS_UNKNOWN;
}

/* Whether the `<` at this offset starts markup. */
static bool opens_markup(const store *s, int32_t at) {
    int32_t behind = s->length - at;
    return behind >= 2 && byte_is(s->source[at + 1], OPENS_MARKUP) && (behind >= 3 || s->source[at + 1] != '/');
}

/* All read_… functions from here on: false if the markup gives no token (`</>`, `<![CDATA[`). */
static bool read_declaration(tokenizer *t, token *out) {
    const store *s = t->store;
    int32_t content = t->at + 2;
    if (starts_with(s, content, "--", 2)) {
        read_comment(t, out, content + 2);
    } else if (starts_with(s, content, "doctype", 7)) {
        read_doctype(t, out, content + 7);
    } else if (t->in_foreign && s->length - content >= 7 && memcmp(s->source + content, "[CDATA[", 7) == 0) {
        t->at = content + 7;
        set_model(t, MODEL_CDATA);
        return false;
    } else {
        read_bogus_comment(t, out, content);
    }
    return true;
}

static bool read_markup(tokenizer *t, token *out) {
    const uint8_t *at = t->store->source + t->at;
    out->start = t->at;
    if (byte_is(at[1], LETTER) || (at[1] == '/' && byte_is(at[2], LETTER))) {
        read_tag(t, out);
    } else if (at[1] == '!') {
        return read_declaration(t, out);
    } else if (at[1] == '?') {
        read_bogus_comment(t, out, t->at + 1);
    } else if (at[2] == '>') {
        t->at += 3;
        return false;
    } else {
        read_bogus_comment(t, out, t->at + 2);
    }
    return true;
}

static bool read_data(tokenizer *t, token *out) {
    const store *s = t->store;
    if (s->source[t->at] == '<' && opens_markup(s, t->at)) {
        return read_markup(t, out);
    }
    int32_t stop = find_near(s, '<', t->at + 1);
    while (stop < s->length && !opens_markup(s, stop)) {
        stop = find_byte(s, '<', stop + 1);
    }
    put_text(t, out, stop, REFERENCES);
    return true;
}

static bool read_cdata(tokenizer *t, token *out) {
    const store *s = t->store;
    int32_t start = t->at, end = find_byte(s, '>', start);
    while (end < s->length && (end - start < 2 || memcmp(s->source + end - 2, "]]", 2) != 0)) {
        end = find_byte(s, '>', end + 1);
    }
    int32_t stop = end < s->length ? end - 2 : end;
    if (stop > start) {
        put_text(t, out, stop, 0);
    }
    t->at = end < s->length ? end + 1 : end;
    set_model(t, MODEL_DATA);
    return stop > start;
}

static bool read_raw(tokenizer *t, token *out) {
    int32_t stop = t->model == MODEL_PLAINTEXT ? t->store->length : rawtext_end(t);
    if (stop > t->at) {
        put_text(t, out, stop, t->model == MODEL_RCDATA ? REPLACE_NUL | REFERENCES : REPLACE_NUL);
    } else {
        set_model(t, MODEL_DATA);
        out->start = stop;
        read_tag(t, out);
    }
    return true;
}

static NOINLINE void read_any_token(tokenizer *t, token *out) {
    bool found = false;
    while (!found && t->at < t->store->length) {
        if (t->model == MODEL_DATA) {
            found = read_data(t, out);
        } else if (t->model == MODEL_CDATA) {
            found = read_cdata(t, out);
        } else {
            found = read_raw(t, out);
        }
    }
    if (!found) {
        out->kind = TOKEN_END_OF_FILE;
        out->start = out->stop = t->store->length;
    }
    if (t->failed) {
        out->kind = TOKEN_FAILED;
    }
}

static inline uint32_t gap_bits(simd_bytes bytes) {
    simd_bytes usual = simd_or(simd_or(simd_equal(bytes, ' '), simd_equal(bytes, '\n')), simd_equal(bytes, '\t'));
    return simd_mask(simd_or(usual, simd_equal(bytes, '\f')));
}

/* Controls and parts of characters beyond ASCII. */
static inline uint32_t odd_bits(simd_bytes bytes) { return simd_mask(simd_or(bytes, simd_at_most(bytes, 0x1F))); }

/* Fast path: most texts are short, often white space between two tags. */
static inline void read_text(tokenizer *t, token *out, const uint8_t *bytes) {
    simd_bytes one = simd_load(bytes), other = simd_load(bytes + SIMD_WIDTH);
    uint32_t open = simd_mask(simd_equal(one, '<')) | simd_mask(simd_equal(other, '<')) << SIMD_WIDTH;
    int32_t count = open != 0 ? lowest_bit(open) : 0, start = t->at, stop = start + count;
    if (count == 0 || !byte_is(bytes[count + 1], OPENS_MARKUP) || t->next_special < stop) {
        read_any_token(t, out);
        return;
    }
    uint32_t gap = gap_bits(one) | gap_bits(other) << SIMD_WIDTH, before = (open & (0 - open)) - 1;
    out->kind = TOKEN_TEXT;
    out->start = start;
    out->stop = t->at = stop;
    out->has_nul = false;
    out->text = (span){start, stop};
    uint32_t solid = ~gap & before; /* no CR: it would be special */
    out->blank = solid == 0;
    out->chars = 0;
    if (solid) out->chars = (odd_bits(one) | odd_bits(other) << SIMD_WIDTH) & solid ? CHARS_UNKNOWN : chars_of_bits(solid);
}

/* Fast path: most end tags are just a known name. */
static inline void read_end_tag(tokenizer *t, token *out, const uint8_t *bytes) {
    const uint8_t *name = bytes + 2;
    int32_t length = 1, start = t->at;
    while (length < FAST_NAME && !byte_is(name[length], ENDS_TAG_NAME)) {
        length++;
    }
    int32_t tag = name[length] == '>' ? names_find(t->tags, name, length) : -1;
    out->start = start;
    if (tag < 0) {
        read_tag(t, out);
        return;
    }
    out->kind = TOKEN_END;
    out->stop = t->at = start + 2 + length + 1;
    out->tag = tag;
    out->self_closing = false;
    out->attribute_first = t->attributes_kept;
    out->attribute_count = out->attributes_cut = 0;
}

/* The first bytes select the fast path: most tokens are tags and the texts between them. */
void tokenizer_next(tokenizer *t, token *out) {
    const uint8_t *bytes = t->store->source + t->at;
    if (t->at >= t->fast_until) {
        read_any_token(t, out);
    } else if (bytes[0] != '<') {
        read_text(t, out, bytes);
    } else if (byte_is(bytes[1], LETTER)) {
        read_start_tag(t, out);
    } else if (bytes[1] == '/' && byte_is(bytes[2], LETTER)) {
        read_end_tag(t, out, bytes);
    } else {
        read_any_token(t, out);
    }
}
