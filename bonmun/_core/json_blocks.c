#include "json_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code_language.h"
#include "simd.h"
#include "tags_table.h"
#include "whitespace.h"

enum { DIGITS = 10000, MOST_SCORE = 1000 };

#define PUT(out, literal) output_put(out, literal, sizeof(literal) - 1)

static void put_text(output_buffer *out, json_text text) { output_put(out, text.bytes, text.length); }

static void put_escape(output_buffer *out, uint8_t byte) {
    static const char hex[] = "0123456789abcdef";
    uint8_t escape[6] = {'\\', 0};
    switch (byte) {
    case '\n': escape[1] = 'n'; break;
    case '\r': escape[1] = 'r'; break;
    case '\t': escape[1] = 't'; break;
    case '\f': escape[1] = 'f'; break;
    case '\b': escape[1] = 'b'; break;
    case '"': case '\\': escape[1] = byte; break;
    default:
        memcpy(escape + 1, "u00", 3);
        escape[4] = (uint8_t)hex[byte >> 4];
        escape[5] = (uint8_t)hex[byte & 15];
    }
    output_put(out, escape, escape[1] == 'u' ? 6 : 2);
}

static bool is_plain_byte(uint8_t byte) { return byte >= ' ' && byte != '"' && byte != '\\'; }

/* The end of the bytes from `at` on that JSON has as they are. */
static size_t end_of_plain(const uint8_t *text, size_t at, size_t length) {
    for (; length - at >= SIMD_WIDTH; at += SIMD_WIDTH) {
        simd_bytes bytes = simd_load(text + at);
        uint32_t other = simd_mask(simd_or(simd_at_most(bytes, ' ' - 1), simd_or(simd_equal(bytes, '"'), simd_equal(bytes, '\\'))));
        if (other) return at + (size_t)lowest_bit(other);
    }
    while (at < length && is_plain_byte(text[at])) at++;
    return at;
}

void json_put_string(output_buffer *out, const uint8_t *text, size_t length) {
    if (!output_reserve(out, length + 2)) return;
    output_byte(out, '"');
    for (size_t at = 0; at < length; at++) {
        size_t end = end_of_plain(text, at, length);
        output_put(out, text + at, end - at);
        at = end;
        if (at < length) put_escape(out, text[at]);
    }
    output_byte(out, '"');
}

/* A score rounded to four digits, to even if it is in the middle, as Python's round does: the product is exact in two parts. */
static void put_score(output_buffer *out, double score) {
    double product = score * DIGITS, rest = fma(score, DIGITS, -product), whole = floor(product), above = product - whole - 0.5;
    int32_t rounded = (int32_t)whole;
    if (above > -rest || (above == -rest && rounded % 2)) rounded++;
    output_number(out, rounded / DIGITS);
    uint8_t digits[5] = {'.', '0'};
    size_t length = 2;
    int32_t left = rounded % DIGITS;
    for (size_t at = 1; at < 5; at++, left = left % 1000 * 10) {
        digits[at] = (uint8_t)('0' + left / 1000);
        if (digits[at] != '0') length = at + 1;
    }
    output_put(out, digits, length);
}

static void put_step(json_paths *paths, int32_t row) {
    output_buffer *out = &paths->text;
    int32_t place = paths->place[row], tag = paths->tag[row];
    json_text name = tag >= 0 && tag < paths->steps ? paths->step[tag] : (json_text){NULL, 0};
    output_byte(out, '/');
    if (place >= 0 && name.length && name.bytes[0] == '/') {
        output_put(out, name.bytes + 1, name.length - 1);
        return;
    }
    if (place < 0) output_byte(out, '*');
    else put_text(out, name);
    output_byte(out, '[');
    output_number(out, place < 0 ? -place : place);
    output_byte(out, ']');
}

/* Append the path of a row; the steps that it has in common with the one before are still there. */
static void put_path(json_paths *paths, const int32_t *parent, int32_t row, output_buffer *out) {
    int32_t climbed[DEEPEST_PATH + 1], count = 0, shared = 0;
    for (; row >= 0 && count <= DEEPEST_PATH; row = parent[row]) climbed[count++] = row;
    while (shared < count && shared < paths->depth && paths->row[shared] == climbed[count - 1 - shared]) shared++;
    paths->text.used = shared ? paths->stop[shared - 1] : 0;
    for (; shared < count; shared++) {
        put_step(paths, paths->row[shared] = climbed[count - 1 - shared]);
        paths->stop[shared] = paths->text.used;
    }
    paths->depth = count;
    output_put(out, paths->text.bytes, paths->text.used);
}

/* The row that a block's xpath leads to, as xpath_rows in bonmun/model/block.py finds it. */
static int32_t path_row(const writer_page *page, int32_t block) {
    int32_t element = page->element[block], first = page->first[block], stop = page->nodes.end[element];
    if (page->kind[block] == KIND_IMAGE) return first;
    if (block && page->first[block - 1] >= element && page->first[block - 1] < stop) return first;
    if (block + 1 < page->blocks && page->first[block + 1] >= element && page->first[block + 1] < stop) return first;
    return element;
}

bool json_number_paths(const json_page *page, const int32_t *blocks, int32_t count, const uint8_t *kinds, int32_t tags, int32_t *place) {
    place_nodes nodes = {page->nodes.parent, page->depth, page->nodes.tag, page->nodes.end, page->nodes.rows};
    int32_t *rows = malloc(((size_t)count + 1) * sizeof *rows);
    if (!rows) return false;
    for (int32_t at = 0; at < count; at++) {
        rows[at] = blocks[at] < 0 ? -1 : path_row(page->writer, blocks[at]);
        if (rows[at] >= 0 && page->depth[rows[at]] > DEEPEST_PATH) rows[at] = -1;
    }
    bool numbered = !number_path_places(&nodes, kinds, tags, rows, count, place);
    free(rows);
    return numbered;
}

static void put_marks(uint32_t marks, output_buffer *out) {
    static const char *const names[] = {"", "\"strong\"", "\"em\"", "\"strike\"", "\"mark\"", "\"code\"", "\"sub\"", "\"sup\""};
    PUT(out, ", \"marks\": [");
    for (const char *between = ""; marks; marks >>= MARK_BITS, between = ", ") {
        output_put(out, between, strlen(between));
        output_put(out, names[marks & MARK_MASK], strlen(names[marks & MARK_MASK]));
    }
    PUT(out, "]");
}

/* The alternative text of an image, white space collapsed. */
static void put_alternative(const json_page *page, int32_t row, output_buffer *out) {
    attribute_value alt = writer_attribute(page->writer, row, WRITER_NAME_ALT);
    output_buffer text = {0};
    bool gap = false;
    for (int32_t at = 0; at < alt.length;) {
        int32_t space = space_length(alt.bytes + at, alt.length - at);
        if (space) {
            gap = text.used > 0;
            at += space;
            continue;
        }
        if (gap) output_byte(&text, ' ');
        gap = false;
        output_byte(&text, alt.bytes[at++]);
    }
    json_put_string(out, text.bytes, text.used);
    out->failed = out->failed || text.failed;
    free(text.bytes);
}

/* The address of an image; false: it needs the twin. */
static bool put_source(const json_page *page, int32_t row, output_buffer *out) {
    output_buffer address = {0};
    bool known = write_image_address(page->writer, page->bases, row, &address);
    if (known) {
        PUT(out, ", \"src\": ");
        json_put_string(out, address.bytes, address.used);
    }
    out->failed = out->failed || address.failed;
    free(address.bytes);
    return known;
}

/* False: an image needs the twin. */
static bool put_runs(const json_page *page, const inline_runs *runs, output_buffer *out) {
    bool plain = true;
    for (int32_t at = 0; at < runs->count; at++) {
        const inline_run *run = &runs->runs[at];
        plain = plain && !run->marks && run->link < 0 && run->image < 0;
    }
    if (plain) return true;
    PUT(out, ", \"runs\": [");
    for (int32_t at = 0; at < runs->count; at++) {
        const inline_run *run = &runs->runs[at];
        if (at) PUT(out, ", ");
        PUT(out, "{\"text\": ");
        if (run->image >= 0) put_alternative(page, run->image, out);
        else json_put_string(out, runs->text + run->from, (size_t)(run->to - run->from));
        if (run->marks) put_marks(run->marks, out);
        if (run->link >= 0) {
            PUT(out, ", \"href\": ");
            json_put_link(page->links, run->link, out);
        }
        if (run->image >= 0 && !put_source(page, run->image, out)) return false;
        PUT(out, "}");
    }
    PUT(out, "]");
    return true;
}

static inline_place place_of(const json_page *json, int32_t block) {
    const writer_page *page = json->writer;
    int32_t skipped = page->flags[block] & FLAG_HIDDEN ? FLAG_UNRENDERED : FLAG_UNRENDERED | FLAG_HIDDEN;
    return (inline_place){page->first[block], page->stop[block], page->element[block], skipped,
                          page->kind[block] == KIND_HEADING, 0, page->names[WRITER_NAME_HREF], page->names, false,
                          &json->links->numbers, &page->rules};
}

/* Whether a block is one text right in its element, outside links. */
static bool is_plain(const json_page *json, int32_t block) {
    const node_view *nodes = &json->nodes;
    int32_t row = json->writer->first[block];
    return json->writer->stop[block] - row == 1 && nodes->tag[row] == TAG_TEXT && nodes->parent[row] == json->writer->element[block] &&
           !(nodes->flags[row] & (FLAG_LINK | FLAG_UNRENDERED));
}

/* The language of code, or the runs of another block; false: the twin has to write it. */
static bool take_inside(const json_page *json, int32_t block, inline_runs *runs, attribute_value *language, output_buffer *out) {
    if (json->writer->kind[block] == KIND_CODE) return code_language(json->writer, block, language);
    if (is_plain(json, block)) return true;
    inline_place place = place_of(json, block);
    inline_result result = inline_runs_of(&json->nodes, &place, runs);
    out->failed = out->failed || result == INLINE_NO_MEMORY;
    return result == INLINE_OK;
}

/* Whether the twin has to write a caption: pictures in one that was not kept are shown on their own. */
static bool is_rare_caption(const json_page *json, const json_entry *entry, const inline_runs *runs) {
    if (entry->shape & JSON_CAPTION && json->writer->kind[entry->block] == KIND_CODE) return true;
    for (int32_t at = 0; entry->shape & JSON_ASIDE && at < runs->count; at++)
        if (runs->runs[at].image >= 0) return true;
    return false;
}

static void put_head(const json_page *json, const json_entry *entry, int32_t row, output_buffer *out) {
    static const char *const kinds[] = {KIND_TEXTS};
    const writer_page *page = json->writer;
    int32_t block = entry->block;
    PUT(out, "{\"kind\": \"");
    output_text(out, kinds[entry->shape & JSON_CAPTION ? KIND_CAPTION : page->kind[block]]);
    PUT(out, "\", \"level\": ");
    output_number(out, page->level[block]);
    PUT(out, ", \"text\": ");
    json_put_string(out, page->text + page->text_start[block], (size_t)(page->text_stop[block] - page->text_start[block]));
    PUT(out, ", \"xpath\": \"");
    put_path(json->paths, page->nodes.parent, row, out);
    PUT(out, "\"");
}

bool json_put_block(const json_page *json, const json_entry *entry, output_buffer *out) {
    int32_t block = entry->block, row = block < 0 ? -1 : path_row(json->writer, block);
    if (block < 0 || json->depth[row] > DEEPEST_PATH || !(entry->score >= 0 && entry->score <= MOST_SCORE)) return false;
    inline_runs runs = {NULL, NULL, 0, 0};
    attribute_value language = {NULL, 0};
    bool written = take_inside(json, block, &runs, &language, out) && !is_rare_caption(json, entry, &runs);
    if (written) {
        put_head(json, entry, row, out);
        PUT(out, ", \"score\": ");
        put_score(out, entry->score);
        put_text(out, entry->reasons);
        if (entry->shape & JSON_CONTINUES) PUT(out, ", \"continues\": true");
        if (entry->shape & JSON_ASIDE) PUT(out, ", \"aside\": true");
        if (language.length) {
            PUT(out, ", \"language\": ");
            json_put_string(out, language.bytes, (size_t)language.length);
        }
        written = put_runs(json, &runs, out);
        put_text(out, entry->after);
        PUT(out, "}");
    }
    inline_runs_free(&runs);
    return written;
}
