#include "markup.h"

static void put_comment(tokenizer *t, token *out, span content, int32_t stop) {
    out->kind = TOKEN_COMMENT;
    out->text = decode(t, content.start, content.stop, REPLACE_NUL);
    out->stop = t->at = stop;
}

/* The end of a comment closed by the end of the file: without an incomplete `-->` or `--!>`. */
static int32_t comment_stop_at_eof(const store *s, int32_t content) {
    int32_t stop = s->length;
    if (stop - content >= 3 && memcmp(s->source + stop - 3, "--!", 3) == 0) {
        return stop - 3;
    }
    for (int32_t dashes = 0; dashes < 2 && stop > content && s->source[stop - 1] == '-'; dashes++) {
        stop--;
    }
    return stop;
}

void read_comment(tokenizer *t, token *out, int32_t content) {
    const store *s = t->store;
    for (int32_t at = find_byte(s, '>', content); at < s->length; at = find_byte(s, '>', at + 1)) {
        const uint8_t *end = s->source + at;
        int32_t read = at - content;
        if (read >= 2 && end[-1] == '-' && end[-2] == '-') {
            put_comment(t, out, (span){content, at - 2}, at + 1);
            return;
        }
        if (read >= 3 && end[-1] == '!' && end[-2] == '-' && end[-3] == '-') {
            put_comment(t, out, (span){content, at - 3}, at + 1);
            return;
        }
        if (read == 0 || (read == 1 && end[-1] == '-')) { /* <!--> and <!---> */
            put_comment(t, out, (span){content, content}, at + 1);
            return;
        }
    }
    put_comment(t, out, (span){content, comment_stop_at_eof(s, content)}, s->length);
}

void read_bogus_comment(tokenizer *t, token *out, int32_t content) {
    int32_t end = find_byte(t->store, '>', content);
    put_comment(t, out, (span){content, end}, end < t->store->length ? end + 1 : end);
}
