#include "meta_prescan.h"

#include <string.h>

#include "bytes.h"

typedef struct {
    const uint8_t *bytes;
    int32_t length;
} page_head;

static const char *const META_NAMES[META_VALUES] = {
    [META_CHARSET] = "charset", [META_HTTP_EQUIV] = "http-equiv", [META_CONTENT] = "content"};

static int32_t skip(const page_head *h, int32_t at, unsigned classes) {
    while (at < h->length && byte_is(h->bytes[at], classes)) at++;
    return at;
}

static int32_t skip_to(const page_head *h, int32_t at, unsigned classes) {
    while (at < h->length && !byte_is(h->bytes[at], classes)) at++;
    return at;
}

/* The offset of a byte; the length if there is none. */
static int32_t find(const page_head *h, uint8_t byte, int32_t from) {
    if (from >= h->length) return h->length;
    const uint8_t *found = memchr(h->bytes + from, byte, (size_t)(h->length - from));
    return found ? (int32_t)(found - h->bytes) : h->length;
}

static bool is_name(const page_head *h, int32_t start, int32_t stop, const char *lower) {
    if (stop - start != (int32_t)strlen(lower)) return false;
    for (int32_t at = start; at < stop; at++)
        if (byte_lower(h->bytes[at]) != (uint8_t)lower[at - start]) return false;
    return true;
}

/* The offset behind an attribute's value; the length if it is cut off. */
static int32_t read_value(const page_head *h, int32_t at, span *value) {
    uint8_t first = at < h->length ? h->bytes[at] : 0;
    if (first == '"' || first == '\'') {
        int32_t quote = find(h, first, at + 1);
        *value = (span){at + 1, quote};
        return quote < h->length ? quote + 1 : quote;
    }
    int32_t stop = skip_to(h, at, ENDS_BARE_VALUE);
    *value = (span){at, stop};
    return stop;
}

/* Read the attributes of a tag from behind its name on. The first of each name counts. False: the tag is cut off. */
static bool read_attributes(const page_head *h, int32_t at, meta_element *out) {
    for (int name = 0; name < META_VALUES; name++) out->value[name] = (span){-1, -1};
    while ((at = skip(h, at, BETWEEN_ATTRIBUTES)) < h->length) {
        if (h->bytes[at] == '>') {
            out->stop = at + 1;
            return true;
        }
        /* The first byte belongs to the name even if it is `=`. */
        int32_t name = at, name_stop = skip_to(h, at + 1, ENDS_ATTRIBUTE_NAME);
        span value = {name_stop, name_stop};
        at = skip(h, name_stop, SPACE);
        if (at < h->length && h->bytes[at] == '=') {
            at = read_value(h, skip(h, at + 1, SPACE), &value);
        }
        for (int wanted = 0; wanted < META_VALUES; wanted++)
            if (out->value[wanted].start < 0 && is_name(h, name, name_stop, META_NAMES[wanted])) out->value[wanted] = value;
    }
    return false;
}

/* The offset behind a comment, doctype or the like; the length if it is cut off. */
static int32_t skip_other(const page_head *h, int32_t open) {
    bool is_comment = h->length - open >= 4 && memcmp(h->bytes + open, "<!--", 4) == 0;
    int32_t close = find(h, '>', open + 2);
    while (is_comment && close < h->length && !(close >= open + 4 && memcmp(h->bytes + close - 2, "--", 2) == 0))
        close = find(h, '>', close + 1);
    return close < h->length ? close + 1 : close;
}

bool next_meta(const uint8_t *head, int32_t length, int32_t at, meta_element *out) {
    const page_head h = {head, length};
    for (at = find(&h, '<', at); at < length - 1; at = find(&h, '<', at)) {
        bool is_end = head[at + 1] == '/';
        int32_t name = at + 1 + is_end;
        if (name < length && byte_is(head[name], LETTER)) {
            int32_t stop = skip_to(&h, name, ENDS_TAG_NAME);
            bool is_meta = !is_end && is_name(&h, name, stop, "meta");
            if (!read_attributes(&h, is_meta ? stop : skip_to(&h, stop, ENDS_BARE_VALUE), out)) return false;
            at = out->stop;
            if (is_meta && (out->value[META_CHARSET].start >= 0 || out->value[META_HTTP_EQUIV].start >= 0)) return true;
        } else if (byte_is(head[at + 1], OPENS_MARKUP)) {
            at = skip_other(&h, at);
        } else {
            at++;
        }
    }
    return false;
}
