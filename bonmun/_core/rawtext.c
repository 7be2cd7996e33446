/* Where raw text ends. Only an end tag of the element's own name ends it; in scripts, `<!--` hides even that under
 * circumstances that go back to scripts written for browsers that knew none. */
#include "markup.h"

static bool is_tag_name(const store *s, int32_t at, const char *lower, int32_t length) {
    return starts_with(s, at, lower, length) && at + length < s->length &&
           byte_is(s->source[at + length], ENDS_TAG_NAME);
}

static bool is_end_tag(const tokenizer *t, int32_t at) {
    const names *tags = t->tags;
    int32_t start = tags->starts[t->raw_tag], length = tags->starts[t->raw_tag + 1] - start;
    return t->store->length - at > 2 && t->store->source[at + 1] == '/' &&
           is_tag_name(t->store, at + 2, (const char *)tags->bytes + start, length);
}

/* The offset behind the first `-->` between two offsets; -1: none. */
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

/* Inside a script from the dashes of `<!--` on: `<script` hides the next `</script`, until `-->` ends it all. Returns
 * the offset behind `-->`, or that of the end tag. The search for `-->` never goes beyond the next `<`: no byte is
 * read more than twice. */
static int32_t escaped_end(const tokenizer *t, int32_t from) {
    const store *s = t->store;
    bool hidden = false;
    for (int32_t at = from;;) {
        int32_t open = find_byte(s, '<', at), behind = behind_comment(s, at, open);
        if (behind >= 0) {
            return behind;
        }
        if (open == s->length || (!hidden && is_end_tag(t, open))) {
            return open;
        }
        if (!hidden) {
            hidden = is_tag_name(s, open + 1, "script", 6);
        } else if (open + 1 < s->length && s->source[open + 1] == '/') {
            hidden = !is_tag_name(s, open + 2, "script", 6);
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
    while (at < s->length && !is_end_tag(t, at)) {
        if (t->model == MODEL_SCRIPT && starts_with(s, at, "<!--", 4)) {
            at = escaped_end(t, at + 2);
        } else {
            at++;
        }
        at = find_byte(s, '<', at);
    }
    return at;
}
