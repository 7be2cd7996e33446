#include <string.h>

#include "feature_table.h"

/* The children of one element, or of the document: `stop` is its end. `count`: zeros by tag, before and after; `child`: room. */
static void count_children(const node_view *nodes, int32_t parent, int32_t stop, int32_t *count, int32_t *child, places *p) {
    int32_t children = 0;
    for (int32_t row = parent + 1; row < stop; row = nodes->end[row]) {
        if (nodes->tag[row] == TAG_TEXT) continue;
        child[children++] = row;
        count[nodes->tag[row]]++;
    }
    p->children[parent + 1] = children;
    for (int32_t at = 0; at < children; at++) p->alike[child[at]] = count[nodes->tag[child[at]]];
    for (int32_t at = 0; at < children; at++) count[nodes->tag[child[at]]] = 0;
}

/* Count the siblings of the rows that `put_kind` writes: of blocks, of their parents and of those above. */
static bool count_siblings(const measured *m, places *p) {
    const node_view *nodes = &m->page->nodes;
    int32_t *count = pool_take_zeros(m->scratch, (size_t)m->last_tag + 1, sizeof *count);
    int32_t *child = pool_take(m->scratch, (size_t)nodes->rows, sizeof *child);
    if (no_memory(m)) return false;
    for (int32_t block = 0; block < m->page->count; block++) {
        int32_t row = m->page->element[block];
        for (int level = 0; level < 3; level++, row = above(m, row)) {
            int32_t parent = nodes->parent[row];
            if (p->children[parent + 1] >= 0) continue;
            count_children(nodes, parent, parent < 0 ? nodes->rows : nodes->end[parent], count, child, p);
        }
    }
    return true;
}

static void find_running(const measured *m, places *p) {
    int32_t count = m->page->count, last = -1000;
    for (int32_t block = 0; block < count; block++) {
        p->since_running[block] = at_most(block - last, FAR_BLOCKS);
        if (m->running[block]) last = block;
        if (m->running[block] && p->first_running < 0) p->first_running = block;
        if (tag_of_block(m, block) != TAG_H1 || !m->size[block]) continue;
        if (p->first_title < 0) p->first_title = block;
        p->last_title = block;
    }
    last = count + 1000;
    for (int32_t block = count - 1; block >= 0; block--) {
        p->until_running[block] = at_most(last - block, FAR_BLOCKS);
        if (m->running[block]) last = block;
    }
}

static bool is_heading(const measured *m, int32_t block) {
    return (role_of_tag(m->rules, tag_of_block(m, block)) & FEATURE_ROLE_HEADING) != 0;
}

static void find_sections(const measured *m, places *p) {
    int32_t count = m->page->count, start = 0, stop = count;
    for (int32_t block = 0; block < count; block++) {
        if (is_heading(m, block)) start = block;
        p->heading[block] = start;
    }
    for (int32_t block = count - 1; block >= 0; block--) {
        p->section_stop[block] = stop;
        if (is_heading(m, block)) stop = block;
    }
}

bool find_places(const measured *m, places *p) {
    size_t count = (size_t)m->page->count, rows = (size_t)m->page->nodes.rows;
    p->children = pool_take(m->memory, rows + 1, sizeof *p->children);
    p->alike = pool_take(m->memory, rows, sizeof *p->alike);
    p->since_running = pool_take(m->memory, count, sizeof *p->since_running);
    p->until_running = pool_take(m->memory, count, sizeof *p->until_running);
    p->heading = pool_take(m->memory, count, sizeof *p->heading);
    p->section_stop = pool_take(m->memory, count, sizeof *p->section_stop);
    p->first_title = p->last_title = p->first_running = -1;
    if (m->memory->failed) return false;
    memset(p->children, 0xFF, (rows + 1) * sizeof *p->children); /* -1: not counted */
    if (!count_siblings(m, p)) return false;
    find_running(m, p);
    find_sections(m, p);
    return true;
}

static float tag_number(const measured *m, int32_t row) { return (float)at_most(m->page->nodes.tag[row], MOST_TAG); }

static float alike(const places *p, int32_t row) { return magnitude_of(p->alike[row]); }

_Static_assert(KIND_COLUMNS == 15, "put_kind writes all columns of the family");

void put_kind(const measured *m, const places *p, int32_t block, float *row) {
    const feature_page *page = m->page;
    int32_t element = page->element[block], parent = above(m, element), third = above(m, parent);
    row[COLUMN_KIND] = (float)page->kind[block];
    row[COLUMN_LEVEL] = (float)page->level[block];
    row[COLUMN_FLAGS] = (float)page->flags[block];
    row[COLUMN_LINK_SHARE] = (float)m->link_share[block];
    row[COLUMN_ROWS] = magnitude_of(page->stop[block] - page->first[block]);
    row[COLUMN_TAG] = tag_number(m, element);
    row[COLUMN_INNER_TAG] = tag_number(m, above(m, page->first[block]));
    row[COLUMN_PARENT_TAG] = tag_number(m, parent);
    row[COLUMN_THIRD_TAG] = tag_number(m, third);
    row[COLUMN_FOURTH_TAG] = tag_number(m, above(m, third));
    row[COLUMN_DEPTH] = (float)page->depth[element];
    row[COLUMN_SIBLINGS] = magnitude_of(p->children[page->nodes.parent[element] + 1]);
    row[COLUMN_SIBLINGS_SAME] = alike(p, element);
    row[COLUMN_PARENT_SIBLINGS_SAME] = alike(p, parent);
    row[COLUMN_THIRD_SIBLINGS_SAME] = alike(p, third);
}

_Static_assert(PLACE_COLUMNS == 11, "put_place writes all columns of the family");

void put_place(const measured *m, const places *p, int32_t block, float *row) {
    int32_t count = m->page->count, title = p->first_title;
    int32_t first = p->first_running < 0 ? 0 : p->first_running;
    row[COLUMN_PLACE] = (float)share(block, count);
    row[COLUMN_INDEX] = magnitude_of(block);
    row[COLUMN_FROM_END] = magnitude_of(count - block);
    row[COLUMN_TEXT_BEFORE] = (float)share(m->before[block].size, m->total);
    row[COLUMN_LONG_BEFORE] = (float)share(m->before[block].running, m->total_running);
    row[COLUMN_AFTER_H1] = (float)(title < 0 ? -FAR_BLOCKS : within(block - title, BEFORE_TITLE, AFTER_TITLE));
    row[COLUMN_AFTER_LAST_H1] = (float)(title < 0 ? -FAR_BLOCKS : within(block - p->last_title, BEFORE_TITLE, AFTER_TITLE));
    row[COLUMN_TEXT_AFTER_H1] = title < 0 ? NO_TITLE : (float)share(m->before[block].size - m->before[title].size, m->total);
    row[COLUMN_AFTER_FIRST_LONG] = (float)within(block - first, -FAR_BLOCKS, FAR_BLOCKS);
    row[COLUMN_SINCE_LONG] = (float)p->since_running[block];
    row[COLUMN_UNTIL_LONG] = (float)p->until_running[block];
}

_Static_assert(WINDOW_COLUMNS == 3, "put_windows writes all columns of a window");

void put_windows(const measured *m, int32_t block, float *row) {
    static const int32_t widths[WINDOWS] = WINDOW_WIDTHS;
    for (int window = 0; window < WINDOWS; window++) {
        float *cells = row + FIRST_WINDOW + window * WINDOW_COLUMNS;
        int32_t width = widths[window], start = block < width ? 0 : block - width;
        int32_t stop = at_most(block + width + 1, m->page->count);
        block_sums sums = sums_between(m, start, stop);
        cells[WINDOW_SIZE] = magnitude(share(sums.size, stop - start));
        cells[WINDOW_LINK] = (float)share(sums.link, sums.size);
        cells[WINDOW_LONG] = (float)share(sums.running, sums.size);
    }
}

_Static_assert(NEIGHBOUR_COLUMNS == 3, "put_neighbours writes all columns of a neighbour");

void put_neighbours(const measured *m, int32_t block, float *row) {
    static const int32_t steps[NEIGHBOURS] = NEIGHBOUR_STEPS;
    for (int step = 0; step < NEIGHBOURS; step++) {
        float *cells = row + FIRST_NEIGHBOUR + step * NEIGHBOUR_COLUMNS;
        int32_t beside = block + steps[step];
        bool exists = beside >= 0 && beside < m->page->count;
        cells[NEIGHBOUR_SIZE] = exists ? magnitude_of(m->size[beside]) : -1;
        cells[NEIGHBOUR_LINK] = exists ? (float)m->link_share[beside] : -1;
        cells[NEIGHBOUR_KIND] = exists ? (float)m->page->kind[beside] : -1;
    }
}

_Static_assert(SECTION_COLUMNS == 7, "put_section writes all columns of the family");

void put_section(const measured *m, const places *p, int32_t block, float *row) {
    int32_t start = p->heading[block];
    bool headed = is_heading(m, start);
    block_sums sums = sums_between(m, start, p->section_stop[block]);
    row[COLUMN_SINCE_HEADING] = (float)at_most(block - start, FAR_BLOCKS);
    row[COLUMN_HEADING_LEVEL] = headed ? (float)(tag_of_block(m, start) - TAG_H1 + 1) : 0;
    row[COLUMN_HEADING_SIZE] = headed ? magnitude_of(m->size[start]) : -1;
    row[COLUMN_HEADING_LINK] = headed ? (float)m->link_share[start] : -1;
    row[COLUMN_SECTION_SIZE] = magnitude_of(sums.size);
    row[COLUMN_SECTION_LINK] = (float)share(sums.link, sums.size);
    row[COLUMN_SECTION_LONG] = (float)share(sums.running, sums.size);
}
