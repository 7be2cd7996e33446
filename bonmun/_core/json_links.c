#include "json_links.h"

#include "json_blocks.h"

enum { UNSEEN = -2 };

static bool grow(void **items, int32_t count, int32_t *room, size_t size) {
    if (count < *room) return true;
    int32_t wanted = *room < 32 ? 32 : *room + *room / 2;
    void *larger = wanted > *room ? realloc(*items, (size_t)wanted * size) : NULL;
    if (!larger) return false;
    *items = larger;
    *room = wanted;
    return true;
}

static size_t start_of(const json_links *links, int32_t number) { return number ? links->stops[number - 1] : 0; }

static bool same_value(attribute_value one, attribute_value other) {
    return one.length == other.length && (!one.length || memcmp(one.bytes, other.bytes, (size_t)one.length) == 0);
}

/* Give the address that was appended a number. */
static int32_t end_address(json_links *links, int32_t row) {
    if (!grow((void **)&links->stops, links->count, &links->room, sizeof *links->stops)) {
        links->failed = true;
        return -1;
    }
    links->stops[links->count] = links->texts.used;
    links->latest = row;
    return links->count++;
}

static void note_unknown(json_links *links, int32_t row) {
    if (!grow((void **)&links->unknown, links->unknown_count, &links->unknown_room, sizeof *links->unknown)) links->failed = true;
    else links->unknown[links->unknown_count++] = row;
}

/* The number of a link's address; -1: it has none, or one that Python has to find. */
static int32_t find_number(json_links *links, int32_t row) {
    int32_t given = links->given->count ? given_at(links->given, row) : -1;
    if (given >= 0) {
        int32_t start = links->given->starts[given], length = links->given->starts[given + 1] - start;
        if (!length) return -1;
        json_put_string(&links->texts, links->given->bytes + start, (size_t)length);
        return end_address(links, row);
    }
    attribute_value href = writer_attribute(links->page, row, WRITER_NAME_HREF);
    /* Many links in a row to one place would otherwise take more memory than what is written of them. */
    if (links->latest >= 0 && same_value(href, writer_attribute(links->page, links->latest, WRITER_NAME_HREF))) return links->count - 1;
    links->address.used = 0;
    if (!write_link_address(links->bases, href, &links->address)) {
        note_unknown(links, row);
        return -1;
    }
    json_put_string(&links->texts, links->address.bytes, links->address.used);
    return end_address(links, row);
}

static int32_t number_of(link_numbers *numbers, int32_t row) {
    json_links *links = (json_links *)(void *)numbers;
    if (numbers->by_row[row] == UNSEEN) numbers->by_row[row] = find_number(links, row);
    return numbers->by_row[row];
}

static bool are_same(const link_numbers *numbers, int32_t one, int32_t other) {
    const json_links *links = (const json_links *)(const void *)numbers;
    if (one == other || one < 0 || other < 0) return one == other;
    size_t here = start_of(links, one), there = start_of(links, other), length = links->stops[one] - here;
    if (links->texts.failed || length != links->stops[other] - there) return false;
    return memcmp(links->texts.bytes + here, links->texts.bytes + there, length) == 0;
}

bool json_links_begin(json_links *links, const writer_page *page, const address_bases *bases, const given_texts *given) {
    *links = (json_links){.page = page, .bases = bases, .given = given, .latest = -1};
    int32_t *by_row = malloc(((size_t)page->nodes.rows + 1) * sizeof *by_row);
    for (int32_t row = 0; by_row && row < page->nodes.rows; row++) by_row[row] = UNSEEN;
    links->numbers = (link_numbers){by_row, number_of, are_same};
    return by_row != NULL;
}

void json_links_free(json_links *links) {
    free(links->numbers.by_row);
    free(links->texts.bytes);
    free(links->address.bytes);
    free(links->stops);
    free(links->unknown);
}

void json_put_link(const json_links *links, int32_t number, output_buffer *out) {
    if (links->texts.failed) return;
    size_t start = start_of(links, number);
    output_put(out, links->texts.bytes + start, links->stops[number] - start);
}
