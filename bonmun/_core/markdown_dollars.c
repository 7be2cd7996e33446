#include "markdown_dollars.h"

#include <string.h>

#include "bytes.h"

static bool may_be_in_sum(uint8_t byte) {
    return byte_is(byte, LETTER | DIGIT) || (byte && strchr("{}-+=/^, ", byte));
}

/* Whether a text is surely no TeX: it has several runs, or no command and more than letters and numbers with operators between. */
static bool is_no_tex(const uint8_t *text, size_t length) {
    bool is_sum = true;
    if (memchr(text, 0, length)) return true;
    if (memchr(text, '\\', length)) return false;
    for (size_t at = 0; at < length && is_sum; at++)
        is_sum = may_be_in_sum(text[at]) && !(at && byte_is(text[at], LETTER) && byte_is(text[at - 1], LETTER));
    return !is_sum;
}

static bool starts_displayed(const uint8_t *text, size_t length) {
    while (length && *text == ' ') {
        text++;
        length--;
    }
    return length > 1 && text[0] == '$' && text[1] == '$';
}

dollar_signs dollars_of_text(const uint8_t *text, size_t length, bool in_cell) {
    const uint8_t *before = length ? memchr(text, '$', length) : NULL, *stop = text + length;
    if (!before) return DOLLARS_HARMLESS;
    if (!in_cell && starts_displayed(text, length)) return DOLLARS_ESCAPED;
    for (const uint8_t *here; (here = memchr(before + 1, '$', (size_t)(stop - before - 1))); before = here) {
        bool digit_follows = here + 1 < stop && byte_is(here[1], DIGIT);
        if (here == before + 1 || before[1] == ' ' || here[-1] == ' ' || digit_follows) continue;
        return is_no_tex(before + 1, (size_t)(here - before - 1)) ? DOLLARS_ESCAPED : DOLLARS_UNKNOWN;
    }
    return DOLLARS_HARMLESS;
}
