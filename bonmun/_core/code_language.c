#include "code_language.h"

#include <string.h>

#include "bytes.h"
#include "tags_table.h"
#include "whitespace.h"

static bool is(attribute_value word, const char *text) {
    return (size_t)word.length == strlen(text) && memcmp(word.bytes, text, (size_t)word.length) == 0;
}

static bool is_among(attribute_value word, const char *const *texts, size_t count) {
    for (size_t at = 0; at < count; at++)
        if (is(word, texts[at])) return true;
    return false;
}

static bool is_highlighter(attribute_value word) {
    static const char *const names[] = {CODE_HIGHLIGHTERS};
    return is_among(word, names, sizeof names / sizeof *names);
}

static bool is_of_name(uint8_t byte) {
    return byte_is(byte, LETTER | DIGIT) || byte == '+' || byte == '#' || byte == '.' || byte == '-';
}

/* The bytes at the start that a language's name can have. */
static int32_t name_length(attribute_value word) {
    int32_t length = 0;
    while (length < word.length && is_of_name(word.bytes[length])) length++;
    return length;
}

static bool is_language(attribute_value word) {
    static const char *const others[] = {CODE_NO_LANGUAGE};
    if (!word.length || !byte_is(word.bytes[0], LETTER) || name_length(word) < word.length) return false;
    return !is_among(word, others, sizeof others / sizeof *others);
}

/* Whether a class name is a prefix with the name of a language, which is found. */
static bool is_prefixed(attribute_value word, attribute_value *name) {
    static const char *const prefixes[] = {CODE_PREFIXES};
    static const char suffix[] = CODE_SUFFIX;
    const int32_t end = (int32_t)sizeof suffix - 1;
    for (size_t at = 0; at < sizeof prefixes / sizeof *prefixes; at++) {
        int32_t length = (int32_t)strlen(prefixes[at]);
        if (word.length <= length + 1 || memcmp(word.bytes, prefixes[at], (size_t)length) != 0 || word.bytes[length] != '-') continue;
        *name = (attribute_value){word.bytes + length + 1, word.length - length - 1};
        if (name_length(*name) < name->length) return false;
        if (name->length > end && memcmp(name->bytes + name->length - end, suffix, (size_t)end) == 0) name->length -= end;
        return true;
    }
    return false;
}

/* Find the next word of class names; false: there is none. */
static bool next_word(attribute_value names, int32_t *at, attribute_value *word) {
    int32_t space;
    while (*at < names.length && (space = space_length(names.bytes + *at, names.length - *at))) *at += space;
    int32_t from = *at;
    while (*at < names.length && !space_length(names.bytes + *at, names.length - *at)) (*at)++;
    *word = (attribute_value){names.bytes + from, *at - from};
    return word->length > 0;
}

/* Find the name behind the first "brush:" that has one; false: letters beyond ASCII before it may be part of its word. */
static bool find_brush(attribute_value names, attribute_value *name) {
    static const char brush[] = "brush:";
    const int32_t length = (int32_t)sizeof brush - 1;
    for (int32_t at = 0; at + length < names.length; at++) {
        if (names.bytes[at] != 'b' || memcmp(names.bytes + at, brush, (size_t)length) != 0) continue;
        uint8_t before = at ? names.bytes[at - 1] : ' ';
        if (before >= 0x80) return false;
        if (byte_is(before, LETTER | DIGIT) || before == '_') continue;
        attribute_value rest = {names.bytes + at + length, names.length - at - length};
        int32_t space;
        while (rest.length && (space = space_length(rest.bytes, rest.length))) {
            rest.bytes += space;
            rest.length -= space;
        }
        rest.length = name_length(rest);
        if (!rest.length) continue;
        *name = rest;
        return true;
    }
    return true;
}

/* Find the name in the words of a highlighter's class. */
static bool find_bare(attribute_value names, bool figure, attribute_value *language) {
    attribute_value word, name;
    bool highlighted = false, first = true;
    for (int32_t at = 0; next_word(names, &at, &word); first = false)
        highlighted = highlighted || is_highlighter(word) || (figure && first && is(word, "highlight"));
    for (int32_t at = 0; highlighted && next_word(names, &at, &word);)
        if (!is_highlighter(word) && !is_prefixed(word, &name) && is_language(word)) {
            *language = word;
            return true;
        }
    return false;
}

/* Find the language that an element declares, of length 0 for none; false: Python has to look. */
static bool declared(const writer_page *page, int32_t row, attribute_value *language) {
    static const int attributes[] = {WRITER_NAME_DATA_LANG, WRITER_NAME_DATA_LANGUAGE, WRITER_NAME_DATA_ENLIGHTER_LANGUAGE};
    attribute_value word, name = {NULL, 0};
    for (size_t at = 0; at < sizeof attributes / sizeof *attributes; at++) {
        *language = writer_attribute(page, row, attributes[at]);
        if (is_language(*language)) return true;
    }
    attribute_value names = writer_attribute(page, row, WRITER_NAME_CLASS);
    language->length = 0;
    if (!names.length) return true;
    for (int32_t at = 0; next_word(names, &at, &word);)
        if (is_prefixed(word, language) && is_language(*language)) return true;
    if (!find_brush(names, &name)) return false;
    *language = name;
    if (is_language(name) || find_bare(names, page->nodes.tag[row] == TAG_FIGURE, language)) return true;
    language->length = 0;
    return true;
}

static bool is_preformatted(int32_t tag) {
    return tag == TAG_PRE || tag == TAG_LISTING || tag == TAG_PLAINTEXT || tag == TAG_XMP;
}

static bool is_table_part(int32_t tag) { return tag == TAG_TABLE || tag == TAG_TBODY || tag == TAG_TR || tag == TAG_TD; }

/* Whether the tag of a row may be that of its role. */
static bool may_be_of_role(int32_t tag) { return is_table_part(tag) || tag == TAG_TH || tag == TAG_UL || tag == TAG_LI; }

/* The same for the elements around a text, innermost first. */
static bool language_around(const writer_page *page, int32_t text, attribute_value *language) {
    const int32_t *parent = page->nodes.parent, *tag = page->nodes.tag;
    int32_t above[CODE_INSIDE], count = 0, outer = -1, wrappers = 0;
    for (int32_t row = parent[text]; row >= 0 && count < CODE_INSIDE; row = parent[row]) {
        if (may_be_of_role(tag[row]) && writer_attribute(page, row, WRITER_NAME_ROLE).bytes) return false;
        if (is_preformatted(tag[row])) outer = count;
        above[count++] = row;
    }
    int32_t inside = outer < 0 ? count - 1 : outer;
    for (int32_t at = 0; at < inside; at++) {
        if (tag[above[at]] != TAG_CODE) continue;
        if (!declared(page, above[at], language)) return false;
        if (language->length) return true;
    }
    for (int32_t at = outer < 0 ? 0 : outer; at < count && wrappers <= CODE_WRAPPERS; at++) {
        if (is_table_part(tag[above[at]])) continue;
        wrappers++;
        if (tag[above[at]] == TAG_HTML || tag[above[at]] == TAG_BODY) continue;
        if (!declared(page, above[at], language)) return false;
        if (language->length) return true;
    }
    return true;
}

bool code_language(const writer_page *page, int32_t block, attribute_value *language) {
    const node_view *nodes = &page->nodes;
    int32_t skipped = page->flags[block] & FLAG_HIDDEN ? FLAG_UNRENDERED : FLAG_UNRENDERED | FLAG_HIDDEN, first = -1;
    for (int32_t row = page->first[block]; row < page->stop[block]; row++) {
        if (nodes->tag[row] == TAG_IMG) return false;
        if (first < 0 && nodes->chars[row] && !(nodes->flags[row] & skipped)) first = row;
    }
    *language = (attribute_value){NULL, 0};
    return first < 0 || language_around(page, first, language);
}
