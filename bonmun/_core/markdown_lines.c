#include "markdown_lines.h"

#include "bytes.h"
#include "inline_markdown.h"
#include "simd.h"
#include "tags_table.h"

enum { NEAR_ANCESTORS = 8 };

typedef struct {
    const uint8_t *bytes;
    int32_t length;
} block_text;

static block_text text_of(const line_store *store, int32_t place) {
    const writer_page *page = store->page;
    int32_t index = store->input->shown[place];
    if (index < 0) return (block_text){NULL, 0};
    return (block_text){page->text + page->text_start[index], page->text_stop[index] - page->text_start[index]};
}

int32_t kind_shown(const line_store *store, int32_t place) {
    int32_t index = store->input->shown[place];
    if (index < 0) return KIND_IMAGE;
    return store->special[place] & SHOWN_PICTURES ? KIND_CAPTION : store->page->kind[index];
}

int32_t count_in_block(const line_store *store, int32_t place, uint8_t byte) {
    block_text text = text_of(store, place);
    int32_t count = 0;
    for (int32_t at = 0; at < text.length; at++) count += text.bytes[at] == byte;
    return count;
}

bool is_plain_block(const writer_page *page, int32_t index) {
    const node_view *nodes = &page->nodes;
    int32_t row = page->first[index], element = page->element[index];
    if (page->stop[index] - row != 1 || nodes->tag[row] != TAG_TEXT || page->kind[index] == KIND_CODE) return false;
    if (nodes->flags[row] & (FLAG_LINK | FLAG_UNRENDERED)) return false;
    int32_t above = nodes->parent[row];
    for (int level = 0; level < NEAR_ANCESTORS && above > element; above = nodes->parent[above], level++)
        if (inline_mark_of(nodes->tag[above])) return false;
    return above == element;
}

void join_text(line_store *store, int32_t place) {
    block_text text = text_of(store, place);
    output_put(&store->scratch, text.bytes, (size_t)text.length);
    output_byte(&store->scratch, 0);
}

dollar_signs dollars_of_joined(const line_store *store, bool in_cell) {
    dollar_signs signs = dollars_of_text(store->scratch.bytes, store->scratch.used, in_cell);
    return signs == DOLLARS_HARMLESS ? DOLLARS_OF_LINE : signs;
}

/* Wrap an address from `start` on in angle brackets if it has parentheses. */
static void finish_destination(output_buffer *out, size_t start) {
    bool parentheses = false;
    for (size_t at = start; at < out->used; at++) parentheses = parentheses || out->bytes[at] == '(' || out->bytes[at] == ')';
    if (!parentheses || !output_reserve(out, 2)) return;
    memmove(out->bytes + start + 1, out->bytes + start, out->used - start);
    out->bytes[start] = '<';
    out->used += 2;
    out->bytes[out->used - 1] = '>';
}

typedef struct {
    size_t from, to;
    attribute_value href;
    bool any;
} latest_link;

static bool is_same(const uint8_t *one, size_t length, const uint8_t *other, size_t others) {
    return length == others && memcmp(one, other, length) == 0;
}

/* Append the address of a link; false: Python has to decide, also for two neighbours that may be one link. */
static bool put_link(line_store *store, int32_t row, latest_link *latest) {
    output_buffer *out = &store->bytes;
    attribute_value href = writer_attribute(store->page, row, WRITER_NAME_HREF);
    size_t from = out->used;
    if (!write_link_address(store->bases, href, out) || out->failed) return false;
    finish_destination(out, from);
    if (latest->any && is_same(out->bytes + from, out->used - from, out->bytes + latest->from, latest->to - latest->from) &&
        !is_same(href.bytes, (size_t)href.length, latest->href.bytes, (size_t)latest->href.length))
        return false;
    *latest = (latest_link){from, out->used, href, true};
    return true;
}

/* The end of the bytes from `at` on that are no mark of an address, and in a cell no delimiter. */
static size_t end_of_plain(const uint8_t *line, size_t at, size_t length, bool in_cell) {
    const uint8_t delimiter = in_cell ? '|' : IMAGE_BYTE;
    for (; length - at >= SIMD_WIDTH; at += SIMD_WIDTH) {
        simd_bytes bytes = simd_load(line + at);
        uint32_t found = simd_mask(simd_or(simd_at_most(bytes, IMAGE_BYTE), simd_equal(bytes, delimiter)));
        if (found) return at + (size_t)lowest_bit(found);
    }
    while (at < length && line[at] > IMAGE_BYTE && line[at] != delimiter) at++;
    return at;
}

/* Append a line with the rows of links and images in it replaced by their addresses. */
static bool put_with_addresses(line_store *store, const uint8_t *line, size_t length, bool in_cell) {
    output_buffer *out = &store->bytes;
    latest_link latest = {0};
    for (size_t at = 0; at < length && !out->failed;) {
        size_t end = end_of_plain(line, at, length, in_cell);
        output_put(out, line + at, end - at);
        if ((at = end) == length) break;
        uint8_t byte = line[at];
        if (byte == '|') {
            output_text(out, "\\|");
            at++;
            continue;
        }
        int32_t row = 0;
        for (at++; at < length && line[at] != byte; at++) row = row * 10 + (line[at] - '0');
        at++;
        size_t from = out->used;
        bool written = byte ? write_image_address(store->page, store->bases, row, out) : put_link(store, row, &latest);
        if (!written) return false;
        if (byte) finish_destination(out, from);
        for (size_t place = from; in_cell && place < out->used; place++)
            if (out->bytes[place] == '|') return false;
    }
    return !out->failed;
}

static bool write_line(line_store *store, int32_t place, const line_context *context) {
    const writer_page *page = store->page;
    int32_t index = store->input->shown[place];
    if (store->special[place] & SHOWN_PYTHONS) return false;
    inline_options options = {context->tildes < 2 ? context->tildes : 2, context->dollars, context->in_cell,
                              page->names[WRITER_NAME_ALT]};
    block_text text = text_of(store, place);
    store->scratch.used = 0;
    if (index < 0) {
        if (inline_picture(&page->nodes, ~index, &options, &store->scratch) != INLINE_OK) return false;
        return put_with_addresses(store, store->scratch.bytes, store->scratch.used, context->in_cell);
    }
    if (!context->extra && is_plain_block(page, index)) {
        output_buffer *to = context->in_cell ? &store->scratch : &store->bytes;
        if (inline_plain(text.bytes, text.length, &options, to) != INLINE_OK) return false;
        return !context->in_cell || put_with_addresses(store, store->scratch.bytes, store->scratch.used, true);
    }
    int32_t skipped = page->flags[index] & FLAG_HIDDEN ? FLAG_UNRENDERED : FLAG_UNRENDERED | FLAG_HIDDEN;
    inline_place inside = {page->first[index], page->stop[index], page->element[index], skipped,
                           page->kind[index] == KIND_HEADING, context->extra, page->names[WRITER_NAME_HREF], page->names, false, NULL, &page->rules};
    if (inline_markdown(&page->nodes, &inside, &options, &store->scratch) != INLINE_OK) return false;
    return put_with_addresses(store, store->scratch.bytes, store->scratch.used, context->in_cell);
}

const markdown_line *line_at(line_store *store, int32_t place, const line_context *context) {
    markdown_line *line = store->lines + place;
    if (!line->known) {
        line->known = true;
        line->from = store->bytes.used;
        line->is_pythons = !write_line(store, place, context);
        if (line->is_pythons) store->bytes.used = line->from;
        line->to = store->bytes.used;
    }
    return line->is_pythons ? NULL : line;
}

bool underlines(const uint8_t *text, size_t length) {
    if (!length) return false;
    const char *characters = text[0] == '=' ? "=" : text[0] == '-' || text[0] == ':' || text[0] == '|' ? "-:| " : "";
    for (size_t at = 0; at < length; at++)
        if (!text[at] || !strchr(characters, text[at])) return false;
    return true;
}

static bool ends_or_space(const uint8_t *line, size_t length, size_t at) { return at == length || line[at] == ' '; }

static bool all_are(const uint8_t *line, size_t length, const char *characters) {
    for (size_t at = 0; at < length; at++)
        if (!line[at] || !strchr(characters, line[at])) return false;
    return true;
}

/* Whether a line is the first one of an alert, "[!NOTE]". */
static bool is_alert(const uint8_t *line, size_t length) {
    static const char *const kinds[] = {"note", "tip", "important", "warning", "caution"};
    if (length < 4 || memcmp(line, "[!", 2) != 0 || line[length - 1] != ']') return false;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        size_t at = 0, wanted = strlen(kinds[kind]);
        while (at < wanted && at + 3 < length && byte_lower(line[2 + at]) == (uint8_t)kinds[kind][at]) at++;
        if (at == wanted && wanted + 3 == length) return true;
    }
    return false;
}

static bool starts_block(const uint8_t *line, size_t length) {
    size_t hashes = 0;
    switch (line[0]) {
    case '#':
        while (hashes < length && line[hashes] == '#') hashes++;
        return hashes <= 6 && ends_or_space(line, length, hashes);
    case '-': return ends_or_space(line, length, 1) || all_are(line, length, "- ");
    case '+': case '*': return ends_or_space(line, length, 1);
    case '>': return true;
    case '[':
        if (length > 3 && (line[1] == ' ' || line[1] == 'x' || line[1] == 'X') && line[2] == ']' && line[3] == ' ') return true;
        return is_alert(line, length);
    default: return false;
    }
}

/* The digits before the delimiter of a list item; 0: the line starts none. */
static size_t item_digits(const uint8_t *line, size_t length) {
    size_t digits = 0;
    while (digits < length && byte_is(line[digits], DIGIT)) digits++;
    if (!digits || digits > 9 || digits == length || (line[digits] != '.' && line[digits] != ')')) return 0;
    return ends_or_space(line, length, digits + 1) ? digits : 0;
}

bool put_paragraph_line(output_buffer *out, const uint8_t *line, size_t length, int32_t number) {
    if (length > 3 && line[0] == '[' && line[1] == '!' && line[length - 1] == ']')
        for (size_t at = 0; at < length; at++)
            if (line[at] >= 0x80) return false; /* some letters beyond ASCII are equal to others in Python's eyes */
    if (starts_block(line, length) || (number && underlines(line, length))) {
        output_byte(out, '\\');
    } else {
        size_t digits = item_digits(line, length);
        output_put(out, line, digits);
        if (digits) output_byte(out, '\\');
        line += digits;
        length -= digits;
    }
    output_put(out, line, length);
    return true;
}

void finish_paragraph(output_buffer *out, size_t start) {
    if (out->failed || start >= out->used || out->bytes[start] != '[') return;
    size_t at = start + 1;
    while (at < out->used && out->bytes[at] != '[' && out->bytes[at] != ']') at += out->bytes[at] == '\\' ? 2 : 1;
    if (at + 1 >= out->used || out->bytes[at] != ']' || out->bytes[at + 1] != ':' || !output_reserve(out, 1)) return;
    memmove(out->bytes + start + 1, out->bytes + start, out->used - start);
    out->bytes[start] = '\\';
    out->used++;
}

void put_heading_line(output_buffer *out, const uint8_t *line, size_t length) {
    size_t hashes = length;
    while (hashes && line[hashes - 1] == '#') hashes--;
    bool closes = hashes < length && (!hashes || line[hashes - 1] == ' ');
    output_put(out, line, closes ? hashes : length);
    if (!closes) return;
    output_byte(out, '\\');
    output_put(out, line + hashes, length - hashes);
}
