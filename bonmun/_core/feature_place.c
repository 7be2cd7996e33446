#include "digests.h"
#include "feature_table.h"
#include "tags_table.h"

enum { MOST_TAG = 200, FAR_BLOCKS = 99, BEFORE_TITLE = -50, AFTER_TITLE = 200 };

static bool count_siblings(const measured *m, places *found) {
    const node_view *nodes = &m->page->nodes;
    digests pairs;
    if (digests_init(&pairs, at_most(nodes->rows, 4096))) return false;
    bool well = true;
    for (int32_t row = 0; well && row < nodes->rows; row++) {
        int32_t parent = nodes->parent[row], tag = nodes->tag[row];
        if (tag == TAG_TEXT) continue;
        found->children[parent + 1]++;
        int32_t number = digests_number(&pairs, (uint64_t)(uint32_t)parent << 32 | (uint32_t)tag);
        well = number >= 0;
        found->alike[row] = number;
        if (well) found->alike_count[number]++;
    }
    digests_free(&pairs);
    return well;
}

static void find_running(const measured *m, places *found) {
    int32_t count = m->page->count, last = -1000;
    for (int32_t at = 0; at < count; at++) {
        found->since_running[at] = at_most(at - last, FAR_BLOCKS);
        if (m->running[at]) last = at;
        if (m->running[at] && found->first_running < 0) found->first_running = at;
        if (tag_of_block(m, at) != TAG_H1 || !m->counts[at].size) continue;
        if (found->first_title < 0) found->first_title = at;
        found->last_title = at;
    }
    last = count + 1000;
    for (int32_t at = count - 1; at >= 0; at--) {
        found->until_running[at] = at_most(last - at, FAR_BLOCKS);
        if (m->running[at]) last = at;
    }
}

static bool is_heading(const measured *m, int32_t at) { return (role_of_tag(m->rules, tag_of_block(m, at)) & TAG_HEADING) != 0; }

static void find_sections(const measured *m, places *found) {
    int32_t count = m->page->count, start = 0, stop = count;
    for (int32_t at = 0; at < count; at++) {
        if (is_heading(m, at)) start = at;
        found->heading[at] = start;
    }
    for (int32_t at = count - 1; at >= 0; at--) {
        found->section_stop[at] = stop;
        if (is_heading(m, at)) stop = at;
    }
}

bool find_places(const measured *m, places *found) {
    size_t count = (size_t)m->page->count, rows = (size_t)m->page->nodes.rows;
    found->children = pool_take_zeros(m->memory, rows + 1, sizeof *found->children);
    found->alike = pool_take(m->memory, rows, sizeof *found->alike);
    found->alike_count = pool_take_zeros(m->memory, rows, sizeof *found->alike_count);
    found->since_running = pool_take(m->memory, count, sizeof *found->since_running);
    found->until_running = pool_take(m->memory, count, sizeof *found->until_running);
    found->heading = pool_take(m->memory, count, sizeof *found->heading);
    found->section_stop = pool_take(m->memory, count, sizeof *found->section_stop);
    found->first_title = found->last_title = found->first_running = -1;
    if (m->memory->failed || !count_siblings(m, found)) return false;
    find_running(m, found);
    find_sections(m, found);
    return true;
}

static float tag_number(const measured *m, int32_t row) { return (float)at_most(m->page->nodes.tag[row], MOST_TAG); }

static float alike(const places *found, int32_t row) { return magnitude(found->alike_count[found->alike[row]]); }

float *put_kind(const measured *m, const places *found, int32_t at, float *to) {
    const feature_page *page = m->page;
    int32_t element = page->element[at], parent = above(m, element), third = above(m, parent);
    *to++ = (float)page->kind[at];
    *to++ = (float)page->level[at];
    *to++ = (float)page->flags[at];
    *to++ = (float)m->link_share[at];
    *to++ = magnitude(page->stop[at] - page->first[at]);
    *to++ = tag_number(m, element);
    *to++ = tag_number(m, above(m, page->first[at]));
    *to++ = tag_number(m, parent);
    *to++ = tag_number(m, third);
    *to++ = tag_number(m, above(m, third));
    *to++ = (float)page->depth[element];
    *to++ = magnitude(found->children[page->nodes.parent[element] + 1]);
    *to++ = alike(found, element);
    *to++ = alike(found, parent);
    *to++ = alike(found, third);
    return to;
}

static float *put_windows(const measured *m, int32_t at, float *to) {
    static const int32_t widths[] = {3, 8, 20};
    for (int window = 0; window < 3; window++) {
        int32_t width = widths[window], start = at < width ? 0 : at - width, stop = at_most(at + width + 1, m->page->count);
        block_sums sums = sums_between(m, start, stop);
        *to++ = magnitude(share(sums.size, stop - start));
        *to++ = (float)share(sums.link, sums.size);
        *to++ = (float)share(sums.running, sums.size);
    }
    return to;
}

float *put_place(const measured *m, const places *found, int32_t at, float *to) {
    int32_t count = m->page->count, title = found->first_title;
    int32_t first = found->first_running < 0 ? 0 : found->first_running;
    *to++ = (float)share(at, count);
    *to++ = magnitude(at);
    *to++ = magnitude(count - at);
    *to++ = (float)share(m->before[at].size, m->total);
    *to++ = (float)share(m->before[at].running, m->total_running);
    *to++ = (float)(title < 0 ? -FAR_BLOCKS : within(at - title, BEFORE_TITLE, AFTER_TITLE));
    *to++ = (float)(title < 0 ? -FAR_BLOCKS : within(at - found->last_title, BEFORE_TITLE, AFTER_TITLE));
    *to++ = title < 0 ? -2 : (float)share(m->before[at].size - m->before[title].size, m->total);
    *to++ = (float)within(at - first, -FAR_BLOCKS, FAR_BLOCKS);
    *to++ = (float)found->since_running[at];
    *to++ = (float)found->until_running[at];
    return put_windows(m, at, to);
}

float *put_neighbours(const measured *m, int32_t at, float *to) {
    static const int32_t steps[] = {-2, -1, 1, 2};
    for (int step = 0; step < 4; step++) {
        int32_t beside = at + steps[step];
        bool there = beside >= 0 && beside < m->page->count;
        *to++ = there ? magnitude(m->counts[beside].size) : -1;
        *to++ = there ? (float)m->link_share[beside] : -1;
        *to++ = there ? (float)m->page->kind[beside] : -1;
    }
    return to;
}

float *put_section(const measured *m, const places *found, int32_t at, float *to) {
    int32_t start = found->heading[at];
    bool headed = is_heading(m, start);
    block_sums sums = sums_between(m, start, found->section_stop[at]);
    *to++ = (float)at_most(at - start, FAR_BLOCKS);
    *to++ = headed ? (float)(tag_of_block(m, start) - TAG_H1 + 1) : 0;
    *to++ = headed ? magnitude(m->counts[start].size) : -1;
    *to++ = headed ? (float)m->link_share[start] : -1;
    *to++ = magnitude(sums.size);
    *to++ = (float)share(sums.link, sums.size);
    *to++ = (float)share(sums.running, sums.size);
    return to;
}
