#include "ordinary.h"

#include <string.h>

#include "bytes.h"
#include "constants_table.h"
#include "meta_prescan.h"
#include "utf8.h"

static bool is_word(const uint8_t *text, int32_t length, const char *lower) {
    if (length != (int32_t)strlen(lower)) return false;
    for (int32_t at = 0; at < length; at++)
        if (byte_lower(text[at]) != (uint8_t)lower[at]) return false;
    return true;
}

static bool is_utf8_label(const uint8_t *text, int32_t length) {
    while (length && byte_is(*text, SPACE)) text++, length--;
    while (length && byte_is(text[length - 1], SPACE)) length--;
    return is_word(text, length, "utf-8") || is_word(text, length, "utf8");
}

enum { CHARSET = 7 };

/* The offset of the first "charset" in a text, the length if there is none. */
static int32_t find_charset(const uint8_t *text, int32_t length) {
    for (int32_t at = 0; at + CHARSET <= length; at++)
        if ((text[at] | 32) == 'c' && is_word(text + at, CHARSET, "charset")) return at;
    return length;
}

/* The label in the value of `content`, up to a semicolon or space; false: it has none, or one that Python has to find. */
static bool content_says_utf8(const uint8_t *text, int32_t length, int32_t at) {
    at += CHARSET;
    while (at < length && byte_is(text[at], SPACE)) at++;
    if (at == length || text[at++] != '=') return false;
    while (at < length && byte_is(text[at], SPACE)) at++;
    int32_t stop = at;
    while (stop < length && text[stop] != ';' && !byte_is(text[stop], SPACE)) stop++;
    return is_utf8_label(text + at, stop - at);
}

typedef enum { SAYS_NOTHING, SAYS_UTF8, SAYS_OTHER } saying;

static saying says(const uint8_t *head, const meta_element *meta) {
    const span charset = meta->value[META_CHARSET], type = meta->value[META_HTTP_EQUIV], content = meta->value[META_CONTENT];
    if (charset.start >= 0)
        return is_utf8_label(head + charset.start, charset.stop - charset.start) ? SAYS_UTF8 : SAYS_OTHER;
    if (content.start < 0 || !is_word(head + type.start, type.stop - type.start, "content-type")) return SAYS_NOTHING;
    int32_t length = content.stop - content.start, at = find_charset(head + content.start, length);
    if (at == length) return SAYS_NOTHING;
    return content_says_utf8(head + content.start, length, at) ? SAYS_UTF8 : SAYS_OTHER;
}

/* Whether the page declares UTF-8, or nothing at all. An XML declaration is left to Python. */
static bool declares_no_other(const uint8_t *source, int32_t length) {
    int32_t head = length < PRESCAN_BYTES ? length : PRESCAN_BYTES, at = 0;
    for (meta_element meta; next_meta(source, head, at, &meta); at = meta.stop) {
        saying said = says(source, &meta);
        if (said != SAYS_NOTHING) return said == SAYS_UTF8;
    }
    return length < 5 || memcmp(source, "<?xml", 5) != 0;
}

bool is_ordinary_source(store *s, bool is_decoded) {
    const uint8_t *source = s->source;
    int32_t length = s->length, start = 0;
    while (start < length && start < MARKUP_START && byte_is(source[start], SPACE)) start++;
    if (length - start < 2 || start == MARKUP_START || source[start] != '<' || !byte_is(source[start + 1], OPENS_MARKUP)) return false;
    if (!is_decoded && !declares_no_other(source, length)) return false;
    int kind = utf8_kind(source, (size_t)length);
    s->is_valid = kind != NOT_UTF8 && !(kind & HAS_FORBIDDEN);
    s->without_return = s->is_valid && !(kind & HAS_RETURN);
    return s->is_valid;
}
