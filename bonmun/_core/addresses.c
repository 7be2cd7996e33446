#include "addresses.h"

#include "bytes.h"
#include "picture_source.h"
#include "tags_table.h"

enum { LONGEST_ADDRESS = 4096 };

static bool starts_with(attribute_value value, const char *start) {
    size_t length = strlen(start);
    return (size_t)value.length >= length && memcmp(value.bytes, start, length) == 0;
}

/* What a byte is in the rest of an address. */
enum { BYTE_OTHER, BYTE_PLAIN, BYTE_HASH, BYTE_QUERY, BYTE_DOT, BYTE_PERCENT, BYTE_QUOTE };

#define P BYTE_PLAIN
static const uint8_t address_bytes[256] = {
    ['0'] = P, P, P, P, P, P, P, P, P, P,
    ['A'] = P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    ['a'] = P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    ['-'] = P, ['_'] = P, ['~'] = P, ['!'] = P, ['$'] = P, ['&'] = P, ['('] = P, [')'] = P, ['*'] = P, ['+'] = P, [','] = P, ['='] = P,
    [':'] = P, ['@'] = P, ['/'] = P, ['#'] = BYTE_HASH, ['?'] = BYTE_QUERY, ['.'] = BYTE_DOT, ['%'] = BYTE_PERCENT, ['\''] = BYTE_QUOTE,
};
#undef P

/* Whether the rest of an address from a path on stays as it is in a URL: no character that is encoded, no dot segment. A
 * semicolon may end a character reference in Markdown, and is left to the twin. */
static bool is_plain_rest(attribute_value value, int32_t from) {
    bool in_path = true, in_fragment = false;
    for (int32_t at = from; at < value.length; at++) {
        uint8_t byte = value.bytes[at];
        switch (address_bytes[byte]) {
        case BYTE_PLAIN: continue;
        case BYTE_HASH:
            if (in_fragment) return false;
            in_fragment = true;
            in_path = false;
            continue;
        case BYTE_QUERY: in_path = false; continue;
        case BYTE_DOT:
            if (in_path && (at == from || value.bytes[at - 1] == '/')) return false;
            continue;
        case BYTE_PERCENT:
            if (in_path && at + 2 < value.length && value.bytes[at + 1] == '2' && byte_lower(value.bytes[at + 2]) == 'e') return false;
            continue;
        case BYTE_QUOTE:
            if (!in_path) return false; /* encoded in a query */
            continue;
        default: return false;
        }
    }
    return true;
}

/* The end of a host in lower case with a name for its last label; -1: it is another one. */
static int32_t end_of_host(attribute_value value, int32_t from) {
    int32_t at = from, label = from;
    for (; at < value.length && !byte_in(value.bytes[at], "/?#"); at++) {
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
        if (!byte_is(value.bytes[at], LETTER | DIGIT) && !byte_in(value.bytes[at], "-._~!$&()*+,=:@/%?#")) return false;
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
        if (!byte_is(value.bytes[at], LETTER | DIGIT) && !byte_in(value.bytes[at], "+-._@")) return false;
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

bool write_image_address(const writer_page *page, const address_bases *bases, int32_t row, output_buffer *out) {
    attribute_value source;
    if (picture_source(&page->nodes, page->names, row, &source) != SOURCE_ADDRESS) return false;
    if (starts_with(source, "tel:") || starts_with(source, "mailto:")) return false;
    return write_link_address(bases, source, out);
}

picture_state picture_in_block(const writer_page *page, const address_bases *bases, int32_t block, output_buffer *scratch) {
    const node_view *nodes = &page->nodes;
    int32_t skipped = page->flags[block] & FLAG_HIDDEN ? FLAG_UNRENDERED : FLAG_UNRENDERED | FLAG_HIDDEN;
    picture_state state = PICTURE_NONE;
    for (int32_t row = page->first[block]; row < page->stop[block]; row++) {
        attribute_value source;
        if (nodes->flags[row] & skipped) continue;
        scratch->used = 0;
        if (nodes->tag[row] != TAG_IMG) {
            if (nodes->tag[row] == TAG_TEXT || nodes->chars[row]) state = PICTURE_UNSURE; /* a text is shown without its picture */
        } else if (write_image_address(page, bases, row, scratch)) {
            return PICTURE_KNOWN;
        } else if (picture_source(nodes, page->names, row, &source) != SOURCE_NONE) {
            state = PICTURE_UNSURE;
        }
    }
    return state;
}
