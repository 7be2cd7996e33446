#include "characters.h"

/* Classes of ASCII characters. */
enum { ANY, LOWER, GAP, COMMA, COLON, CURRENCY, QUOTE, BRACKET, UPPER, DIGIT, STOP, CLASSES };

static const uint8_t class_of[128] = {
    ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, GAP, ANY, ANY, ANY, ANY, ANY,
    ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY,
    GAP, STOP, QUOTE, ANY, CURRENCY, ANY, ANY, ANY, BRACKET, BRACKET, ANY, ANY, COMMA, ANY, STOP, ANY,
    DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, COLON, COMMA, ANY, ANY, ANY, STOP,
    ANY, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER,
    UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, UPPER, BRACKET, ANY, BRACKET, ANY, ANY,
    ANY, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER,
    LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, LOWER, ANY, ANY, ANY, ANY, ANY};

typedef struct {
    const uint8_t *text;
    int32_t length, characters, twice, thrice; /* characters of width 2 and 3 */
    text_counts counts;
} reading;

static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

static bool between(uint32_t character, uint32_t first, uint32_t last) {
    return character - first <= last - first;
}

/* Whether a full stop before this offset ends a sentence: a gap, a closing mark or the end follows. */
static bool closes(const uint8_t *text, int32_t length, int32_t at) {
    if (at >= length) return true;
    uint32_t next = character_at(text, length, &at);
    return next == ' ' || next == '\n' || next == '"' || next == '\'' || next == ')' || next == 0xBB || next == 0x2019 ||
           next == 0x201D;
}

/* Count a run of digits; returns the offset behind it. */
static int32_t count_digits(reading *r, int32_t at) {
    const uint8_t *text = r->text;
    int32_t start = at;
    while (at < r->length && is_digit(text[at])) at++;
    r->characters += at - start;
    r->counts.digits += at - start;
    r->counts.years += at - start == 4 && ((text[start] == '1' && text[start + 1] == '9') ||
                                           (text[start] == '2' && text[start + 1] == '0'));
    uint8_t mark = start > 1 && is_digit(text[start - 2]) ? text[start - 1] : 0;
    r->counts.dates += mark == '-' || mark == '/' || mark == '.' || mark == ':';
    return at;
}

static void count_wide_mark(reading *r, uint32_t character, int32_t start, int32_t stop) {
    text_counts *counts = &r->counts;
    bool after_digit = start && is_digit(r->text[start - 1]);
    switch (character) {
    case 0x2026: counts->sentences += closes(r->text, r->length, stop); break;
    case 0x61F: case 0x6D4: case 0x964: case 0x3002: case 0xFF01: case 0xFF1F: case 0xFF61: counts->sentences++; break;
    case 0x60C: case 0x3001: case 0xFF0C: case 0xFF1B: counts->commas++; break;
    case 0xFF1A: counts->colons++; break;
    case 0xA3: case 0xA5: case 0x20A9: case 0x20AC: case 0x20B9: case 0xFFE5: counts->currencies++; break;
    case 0x5143: case 0x5186: case 0xC6D0: counts->currencies += after_digit; break;
    case 0xAB: case 0xBB: case 0x201C: case 0x201D: case 0x300C: case 0x300D: case 0x300E: case 0x300F: counts->quotes++; break;
    case 0x3010: case 0x3011: case 0xFF08: case 0xFF09: counts->brackets++; break;
    case 0x5E74: case 0x6708: case 0x65E5: case 0xB144: case 0xC6D4: case 0xC77C: counts->dates += after_digit; break;
    default: break;
    }
}

static int32_t count_wide(reading *r, int32_t start) {
    int32_t stop = start;
    uint32_t character = character_at(r->text, r->length, &stop);
    r->characters++;
    r->thrice += between(character, 0x2E80, 0xA4CF) || between(character, 0xF900, 0xFAFF) ||
                 between(character, 0xFF00, 0xFF60) || between(character, 0x20000, 0x3FFFF);
    r->twice += between(character, 0x1100, 0x11FF) || between(character, 0xA960, 0xA97F) || between(character, 0xAC00, 0xD7FF);
    count_wide_mark(r, character, start, stop);
    return stop;
}

static bool ends_sentence(const uint8_t *text, int32_t length) {
    int32_t at = length - 1;
    while (at > 0 && (text[at] & 0xC0) == 0x80) at--;
    if (at < 0) return false;
    switch (character_at(text, length, &at)) {
    case '"': case '\'': case ')': case '.': case '!': case '?': case 0x2019: case 0x201D: case 0x2026: case 0x3002:
    case 0xFF01: case 0xFF1F: case 0xFF61: case 0x964: case 0x61F: case 0x6D4: return true;
    default: return false;
    }
}

text_counts count_characters(const uint8_t *text, int32_t length) {
    reading r = {text, length, 0, 0, 0, {0}};
    int32_t seen[CLASSES] = {0};
    for (int32_t at = 0; at < length;) {
        if (text[at] >= 0x80) {
            at = count_wide(&r, at);
            continue;
        }
        uint8_t class = class_of[text[at]];
        if (class == DIGIT) {
            at = count_digits(&r, at);
            continue;
        }
        seen[class]++;
        if (class == UPPER) r.counts.capitalised += at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
        if (class == STOP) r.counts.sentences += closes(text, length, at + 1);
        at++;
    }
    text_counts counts = r.counts;
    for (int class = 0; class < CLASSES; class++) r.characters += seen[class];
    counts.size = r.characters + r.twice + 2 * r.thrice;
    counts.words = seen[GAP] + (length > 0) + r.thrice / 3;
    counts.commas += seen[COMMA];
    counts.colons += seen[COLON];
    counts.currencies += seen[CURRENCY];
    counts.quotes += seen[QUOTE];
    counts.brackets += seen[BRACKET];
    counts.upper = seen[UPPER];
    counts.letters = seen[UPPER] + seen[LOWER];
    counts.ends_sentence = ends_sentence(text, length);
    return counts;
}
