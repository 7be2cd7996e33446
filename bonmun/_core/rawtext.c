/* The end of raw text: the appropriate end tag, of the element's own name. In scripts the escaped and double escaped states
 * (`<!--` … `<script`) hide it, for compatibility with scripts written for browsers without script support. */
#include "markup.h"

/* Whether the tag name at an offset is `lower`. */
static bool is_tag_name(const store *s, int32_t at, const char *lower, int32_t length) {
    return starts_with(s, at, lower, length) && at + length < s->length &&
           byte_is(s->source[at + length], ENDS_TAG_NAME);
}

static bool is_appropriate_end_tag(const tokenizer *t, int32_t at) {
    const names *tags = t->tags;
    int32_t start = tags->starts[t->raw_tag], length = tags->starts[t->raw_tag + 1] - start;
    return t->store->length - at > 2 && t->store->source[at + 1] == '/' &&
           is_tag_name(t->store, at + 2, (const char *)tags->bytes + start, length);
}

/* The offset behind the first `-->` in a range; -1: none. */
static int32_t behind_comment(const store *s, int32_t from, int32_t stop) {
    const uint8_t *at = s->source + from, *end = s->source + stop;
    while ((at = memchr(at, '>', (size_t)(end - at))) != NULL) {
        int32_t here = (int32_t)(at - s->source);
        if (here - from >= 2 && at[-1] == '-' && at[-2] == '-') {
            return here + 1;
        }
        at++;
    }
    return -1;
}

/* The script data escaped states, from the dashes of `<!--` on: `<script` enters the double escaped state, `</script` leaves
 * it, `-->` ends both. Returns the offset behind `-->`, or that of the end tag. The search for `-->` stops at the next `<`:
 * no byte is read more than twice. */
static int32_t script_escaped_end(const tokenizer *t, int32_t from) {
    const store *s = t->store;
    bool double_escaped = false;
    for (int32_t at = from;;) {
        int32_t open = find_byte(s, '<', at), behind = behind_comment(s, at, open);
        if (behind >= 0) {
            return behind;
        }
        if (open == s->length || (!double_escaped && is_appropriate_end_tag(t, open))) {
            return open;
        }
        if (!double_escaped) {
            double_escaped = is_tag_name(s, open + 1, "script", 6);
        } else if (open + 1 < s->length && s->source[open + 1] == '/') {
            double_escaped = !is_tag_name(s, open + 2, "script", 6);
        }
        at = open + 1;
    }
}

int32_t rawtext_end(const tokenizer *t) {
    const store *s = t->store;
    if (t->raw_tag < 0) {
        return s->length;
    }
    int32_t at = find_byte(s, '<', t->at);
    while (at < s->length && !is_appropriate_end_tag(t, at)) {
        if (t->model == MODEL_SCRIPT && starts_with(s, at, "<!--", 4)) {
            at = script_escaped_end(t, at + 2);
        } else {
            at++;
        }
        at = find_byte(s, '<', at);
    }
    return at;
}
