/* Parts of the tokenizer. All read at t->at and advance it. */
#ifndef BONMUN_MARKUP_H
#define BONMUN_MARKUP_H

#include "bytes.h"
#include "decode.h"
#include "tokenizer.h"

/* tag.c: at `<` or `</` before a letter. An incomplete tag at the end of the source is dropped: end of file. */
void read_tag(tokenizer *t, token *out);
void read_start_tag(tokenizer *t, token *out); /* at `<`, with more than FAST_NAME + 1 bytes behind it */

/* comment.c: `content` is the offset behind the opening delimiter. */
void read_comment(tokenizer *t, token *out, int32_t content);
void read_bogus_comment(tokenizer *t, token *out, int32_t content);

/* doctype.c: `content` is the offset behind `<!doctype`. */
void read_doctype(tokenizer *t, token *out, int32_t content);

/* rawtext.c: the offset of the appropriate end tag that ends the raw text at t->at; the source's length if there is none. */
int32_t rawtext_end(const tokenizer *t);

static inline int32_t skip_space(const store *s, int32_t at) {
    while (at < s->length && byte_is(s->source[at], SPACE)) {
        at++;
    }
    return at;
}

static inline int32_t skip_to(const store *s, int32_t at, unsigned classes) {
    while (at < s->length && !byte_is(s->source[at], classes)) {
        at++;
    }
    return at;
}

/* Whether `lower` is at this offset, ASCII case-insensitive. */
static inline bool starts_with(const store *s, int32_t at, const char *lower, int32_t length) {
    if (length > s->length - at) {
        return false;
    }
    int32_t same = 0;
    while (same < length && byte_lower(s->source[at + same]) == (uint8_t)lower[same]) {
        same++;
    }
    return same == length;
}

#endif
