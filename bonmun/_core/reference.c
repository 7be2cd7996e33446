#include "reference.h"

#include "bytes.h"
#include "entities.h"

enum { REPLACEMENT_CHARACTER = 0xFFFD, LAST_CHARACTER = 0x10FFFF };

static int32_t put_utf8(uint8_t *out, uint32_t character) {
    if (character < 0x80) {
        out[0] = (uint8_t)character;
        return 1;
    }
    if (character < 0x800) {
        out[0] = (uint8_t)(0xC0 | character >> 6);
        out[1] = (uint8_t)(0x80 | (character & 0x3F));
        return 2;
    }
    if (character < 0x10000) {
        out[0] = (uint8_t)(0xE0 | character >> 12);
        out[1] = (uint8_t)(0x80 | (character >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (character & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | character >> 18);
    out[1] = (uint8_t)(0x80 | (character >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (character >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (character & 0x3F));
    return 4;
}

/* C1 control numbers mean windows-1252 characters, as the standard says. */
static uint32_t meant_character(uint32_t number) {
    static const uint16_t windows_1252[32] = {
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    };
    if (number >= 0x80 && number <= 0x9F) {
        return windows_1252[number - 0x80];
    }
    bool surrogate = number >= 0xD800 && number <= 0xDFFF;
    return number == 0 || surrogate || number > LAST_CHARACTER ? REPLACEMENT_CHARACTER : number;
}

/* The value of a digit; at least the base if the byte is no digit. */
static uint32_t digit_value(uint8_t byte, uint32_t base) {
    if (byte_is(byte, DIGIT)) {
        return (uint32_t)(byte - '0');
    }
    uint8_t letter = byte_lower(byte);
    return letter >= 'a' && letter <= 'f' ? (uint32_t)(letter - 'a' + 10) : base;
}

static bool read_numeric(const uint8_t *source, int32_t at, int32_t stop, replacement *out) {
    uint32_t base = 10, number = 0;
    if (at < stop && byte_lower(source[at]) == 'x') {
        base = 16;
        at++;
    }
    int32_t first = at;
    for (; at < stop; at++) {
        uint32_t digit = digit_value(source[at], base);
        if (digit >= base) {
            break;
        }
        if (number <= LAST_CHARACTER) { /* larger numbers are all replaced; avoids overflow */
            number = number * base + digit;
        }
    }
    if (at == first) {
        return false;
    }
    out->count = put_utf8(out->bytes, meant_character(number));
    out->stop = at < stop && source[at] == ';' ? at + 1 : at;
    return true;
}

static bool read_named(const uint8_t *source, int32_t at, int32_t stop, bool in_attribute, replacement *out) {
    int32_t length;
    const entity *named = entities_match(source + at, stop - at, &length);
    if (named == NULL) {
        return false;
    }
    out->stop = at + length;
    if (in_attribute && source[out->stop - 1] != ';' && out->stop < stop) {
        /* href="?a=1&copy=2" and "&copycat" are unescaped addresses, not copyright signs. */
        uint8_t next = source[out->stop];
        if (next == '=' || byte_is(next, LETTER | DIGIT)) {
            return false;
        }
    }
    out->count = put_utf8(out->bytes, named->first);
    if (named->second != 0) {
        out->count += put_utf8(out->bytes + out->count, named->second);
    }
    return true;
}

bool reference_read(const uint8_t *source, int32_t at, int32_t stop, bool in_attribute, replacement *out) {
    int32_t next = at + 1;
    if (next < stop && source[next] == '#') {
        return read_numeric(source, next + 1, stop, out);
    }
    return read_named(source, next, stop, in_attribute, out);
}
