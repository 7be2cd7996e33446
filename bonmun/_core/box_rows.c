#include "box_rows.h"

#include <stdlib.h>

#include "attribute_rows.h"
#include "tags_table.h"

typedef struct {
    const writer_page *page;
    attribute_words words, roles;
    uint8_t *seen; /* one bit per row */
    int32_t *rows, count, room;
} box_search;

static bool names(const box_search *s, const attribute_words *words, int32_t row, int name) {
    attribute_value value = s->page->names[name] < 0 ? (attribute_value){NULL, 0} : writer_attribute(s->page, row, name);
    return value.length && attribute_words_in(words, value.bytes, value.length);
}

static bool take(box_search *s, int32_t found) {
    if (s->count == s->room) {
        int32_t room = s->room ? 2 * s->room : 16, *larger = realloc(s->rows, (size_t)room * sizeof *larger);
        if (!larger) return false;
        s->rows = larger;
        s->room = room;
    }
    s->rows[s->count++] = found;
    return true;
}

/* The first row of a block shown. */
static int32_t start_of(const writer_page *page, int32_t shown) {
    if (shown >= 0) return page->first[shown];
    int32_t low = 0, high = page->blocks;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (page->first[middle] < ~shown) low = middle + 1;
        else high = middle;
    }
    return low ? page->first[low - 1] : ~shown;
}

/* Look at a row and those around it, up to the first that was seen; false: no memory. */
static bool climb(box_search *s, int32_t row) {
    const int32_t *parent = s->page->nodes.parent, *tag = s->page->nodes.tag;
    for (; row >= 0 && !(s->seen[row >> 3] & 1u << (row & 7)); row = parent[row]) {
        s->seen[row >> 3] |= (uint8_t)(1u << (row & 7));
        if (tag[row] == TAG_TEXT) continue;
        bool named = names(s, &s->words, row, WRITER_NAME_CLASS) || names(s, &s->roles, row, WRITER_NAME_ROLE);
        if ((named || tag[row] == TAG_DETAILS) && !take(s, named ? row : ~row)) return false;
    }
    return true;
}

int32_t *box_rows(const writer_page *page, const outline_input *shown, const box_signs *signs, int32_t *count) {
    box_search s = {.page = page, .seen = calloc((size_t)page->nodes.rows / 8 + 1, 1)};
    attribute_words_list(signs->words, signs->words_length, &s.words);
    attribute_words_list(signs->roles, signs->roles_length, &s.roles);
    bool fits = s.seen != NULL;
    for (int32_t at = 0; fits && at < shown->count; at++) fits = climb(&s, start_of(page, shown->shown[at]));
    free(s.seen);
    *count = fits ? s.count : -1;
    if (fits) return s.rows;
    free(s.rows);
    return NULL;
}
