#include "scripts.h"

#include <string.h>

#include "bytes.h"

static const char PLAIN[] = "0123456789+-=()ni"; /* and the minus sign, as '-' */
static const char *const RAISED[] = {
    "\xE2\x81\xB0", "\xC2\xB9", "\xC2\xB2", "\xC2\xB3", "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6",
    "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9", "\xE2\x81\xBA", "\xE2\x81\xBB", "\xE2\x81\xBC", "\xE2\x81\xBD",
    "\xE2\x81\xBE", "\xE2\x81\xBF", "\xE2\x81\xB1"};
static const char *const LOWERED[] = {
    "\xE2\x82\x80", "\xE2\x82\x81", "\xE2\x82\x82", "\xE2\x82\x83", "\xE2\x82\x84", "\xE2\x82\x85", "\xE2\x82\x86",
    "\xE2\x82\x87", "\xE2\x82\x88", "\xE2\x82\x89", "\xE2\x82\x8A", "\xE2\x82\x8B", "\xE2\x82\x8C", "\xE2\x82\x8D",
    "\xE2\x82\x8E", "\xE2\x82\x99", "\xE1\xB5\xA2"};

static bool is_at(const uint8_t *text, int32_t left, const char *character) {
    int32_t length = (int32_t)strlen(character);
    return left >= length && memcmp(text, character, (size_t)length) == 0;
}

/* The Unicode form of the character that starts here, and its length in the text; NULL: it has none. */
static const char *shifted(bool raised, const uint8_t *text, int32_t left, int32_t *used) {
    bool minus = is_at(text, left, "\xE2\x88\x92");
    const char *plain = text[0] && text[0] < 0x80 ? strchr(PLAIN, text[0]) : minus ? strchr(PLAIN, '-') : NULL;
    *used = minus ? 3 : 1;
    return plain ? (raised ? RAISED : LOWERED)[plain - PLAIN] : NULL;
}

static uint8_t *append(uint8_t *to, const char *text) {
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

/* Digits, signs, parentheses, n and i, between them also commas, dashes and spaces; 0: something else. */
static int32_t unicode_form(bool raised, const uint8_t *core, int32_t length, uint8_t *form) {
    uint8_t *to = form;
    bool letter = false; /* the previous character is one */
    for (int32_t at = 0, used; at < length; at += used) {
        const char *character = shifted(raised, core + at, length - at, &used);
        bool is_letter = character && byte_is(core[at], LETTER);
        if (letter && is_letter) return 0;
        letter = is_letter;
        if (character) {
            to = append(to, character);
            continue;
        }
        used = is_at(core + at, length - at, "\xE2\x80\x93") ? 3 : core[at] == ',' || core[at] == ' ' ? 1 : 0;
        if (!used || at == 0) return 0;
        memcpy(to, core + at, (size_t)used);
        to += used;
    }
    return (int32_t)(to - form);
}

/* The length of an ASCII or Greek letter; 0: another character. */
static int32_t letter_at(const uint8_t *text, int32_t left) {
    if (byte_is(text[0], LETTER)) return 1;
    return left > 1 && (text[0] == 0xCE || text[0] == 0xCF) ? 2 : 0;
}

/* The length of an operator, a separator or a digit; 0: another character. */
static int32_t symbol_at(const uint8_t *text, int32_t left) {
    if (byte_is(text[0], DIGIT) || (text[0] && text[0] < 0x80 && strchr("+-*/=.,()^_ ", text[0]))) return 1;
    if (is_at(text, left, "\xC3\x97") || is_at(text, left, "\xC2\xB7")) return 2;
    return is_at(text, left, "\xE2\x88\x92") ? 3 : 0;
}

typedef enum { BASE_NONE, BASE_DIGIT, BASE_CAPITAL, BASE_OTHER } script_base;

/* What a script stands behind: a number, a one-letter variable, a parenthesis or another script. */
static script_base base_of(const uint8_t *text, int32_t length) {
    if (!length) return BASE_NONE;
    uint8_t last = text[length - 1];
    if (byte_is(last, DIGIT)) return BASE_DIGIT;
    if (last == ')') return BASE_OTHER;
    if (last >= 0x80) {
        const uint8_t *two = text + length - 2, *three = text + length - 3;
        if (length >= 2 && two[0] == 0xC2 && (last == 0xB9 || last == 0xB2 || last == 0xB3)) return BASE_OTHER;
        if (length >= 3 && three[0] == 0xE2 && ((three[1] == 0x81 && last >= 0xB0) || (three[1] == 0x82 && last <= 0x8E)))
            return BASE_OTHER;
    }
    int32_t letter = last < 0x80 ? 1 : 2;
    if (length < letter || letter_at(text + length - letter, letter) != letter) return BASE_NONE;
    if (length > letter && (text[length - letter - 1] >= 0x80 || byte_is(text[length - letter - 1], LETTER)))
        return BASE_NONE;
    return last >= 'A' && last <= 'Z' ? BASE_CAPITAL : BASE_OTHER;
}

/* Whether it is an expression, which needs a marker after its base. */
static bool is_expression(script_base base, const uint8_t *core, int32_t length) {
    int32_t letters = 0, adjacent = 0, digits = 0, characters = 0;
    for (int32_t at = 0, used; at < length; at += used, characters++) {
        used = letter_at(core + at, length - at);
        adjacent = used ? adjacent + 1 : 0;
        letters += used > 0;
        digits += byte_is(core[at], DIGIT);
        if (adjacent == 3) return false;
        if (!used) used = symbol_at(core + at, length - at);
        if (!used) return false;
    }
    if (core[0] == '.' || core[0] == ',' || !(letters + digits)) return false;
    if (letters < characters) return true;
    const char *abbreviated = base == BASE_OTHER ? SCRIPT_ALWAYS_ABBREVIATED : SCRIPT_ABBREVIATED;
    return characters == 1 && (core[0] >= 0x80 || !strchr(abbreviated, core[0]));
}

int32_t script_form(bool raised, const uint8_t *core, int32_t length, const uint8_t *before, int32_t before_length,
                    uint8_t form[MAX_FORM]) {
    int32_t written = unicode_form(raised, core, length, form);
    if (written) return written;
    script_base base = base_of(before, before_length);
    uint8_t *to = form;
    int32_t at = 0, used;
    if (base != BASE_NONE && is_expression(base, core, length)) {
        bool single = letter_at(core, length) == length;
        *to++ = script_marker(raised);
        if (!single) *to++ = '(';
        memcpy(to, core, (size_t)length);
        to += length;
        if (!single) *to++ = ')';
        return (int32_t)(to - form);
    }
    if (base != BASE_DIGIT || !byte_is(core[0], DIGIT)) return 0;
    for (; at < length && byte_is(core[at], DIGIT); at++) to = append(to, shifted(raised, core + at, length - at, &used));
    memcpy(to, core + at, (size_t)(length - at));
    return (int32_t)(to - form) + length - at;
}

bool script_has_unicode_form(const uint8_t *core, int32_t length) {
    uint8_t form[MAX_FORM];
    return unicode_form(true, core, length, form) > 0;
}

uint8_t *script_shifted(bool raised, const uint8_t *text, int32_t length, uint8_t *to) {
    for (int32_t at = 0, used; at < length; at += used) {
        const char *character = shifted(raised, text + at, length - at, &used);
        if (character) to = append(to, character);
        else *to++ = text[at]; /* a byte: `used` is 1 */
    }
    return to;
}
