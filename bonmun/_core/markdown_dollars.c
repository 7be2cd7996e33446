#include "markdown_dollars.h"

#include <string.h>

#include "bytes.h"

static const uint8_t *after_spaces(const uint8_t *at, const uint8_t *stop) {
    while (at < stop && *at == ' ') at++;
    return at;
}

/* The end of a letter or a number, which may be in braces; NULL: none is here. */
static const uint8_t *after_operand(const uint8_t *at, const uint8_t *stop) {
    at += at < stop && *at == '{';
    const uint8_t *start = at;
    if (at < stop && byte_is(*at, LETTER)) at++;
    else
        while (at < stop && byte_is(*at, DIGIT)) at++;
    if (at == start) return NULL;
    return at + (at < stop && *at == '}');
}

/* Whether a text is letters and numbers with operators between, not numbers alone. */
static bool is_sum(const uint8_t *at, const uint8_t *stop) {
    bool letters = false;
    for (const uint8_t *byte = at; byte < stop && !letters; byte++) letters = byte_is(*byte, LETTER);
    while (letters && (at = after_operand(at, stop)) && at < stop) {
        at = after_spaces(at, stop);
        if (at == stop || !byte_in(*at, "-+=/^,")) return false;
        at = after_spaces(at + 1, stop);
    }
    return letters && at;
}

/* Whether a text has commands, and nothing that is escaped in Markdown; a NUL is between two runs. */
static bool has_commands(const uint8_t *at, const uint8_t *stop) {
    bool command = false;
    for (; at < stop; at++) {
        if (!*at || byte_in(*at, "*_`~<>[]|&!")) return false;
        if (*at != '\\') continue;
        if (++at == stop || !byte_is(*at, LETTER)) return false;
        command = true;
    }
    return command;
}

static bool is_tex(const uint8_t *text, const uint8_t *stop) { return is_sum(text, stop) || has_commands(text, stop); }

static bool starts_displayed(const uint8_t *text, const uint8_t *stop) {
    text = after_spaces(text, stop);
    return stop - text > 1 && text[0] == '$' && text[1] == '$';
}

static const uint8_t *next_dollar(const uint8_t *from, const uint8_t *stop) {
    return from < stop ? memchr(from, '$', (size_t)(stop - from)) : NULL;
}

dollar_signs dollars_of_text(const uint8_t *text, size_t length, bool in_cell) {
    const uint8_t *stop = text + length, *before = next_dollar(text, stop), *here;
    if (!before) return DOLLARS_HARMLESS;
    if (!in_cell && starts_displayed(text, stop)) return DOLLARS_ESCAPED;
    while (before && (here = next_dollar(before + 1, stop))) {
        bool digit_follows = here + 1 < stop && byte_is(here[1], DIGIT);
        bool paired = here > before + 1 && before[1] != ' ' && here[-1] != ' ' && !digit_follows;
        if (paired && !is_tex(before + 1, here)) return DOLLARS_ESCAPED;
        before = paired ? next_dollar(here + 1, stop) : here; /* a sign closes one pair, and opens no other */
    }
    return DOLLARS_HARMLESS;
}
