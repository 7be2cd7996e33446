#include <stdlib.h>

#include "pool.h"
#include "tags_table.h"
#include "unseen.h"

/* Unseen text in a block: an element with some of its rows. */
typedef struct {
    int32_t block, element, next; /* of the next pair with the same block; -1: none */
} unseen_pair;

typedef struct {
    const chosen_page *chosen;
    const feature_page *page;
    unseen_names names;
    pool memory;
    uint8_t *marks;      /* by row: whether it is unseen, for one block at a time */
    int32_t *first_pair; /* by block; -1: none */
    int32_t *last_pair;
    unseen_pair *pairs;
    int32_t count, room;
    bool asks_python;
} search;

static bool add_pair(search *s, int32_t block, int32_t element) {
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        unseen_pair *grown = realloc(s->pairs, (size_t)s->room * sizeof *grown);
        if (!grown) return false;
        s->pairs = grown;
    }
    s->pairs[s->count++] = (unseen_pair){block, element, -1};
    return true;
}

/* Mark the rows of an element in a block, or unmark all rows of a block. */
static void mark(search *s, int32_t block, int32_t element) {
    int32_t from = s->page->first[block], stop = s->page->stop[block], end = s->page->nodes.end[element];
    if (from < element) from = element;
    for (int32_t row = from; row < stop && row < end; row++) s->marks[row] = 1;
}

static void unmark(search *s, int32_t block) {
    for (int32_t row = s->page->first[block]; row < s->page->stop[block]; row++) s->marks[row] = 0;
}

/* Add the permalinks of a heading, if there is other text in it. */
static bool add_permalinks(search *s, int32_t heading) {
    const node_view *nodes = &s->page->nodes;
    int32_t before = s->count, element, first = s->page->first[heading], stop = s->page->stop[heading];
    bool has_other = false, enough = true;
    for (int32_t row = first; row < stop && enough && !s->asks_python; row++) {
        bool is_link = nodes->flags[row] & FLAG_LINK && nodes->chars[row] <= PERMALINK_CHARACTERS;
        if (!nodes->chars[row] || nodes->flags[row] & (FLAG_UNRENDERED | FLAG_HIDDEN) || s->marks[row] || !is_link) continue;
        unseen_kind kind = permalink_around(&s->names, row, &element);
        s->asks_python = kind == ASKS_PYTHON;
        if (kind != IS_UNSEEN) continue;
        enough = add_pair(s, heading, element);
        mark(s, heading, element);
    }
    for (int32_t row = first; row < stop; row++)
        has_other |= nodes->chars[row] && !(nodes->flags[row] & (FLAG_UNRENDERED | FLAG_HIDDEN)) && !s->marks[row];
    unmark(s, heading);
    if (!has_other) s->count = before;
    return enough;
}

/* The first block that ends behind a row. */
static int32_t block_behind(const feature_page *page, int32_t row) {
    int32_t low = 0, high = page->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (page->stop[middle] <= row) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Add assistive text with each kept block that it has rows of. */
static bool add_assistive(search *s, const int32_t *elements, int32_t count) {
    const feature_page *page = s->page;
    for (int32_t at = 0, done = 0; at < count; at++) {
        if (elements[at] < done) continue;
        unseen_kind kind = assistive_kind(&s->names, elements[at]);
        s->asks_python |= kind == ASKS_PYTHON;
        if (s->asks_python) return true;
        if (kind == IS_SEEN) continue;
        int32_t stop = page->nodes.end[elements[at]];
        for (int32_t block = block_behind(page, elements[at]); block < page->count && page->first[block] < stop; block++) {
            if (!s->chosen->keep[block]) continue;
            done = stop;
            if (!add_pair(s, block, elements[at])) return false;
        }
    }
    return true;
}

static void link_pairs(search *s) {
    for (int32_t at = 0; at < s->count; at++) {
        int32_t block = s->pairs[at].block;
        if (s->first_pair[block] < 0) s->first_pair[block] = at;
        else s->pairs[s->last_pair[block]].next = at;
        s->last_pair[block] = at;
    }
}

static bool is_shown(const node_view *nodes, int32_t row, int32_t skipped) {
    int32_t tag = nodes->tag[row];
    return (tag == TAG_TEXT || tag == TAG_BR || tag == TAG_IMG || nodes->chars[row]) && !(nodes->flags[row] & skipped);
}

/* Write the rows of a block that are seen; false if no text is among them. */
static bool write_seen(search *s, int32_t block, seen_parts *parts) {
    const node_view *nodes = &s->page->nodes;
    int32_t skipped = s->page->flags[block] & FLAG_HIDDEN ? FLAG_UNRENDERED : FLAG_UNRENDERED | FLAG_HIDDEN;
    int32_t *cells = parts->cells + parts->count, count = 0;
    bool has_text = false;
    for (int32_t at = s->first_pair[block]; at >= 0; at = s->pairs[at].next) mark(s, block, s->pairs[at].element);
    for (int32_t row = s->page->first[block]; row < s->page->stop[block]; row++) {
        if (s->marks[row] || !is_shown(nodes, row, skipped)) continue;
        cells[2 + count++] = row;
        has_text |= nodes->chars[row] > 0;
    }
    unmark(s, block);
    if (!has_text) return false;
    cells[0] = block;
    cells[1] = count;
    parts->count += 2 + count;
    return true;
}

/* Blocks in the order of their first pairs. */
static bool write_parts(search *s, uint8_t *unseen, seen_parts *parts) {
    size_t most = 1;
    link_pairs(s);
    for (int32_t at = 0; at < s->count; at++) {
        int32_t block = s->pairs[at].block;
        if (s->first_pair[block] == at) most += 2 + (size_t)(s->page->stop[block] - s->page->first[block]);
    }
    parts->cells = malloc(most * sizeof *parts->cells);
    for (int32_t at = 0; parts->cells && at < s->count; at++) {
        int32_t block = s->pairs[at].block;
        if (s->first_pair[block] == at && !write_seen(s, block, parts)) unseen[block] = 1;
    }
    return parts->cells != NULL;
}

int find_seen_parts(const chosen_page *chosen, int32_t href, const unseen_candidates *found, uint8_t *unseen, seen_parts *parts) {
    const feature_page *page = chosen->page;
    search s = {.chosen = chosen, .page = page, .names = {&page->nodes, chosen->class, href}};
    *parts = (seen_parts){NULL, 0, false};
    s.marks = pool_take_zeros(&s.memory, (size_t)page->nodes.rows, sizeof *s.marks);
    s.first_pair = pool_take(&s.memory, (size_t)page->count, sizeof *s.first_pair);
    s.last_pair = pool_take(&s.memory, (size_t)page->count, sizeof *s.last_pair);
    bool enough = !s.memory.failed;
    for (int32_t block = 0; enough && block < page->count; block++) s.first_pair[block] = -1;
    for (int32_t at = 0; enough && at < found->heading_count && !s.asks_python; at++) enough = add_permalinks(&s, found->headings[at]);
    if (enough && !s.asks_python) enough = add_assistive(&s, found->elements, found->element_count);
    parts->asks_python = s.asks_python;
    if (enough && !s.asks_python) enough = write_parts(&s, unseen, parts);
    free(s.pairs);
    pool_free(&s.memory);
    return enough ? 0 : -1;
}
