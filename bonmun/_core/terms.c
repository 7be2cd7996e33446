#include "terms.h"

#include "bytes.h"
#include "characters.h"
#include "digests.h"

typedef enum { NO_TERM, NUMBER, LETTERS, ALONE } term_kind;

static term_kind kind_of_wide(uint32_t character) {
    if (character < 0x2E80) {
        bool letter = character >= 0xC0 && (character <= 0x1FFF || character >= 0x2C00) && character != 0x1680;
        return letter && character <= 0x2DFF ? LETTERS : NO_TERM;
    }
    if (character <= 0xA4CF) return character <= 0x2FFF || character >= 0x3040 ? ALONE : NO_TERM;
    if (character <= 0xD7FF) return LETTERS;
    return (character >= 0xF900 && character <= 0xFAFF) || (character >= 0x20000 && character <= 0x3FFFF) ? ALONE : NO_TERM;
}

/* The kind of the character at a place, and the place after it. */
static term_kind kind_at(const uint8_t *text, int32_t length, int32_t *at) {
    uint8_t byte = text[*at];
    if (byte >= 0x80) return kind_of_wide(character_at(text, length, at));
    (*at)++;
    return byte_is(byte, LETTER) ? LETTERS : byte_is(byte, DIGIT) ? NUMBER : NO_TERM;
}

static void add_byte(word_reader *r, uint8_t byte) {
    r->digest = digest_byte(r->digest, byte);
    r->hash = hash_byte(r->hash, byte);
    r->pair = hash_byte(r->pair, byte);
}

static void add_letters(word_reader *r, int32_t start, int32_t stop) {
    for (int32_t at = start; at < stop; at++) add_byte(r, byte_lower(r->text[at]));
}

bool next_term(word_reader *r) {
    int32_t at = r->at, start = at;
    term_kind kind = NO_TERM;
    while (kind == NO_TERM && at < r->length) {
        start = at;
        kind = kind_at(r->text, r->length, &at);
    }
    r->at = at;
    if (kind == NO_TERM) return false;
    while (kind != ALONE && at < r->length && kind_at(r->text, r->length, &at) == kind) r->at = at;
    r->pair = hash_byte(r->hash, ' ');
    r->hash = HASH_START;
    r->digest = DIGEST_START;
    if (kind == NUMBER) add_byte(r, '0'); /* all numbers are one term */
    else add_letters(r, start, r->at);
    return true;
}

static bool is_upper(uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }

static bool goes_on(uint8_t byte) { return (byte >= 'a' && byte <= 'z') || byte_is(byte, DIGIT) || byte >= 0x80; }

bool next_name_word(word_reader *r) {
    const uint8_t *text = r->text;
    int32_t at = r->at;
    while (at < r->length) {
        while (at < r->length && !is_upper(text[at]) && !goes_on(text[at])) at++;
        int32_t start = at, digits = 0;
        r->hash = HASH_START;
        for (; at < r->length && is_upper(text[at]); at++) r->hash = hash_byte(r->hash, byte_lower(text[at]));
        for (; at < r->length && goes_on(text[at]); at++) {
            r->hash = hash_byte(r->hash, text[at]);
            digits += byte_is(text[at], DIGIT);
        }
        r->at = at;
        if (digits < at - start) return true;
    }
    return false;
}
