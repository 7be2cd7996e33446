#include "markdown_escapes.h"

#include "bytes.h"
#include "simd.h"

bool is_ascii_punctuation(uint8_t byte) {
    return (byte > ' ' && byte < '0') || (byte > '9' && byte < 'A') || (byte > 'Z' && byte < 'a') || (byte > 'z' && byte < 0x7F);
}

static bool is_alphanumeric(uint8_t byte) { return byte_is(byte, LETTER | DIGIT); }

/* The length of a character reference; 0: none starts here. */
static int32_t reference_length(const uint8_t *text, int32_t left) {
    int32_t at = 1, first, most;
    if (left < 3 || text[0] != '&') return 0;
    if (text[1] != '#') {
        if (!byte_is(text[1], LETTER)) return 0;
        for (at = 2; at < left && at < 33 && is_alphanumeric(text[at]);) at++;
    } else {
        bool hex = (text[2] | 32) == 'x';
        first = at = hex ? 3 : 2;
        most = first + (hex ? 6 : 7);
        while (at < left && at < most && (byte_is(text[at], DIGIT) || (hex && (text[at] | 32) >= 'a' && (text[at] | 32) <= 'f'))) at++;
        if (at == first) return 0;
    }
    return at < left && text[at] == ';' ? at + 1 : 0;
}

/* Whether the special character or characters of `length` bytes at `at` need no backslash. */
static bool is_harmless(escaped_text *t, int32_t at, int32_t length) {
    uint8_t before = at > t->from ? t->text[at - 1] : 0, after = at + length < t->to ? t->text[at + length] : 0;
    uint8_t special = t->text[at];
    if (before == ' ' && after == ' ' && (special == '*' || special == '_' || special == '~')) return true;
    switch (special) {
    case '_':
        if ((before >= 0x80 && (after >= 0x80 || is_alphanumeric(after))) || (after >= 0x80 && is_alphanumeric(before)))
            t->unsure = true;
        return is_alphanumeric(before) && is_alphanumeric(after);
    case '~': return !t->tildes;
    case '\\': return after && !is_ascii_punctuation(after);
    case '<': return after && !byte_is(after, LETTER) && after != '/' && after != '!' && after != '?';
    case '[': return !t->linked && after != '^';
    case ']': return !t->linked && after != '(';
    case '!': return after || !t->before_link;
    case '$': return t->dollars != DOLLARS_ESCAPED;
    default: return false;
    }
}

/* The special characters, and colons, by byte. */
static const bool stops[256] = {['\\'] = true, ['`'] = true, ['*'] = true, ['~'] = true, ['<'] = true, ['['] = true,
                                [']'] = true,  ['$'] = true, ['_'] = true, ['&'] = true, ['!'] = true, [':'] = true};

/* Bytes that may be among them: all from [ to ` are, but one. */
static uint32_t stops_among(simd_bytes bytes) {
    static const char others[] = "!$&*:<~";
    simd_bytes found = simd_but(simd_at_most(bytes, '`'), simd_at_most(bytes, '[' - 1));
    for (size_t other = 0; other < sizeof others - 1; other++) found = simd_or(found, simd_equal(bytes, (uint8_t)others[other]));
    return simd_mask(found);
}

static int32_t next_stop(const uint8_t *text, int32_t at, int32_t to) {
    while (to - at >= SIMD_WIDTH) {
        uint32_t found = stops_among(simd_load(text + at));
        for (; found; found &= found - 1)
            if (stops[text[at + lowest_bit(found)]]) return at + lowest_bit(found);
        at += SIMD_WIDTH;
    }
    while (at < to && !stops[text[at]]) at++;
    return at;
}

/* The next special character; colons of an address on the way are noted. */
static int32_t next_special(const uint8_t *text, int32_t at, int32_t to, bool *address) {
    while ((at = next_stop(text, at, to)) < to && text[at] == ':') {
        if (to - at > 2 && text[at + 1] == '/' && text[at + 2] == '/') *address = true;
        at++;
    }
    return at;
}

bool write_escaped(escaped_text *t, output_buffer *line) {
    bool address = false, backslash = false;
    for (int32_t at = t->from; at < t->to;) {
        int32_t plain = at, length = 1;
        at = next_special(t->text, at, t->to, &address);
        uint8_t *to = output_reserve(line, (size_t)(at - plain) + 2);
        if (!to) return false;
        memcpy(to, t->text + plain, (size_t)(at - plain));
        line->used += (size_t)(at - plain);
        if (at == t->to) break;
        uint8_t special = t->text[at];
        if (special == '$' && t->dollars < DOLLARS_HARMLESS) t->unsure = true;
        if (special == '_')
            while (at + length < t->to && t->text[at + length] == '_') length++;
        if (special == '&') length = reference_length(t->text + at, t->to - at);
        bool escaped = length && !is_harmless(t, at, length);
        int32_t copies = special == '_' ? length : 1; /* every underscore has its own backslash */
        if (!output_reserve(line, (size_t)copies * 2)) return false;
        for (int32_t copy = 0; copy < copies; copy++) {
            if (escaped) line->bytes[line->used++] = '\\';
            line->bytes[line->used++] = special;
        }
        backslash = backslash || escaped || special == '\\';
        at += copies; /* the rest of a reference has nothing special */
    }
    if (address && backslash) t->unsure = true;
    return true;
}
