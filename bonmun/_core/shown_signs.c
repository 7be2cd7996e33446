#include "shown_signs.h"

#include <string.h>

#include "constants_table.h"
#include "tags_table.h"

static bool is_near(const media_search *search, int32_t row) { return row >= search->first && row < search->stop; }

static bool is_shown_medium(const writer_page *page, const media_search *search, int32_t row) {
    const node_view *nodes = &page->nodes;
    int32_t parent = nodes->parent[row];
    if (!is_near(search, row) || nodes->flags[row] & (FLAG_HIDDEN | FLAG_CONTROL)) return false;
    return parent < 0 || !(nodes->flags[parent] & FLAG_UNRENDERED);
}

/* Whether an attribute surely has an address that segmentation counts. */
static bool is_segmented(attribute_value value) {
    int32_t at = 0;
    while (at < value.length && value.bytes[at] == ' ') at++;
    if (at == value.length || (value.length - at >= 5 && !memcmp(value.bytes + at, "data:", 5))) return false;
    uint8_t byte = value.bytes[at], letter = byte | 32;
    return byte == '/' || (byte >= '0' && byte <= '9') || (letter >= 'a' && letter <= 'z');
}

/* Whether an image surely has a block: is_picture in bonmun/model/pictures.py. A tracking pixel has none, but is never shown. */
static bool has_block(const writer_page *page, int32_t row) {
    static const uint8_t names[] = {WRITER_NAME_SRC, WRITER_NAME_DATA_SRC, WRITER_NAME_DATA_ORIGINAL, WRITER_NAME_DATA_LAZY_SRC,
                                    WRITER_NAME_DATA_LAZY, WRITER_NAME_DATA_URL, WRITER_NAME_SRCSET, WRITER_NAME_DATA_SRCSET};
    for (size_t at = 0; at < sizeof names; at++)
        if (page->names[names[at]] >= 0 && is_segmented(writer_attribute(page, row, names[at]))) return true;
    return false;
}

static bool is_shown_image(const writer_page *page, const media_search *search, int32_t row) {
    if (!is_near(search, row) || page->nodes.tag[row] != TAG_IMG || page->nodes.flags[row] & FLAG_UNRENDERED) return false;
    return !has_block(page, row);
}

/* Whether a noscript near the rows holds one picture. */
static bool is_fallback(const writer_page *page, const media_search *search, int32_t noscript) {
    const node_view *nodes = &page->nodes;
    int32_t end = nodes->end[noscript], stop = end - noscript < PICTURE_MOST_ROWS ? end : noscript + PICTURE_MOST_ROWS, images = 0;
    if (noscript - FALLBACK_NEAR >= search->stop || end + FALLBACK_NEAR <= search->first) return false;
    for (int32_t row = noscript + 1; row < stop; row++) images += nodes->tag[row] == TAG_IMG;
    return images == 1;
}

static bool has_lazy_image(const writer_page *page, const media_search *search) {
    const node_view *nodes = &page->nodes;
    int32_t numbers[WRITER_NAME_COUNT], count = 0, row = search->first;
    for (size_t at = 0; at < search->lazy_count && count < WRITER_NAME_COUNT; at++)
        if (search->lazy[at] < WRITER_NAME_COUNT && page->names[search->lazy[at]] >= 0) numbers[count++] = page->names[search->lazy[at]];
    if (!count || search->first >= search->stop) return false;
    for (int32_t at = nodes->attr_first[search->first]; at < nodes->attr_first[search->stop]; at++) {
        bool lazy = false;
        for (int32_t each = 0; each < count; each++) lazy = lazy || nodes->attr_name[at] == numbers[each];
        if (!lazy) continue;
        while (nodes->attr_first[row + 1] <= at) row++;
        size_t size = (size_t)(nodes->attr_stop[at] - nodes->attr_start[at]);
        if (is_shown_image(page, search, row) && memchr(bytes_at(nodes, nodes->attr_start[at]), '.', size)) return true;
    }
    return false;
}

bool may_show_media(const writer_page *page, const media_search *search) {
    const node_view *nodes = &page->nodes;
    for (int32_t row = 0; row < nodes->rows; row++) {
        int32_t tag = nodes->tag[row];
        if (tag < 0 || tag >= search->tags || !search->media[tag]) continue;
        if (tag == TAG_SOURCE) {
            int32_t parent = nodes->parent[row];
            if (parent >= 0 && is_shown_image(page, search, nodes->end[parent] - 1)) return true;
        } else if (tag == TAG_NOSCRIPT ? is_fallback(page, search, row) : is_shown_medium(page, search, row)) {
            return true;
        }
    }
    return has_lazy_image(page, search);
}

/* Whether one of the elements around a row is a figure, or a table, which may be the frame of one. */
static bool is_in_figure(const writer_page *page, int32_t row, bool with_figures) {
    const node_view *nodes = &page->nodes;
    for (int32_t level = 0; level < FIGURE_LEVELS && (row = nodes->parent[row]) >= 0; level++)
        if (nodes->tag[row] == TAG_TABLE || (with_figures && nodes->tag[row] == TAG_FIGURE)) return true;
    return false;
}

static bool may_be_caption(const writer_page *page, int32_t block, const attribute_words *words) {
    if (block < 0 || block >= page->blocks || page->text_stop[block] <= page->text_start[block]) return false;
    int32_t kind = page->kind[block], row = page->first[block];
    if (kind == KIND_CAPTION) return true;
    if (kind != KIND_PARAGRAPH && kind != KIND_CELL) return false;
    int32_t above = row;
    for (int32_t level = 0; level < CAPTION_LEVELS && (above = page->nodes.parent[above]) >= 0; level++) {
        attribute_value name = writer_attribute(page, above, WRITER_NAME_CLASS);
        int32_t length = name.length < CAPTION_NAMES ? name.length : CAPTION_NAMES;
        if (length && attribute_words_in(words, name.bytes, length)) return true;
    }
    return is_in_figure(page, row, false);
}

bool may_have_caption(const writer_page *page, int32_t picture, const attribute_words *words) {
    return is_in_figure(page, page->first[picture], true) || may_be_caption(page, picture - 1, words) ||
           may_be_caption(page, picture + 1, words);
}

bool has_text_and_picture(const writer_page *page, int32_t block) {
    int32_t first = page->first[block], stop = page->stop[block];
    if (stop - first < 2 || page->text_stop[block] <= page->text_start[block]) return false;
    for (int32_t row = first; row < stop; row++)
        if (page->nodes.tag[row] == TAG_IMG) return true;
    return false;
}
