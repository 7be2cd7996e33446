#include "addresses.h"

#include "bytes.h"
#include "tags_table.h"

enum { LONGEST_ADDRESS = 4096 };

static bool is_in(uint8_t byte, const char *characters) { return byte && strchr(characters, byte) != NULL; }

static bool starts_with(attribute_value value, const char *start) {
    size_t length = strlen(start);
    return (size_t)value.length >= length && memcmp(value.bytes, start, length) == 0;
}

/* Whether the rest of an address from a path on stays as it is in a URL: no character that is encoded, no dot segment. A
 * semicolon may end a character reference in Markdown, and is left to the twin. */
static bool is_plain_rest(attribute_value value, int32_t from) {
    bool in_path = true, in_fragment = false;
    for (int32_t at = from; at < value.length; at++) {
        uint8_t byte = value.bytes[at];
        if (byte_is(byte, LETTER | DIGIT)) continue;
        if (byte == '#') {
            if (in_fragment) return false;
            in_fragment = true;
            in_path = false;
        } else if (byte == '?') {
            in_path = false;
        } else if (byte == '.') {
            if (in_path && (at == from || value.bytes[at - 1] == '/')) return false;
        } else if (byte == '%') {
            if (in_path && at + 2 < value.length && value.bytes[at + 1] == '2' && byte_lower(value.bytes[at + 2]) == 'e') return false;
        } else if (byte == '\'') {
            if (!in_path) return false; /* encoded in a query */
        } else if (!is_in(byte, "-_~!$&()*+,=:@/")) {
            return false;
        }
    }
    return true;
}

/* The end of a host in lower case with a name for its last label; -1: it is another one. */
static int32_t end_of_host(attribute_value value, int32_t from) {
    int32_t at = from, label = from;
    for (; at < value.length && !is_in(value.bytes[at], "/?#"); at++) {
        uint8_t byte = value.bytes[at];
        if (byte == '.') {
            if (at == label) return -1;
            label = at + 1;
        } else if (!(byte >= 'a' && byte <= 'z') && !byte_is(byte, DIGIT) && byte != '-') {
            return -1;
        }
        if (byte == '-' && at + 1 < value.length && value.bytes[at + 1] == '-') return -1; /* Punycode */
    }
    for (int32_t letter = label; letter < at; letter++)
        if (byte_is(value.bytes[letter], DIGIT) || value.bytes[letter] == '-') return -1;
    return at - label >= 2 && label > from ? at : -1;
}

static void put(output_buffer *out, attribute_value value) { output_put(out, value.bytes, (size_t)value.length); }

/* An address with a host, from "//" on. */
static bool write_with_host(attribute_value scheme, attribute_value value, int32_t slashes, output_buffer *out) {
    int32_t host = end_of_host(value, slashes + 2);
    if (host < 0 || (host < value.length && value.bytes[host] != '/') || !is_plain_rest(value, host)) return false;
    put(out, scheme);
    put(out, value);
    if (host == value.length) output_byte(out, '/');
    return true;
}

static bool append(attribute_value base, attribute_value value, output_buffer *out) {
    if (!base.length || !is_plain_rest(value, 0)) return false;
    put(out, base);
    put(out, value);
    return true;
}

/* Whether there is a colon before the first slash. */
static bool has_scheme(attribute_value value) {
    for (int32_t at = 0; at < value.length && value.bytes[at] != '/'; at++)
        if (value.bytes[at] == ':') return true;
    return false;
}

/* A relative address of a page without URL stays as it is. */
static bool write_relative(attribute_value value, output_buffer *out) {
    for (int32_t at = 0; at < value.length; at++)
        if (!byte_is(value.bytes[at], LETTER | DIGIT) && !is_in(value.bytes[at], "-._~!$&()*+,=:@/%?#")) return false;
    put(out, value);
    return true;
}

/* A path from the page's folder, through those above it. */
static bool write_from_folder(const address_bases *bases, attribute_value value, output_buffer *out) {
    attribute_value folder = bases->folder;
    for (int32_t step; (step = starts_with(value, "./") ? 2 : starts_with(value, "../") ? 3 : 0); value.length -= step) {
        value.bytes += step;
        if (step == 2 || folder.length <= bases->root.length + 1) continue; /* nothing is above the root */
        folder.length--;
        while (folder.length > bases->root.length + 1 && folder.bytes[folder.length - 1] != '/') folder.length--;
    }
    return append(folder, value, out);
}

/* A telephone number or mail address of plain characters. */
static bool write_contact(attribute_value value, output_buffer *out) {
    int32_t at = starts_with(value, "tel:") ? 4 : starts_with(value, "mailto:") ? 7 : value.length;
    if (at == value.length) return false;
    for (; at < value.length; at++)
        if (!byte_is(value.bytes[at], LETTER | DIGIT) && !is_in(value.bytes[at], "+-._@")) return false;
    put(out, value);
    return true;
}

bool write_link_address(const address_bases *bases, attribute_value href, output_buffer *out) {
    static const attribute_value none = {NULL, 0};
    href = without_spaces(href);
    if (!href.length || href.length > LONGEST_ADDRESS) return false;
    if (!bases->relative && !bases->scheme.length) return false; /* joined to an invalid URL, no address is valid */
    if (starts_with(href, "http://") || starts_with(href, "https://"))
        return write_with_host(none, href, href.bytes[4] == 's' ? 6 : 5, out);
    if (has_scheme(href)) return write_contact(href, out);
    if (bases->relative) return write_relative(href, out);
    if (starts_with(href, "//")) return bases->scheme.length && write_with_host(bases->scheme, href, 0, out);
    if (href.bytes[0] == '/') return append(bases->root, href, out);
    if (href.bytes[0] == '#') return append(bases->own, href, out);
    if (href.bytes[0] == '?') return false;
    return write_from_folder(bases, href, out);
}

static bool is_word(attribute_value value, int32_t at, const char *word) {
    for (; *word; word++, at++)
        if (at >= value.length || byte_lower(value.bytes[at]) != (uint8_t)*word) return false;
    return true;
}

/* The end of the first word of a list at a place; the place itself: there is none. */
static int32_t word_end(attribute_value value, int32_t at, const char *const *words, size_t count) {
    for (size_t word = 0; word < count; word++)
        if (is_word(value, at, words[word])) return at + (int32_t)strlen(words[word]);
    return at;
}

static const char *const PLACEHOLDER_NAMES[] = {PLACEHOLDER_WORDS}, *const PICTURE_TYPES[] = {PLACEHOLDER_TYPES};
enum { NAMES = sizeof PLACEHOLDER_NAMES / sizeof *PLACEHOLDER_NAMES, TYPES = sizeof PICTURE_TYPES / sizeof *PICTURE_TYPES };

static uint8_t byte_at(attribute_value value, int32_t at) { return at < value.length ? byte_lower(value.bytes[at]) : 0; }

/* The end of the start of a placeholder's name: a word, or a size as 1x1. */
static int32_t start_end(attribute_value value, int32_t at) {
    int32_t end = word_end(value, at, PLACEHOLDER_NAMES, NAMES);
    bool size = byte_is(byte_at(value, at), DIGIT) && byte_at(value, at + 1) == 'x' && byte_is(byte_at(value, at + 2), DIGIT);
    return end == at && size ? at + 3 : end;
}

/* Whether the type of a picture ends the name of a file here. */
static bool is_type(attribute_value value, int32_t at) {
    if (byte_at(value, at) != '.') return false;
    int32_t end = word_end(value, at + 1, PICTURE_TYPES, TYPES);
    return end > at + 1 && (end == value.length || value.bytes[end] == '?' || value.bytes[end] == '#');
}

/* Whether the file that is named at the end of an address is a placeholder; one whose name starts with "image" may not be. */
static bool names_placeholder(attribute_value value, int32_t at) {
    if ((is_word(value, at, "image") || is_word(value, at, "img")) && !memchr(value.bytes + at, '/', (size_t)(value.length - at)))
        return false;
    int32_t end = start_end(value, at);
    while (end > at && !is_type(value, end)) {
        at = end + is_in(byte_at(value, end), "-_.");
        end = word_end(value, at, PLACEHOLDER_NAMES, NAMES);
        if (end == at && (byte_is(byte_at(value, at), DIGIT) || byte_at(value, at) == 'x')) end++;
    }
    return end > at;
}

typedef enum { SOURCE_NONE, SOURCE_ADDRESS, SOURCE_UNSURE } source_kind;

/* Whether a value is the address of a picture, as is_address in bonmun/model/pictures.py tells. */
static source_kind source_of(attribute_value value) {
    static const char *const none[] = {"{", "[", "data:", "about:", "javascript:", "//:", "#"};
    if (!value.length || word_end(value, 0, none, sizeof none / sizeof *none)) return SOURCE_NONE;
    for (int32_t at = 0; at < value.length; at++)
        if (value.bytes[at] >= 0x80) return SOURCE_UNSURE; /* some letters are those of ASCII in another case */
    if (value.length > PICTURE_MAX_ADDRESS) return SOURCE_NONE;
    for (int32_t at = 0; at < value.length; at++)
        if ((!at || value.bytes[at - 1] == '/' || value.bytes[at - 1] == '=') && names_placeholder(value, at)) return SOURCE_NONE;
    return SOURCE_ADDRESS;
}

/* The address in a lazy attribute; sets, and elements around a picture, are left to the twin. */
static source_kind lazy_source(const writer_page *page, int32_t row, attribute_value *source) {
    for (int name = WRITER_FIRST_LAZY; name < WRITER_NAME_COUNT; name++) {
        *source = page->names[name] < 0 ? (attribute_value){NULL, 0} : writer_stripped(page, row, name);
        if (!source->length) continue;
        if (!memchr(source->bytes, '/', (size_t)source->length) && !memchr(source->bytes, '.', (size_t)source->length)) continue;
        source_kind kind = source_of(*source);
        if (kind != SOURCE_NONE) return kind;
    }
    return SOURCE_UNSURE;
}

/* Whether an element is declared 0 or 1 pixel wide or high. */
static bool is_thin(const writer_page *page, int32_t row, int name) {
    attribute_value side = writer_stripped(page, row, name);
    if (side.length > 2 && memcmp(side.bytes + side.length - 2, "px", 2) == 0) side.length -= 2;
    return side.length == 1 && (side.bytes[0] == '0' || side.bytes[0] == '1');
}

bool write_image_address(const writer_page *page, const address_bases *bases, int32_t row, output_buffer *out) {
    attribute_value source = writer_stripped(page, row, WRITER_NAME_SRC);
    if (is_thin(page, row, WRITER_NAME_WIDTH) || is_thin(page, row, WRITER_NAME_HEIGHT)) return false;
    source_kind kind = source_of(source);
    if (kind == SOURCE_NONE) kind = lazy_source(page, row, &source);
    if (kind != SOURCE_ADDRESS) return false;
    if (starts_with(source, "tel:") || starts_with(source, "mailto:")) return false;
    return write_link_address(bases, source, out);
}

bool has_image_address(const writer_page *page, const address_bases *bases, int32_t block, output_buffer *scratch) {
    const node_view *nodes = &page->nodes;
    int32_t skipped = page->flags[block] & FLAG_HIDDEN ? FLAG_UNRENDERED : FLAG_UNRENDERED | FLAG_HIDDEN;
    for (int32_t row = page->first[block]; row < page->stop[block]; row++) {
        if (nodes->tag[row] != TAG_IMG || nodes->flags[row] & skipped) continue;
        scratch->used = 0;
        if (write_image_address(page, bases, row, scratch)) return true;
    }
    return false;
}
