#include "terms.h"

#include "bytes.h"
#include "characters.h"
#include "word64.h"

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

/* The kind of the character at an offset; advances the offset. */
static term_kind kind_at(const uint8_t *text, int32_t length, int32_t *at) {
    uint8_t byte = text[*at];
    if (byte >= 0x80) return kind_of_wide(character_at(text, length, at));
    (*at)++;
    return byte_is(byte, LETTER) ? LETTERS : byte_is(byte, DIGIT) ? NUMBER : NO_TERM;
}

/* The end of a run of ASCII letters, eight bytes at a time: where a word ends is hard to predict. */
static int32_t end_of_letters(const word_reader *r, int32_t at) {
    for (; r->length - at >= WORD; at += WORD) {
        uint64_t others = ~word_letters(word_load(r->text + at)) & EACH_BYTE(0x80);
        if (others) return at + lowest_bit(others) / 8;
    }
    while (at < r->length && byte_is(r->text[at], LETTER)) at++;
    return at;
}

/* The end of a run of letters or digits. */
static int32_t end_of_run(const word_reader *r, int32_t at, term_kind kind) {
    for (int32_t next;; at = next) {
        if (kind == LETTERS) at = end_of_letters(r, at);
        else
            while (at < r->length && byte_is(r->text[at], DIGIT)) at++;
        if (kind == NUMBER || at == r->length || r->text[at] < 0x80) return at;
        next = at;
        if (kind_of_wide(character_at(r->text, r->length, &next)) != LETTERS) return at;
    }
}

bool next_term(word_reader *r) {
    int32_t at = r->stop;
    term_kind kind = NO_TERM;
    while (kind == NO_TERM && at < r->length) {
        r->start = at;
        kind = kind_at(r->text, r->length, &at);
    }
    r->number = kind == NUMBER;
    r->stop = kind == NUMBER || kind == LETTERS ? end_of_run(r, at, kind) : at;
    return kind != NO_TERM;
}

static uint32_t hash_lower(const word_reader *r, uint32_t hash) {
    for (int32_t at = r->start; at < r->stop; at++) hash = hash_byte(hash, byte_lower(r->text[at]));
    return hash;
}

uint32_t term_hash(const word_reader *r, uint32_t *pair) {
    static const uint8_t zero = '0';
    const uint8_t *bytes = r->number ? &zero : r->text + r->start;
    int32_t length = r->number ? 1 : r->stop - r->start;
    uint32_t hash = HASH_START, after = *pair;
    for (int32_t at = 0; at < length; at++) { /* two chains, neither of which waits for the other */
        uint8_t byte = byte_lower(bytes[at]);
        hash = hash_byte(hash, byte);
        after = hash_byte(after, byte);
    }
    *pair = after;
    return hash;
}

static bool is_upper(uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }

static bool continues_word(uint8_t byte) { return (byte >= 'a' && byte <= 'z') || byte_is(byte, DIGIT) || byte >= 0x80; }

static bool is_in_run(uint8_t byte) { return byte_is(byte, LETTER | DIGIT) || byte >= 0x80; }

/* Passes a run of letters and digits; returns whether it is a hash, as bundlers of style sheets write them. */
static bool pass_made_up(const word_reader *r, int32_t *at) {
    int32_t start = *at, words = 0;
    bool upper = false, letter = false, digit = false, inside = false;
    for (; *at < r->length; ++*at) {
        uint8_t byte = r->text[*at];
        bool is_capital = is_upper(byte), is_digit = byte_is(byte, DIGIT);
        if (!is_in_run(byte)) break;
        words += *at == start || (is_capital && !upper);
        upper = is_capital;
        inside |= digit && !is_digit;
        digit = is_digit && letter;
        letter |= !is_digit;
    }
    return inside || (words >= HASHED_WORDS && *at - start < HASHED_LETTERS * words - 1);
}

/* The end of a run of the letters a to z, eight bytes at a time. */
static int32_t end_of_lower(const word_reader *r, int32_t at) {
    while (at < r->length) {
        int32_t left = r->length - at;
        uint64_t word = left >= WORD ? word_load(r->text + at) : word_load_padded(r->text + at, left, 0);
        uint64_t seven_bits = word & EACH_BYTE(0x7F);
        uint64_t others = (~word_at_least(seven_bits, 'a') | word_at_least(seven_bits, 'z' + 1) | word) & EACH_BYTE(0x80);
        if (others) return at + lowest_bit(others) / 8;
        at += WORD;
    }
    return at;
}

/* Finds the next run of letters and digits that is no hash. */
static bool next_run(word_reader *r) {
    int32_t at = r->run;
    while (at < r->length) {
        while (at < r->length && !is_in_run(r->text[at])) at++;
        r->stop = at;
        at = end_of_lower(r, at);
        if (at > r->stop && (at == r->length || !is_in_run(r->text[at]))) { /* most runs: one word */
            r->run = at;
            return true;
        }
        at = r->stop;
        bool made_up = pass_made_up(r, &at);
        r->run = at;
        if (!made_up) return r->stop < at;
        r->stop = at;
    }
    return false;
}

bool next_name_word(word_reader *r) {
    const uint8_t *text = r->text;
    while (r->stop < r->run || next_run(r)) {
        int32_t at = r->start = r->stop, digits = 0;
        if (end_of_lower(r, at) >= r->run) return r->stop = r->run, true;
        while (at < r->run && is_upper(text[at])) at++;
        for (; at < r->run && continues_word(text[at]); at++) digits += byte_is(text[at], DIGIT);
        r->stop = at;
        if (digits < at - r->start) return true;
    }
    return false;
}

uint32_t name_hash(const word_reader *r) { return hash_lower(r, HASH_START); }
