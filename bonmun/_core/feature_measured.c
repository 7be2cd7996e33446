#include "feature_table.h"
#include "tags_table.h"

static void measure_blocks(measured *m) {
    const feature_page *page = m->page;
    block_sums sum = {0};
    for (int32_t block = 0; block < page->count; block++) {
        int32_t length, tag = tag_of_block(m, block);
        const uint8_t *text = block_text(page, block, &length);
        text_counts counts = count_characters(text, length);
        if (m->counts) m->counts[block] = counts;
        m->size[block] = counts.size;
        double links = m->link_share[block] = share(page->link_chars[block], page->chars[block]);
        m->running[block] = counts.size >= LONG_SIZE && counts.sentences && links < LINKED_SHARE ? counts.size : 0;
        m->before[block] = sum;
        if (!(page->flags[block] & (FLAG_HIDDEN | FLAG_CONTROL))) {
            sum.size += counts.size;
            sum.link += counts.size * links;
            sum.running += m->running[block];
        }
        m->currencies += counts.currencies;
        m->dates += counts.dates;
        m->years += counts.years;
        sum.marks += counts.commas + counts.sentences;
        sum.headings += (role_of_tag(m->rules, tag) & FEATURE_ROLE_HEADING) != 0;
        sum.paragraphs += tag == TAG_P;
        sum.images += page->kind[block] == KIND_IMAGE;
    }
    m->before[page->count] = sum;
    m->total = sum.size;
    m->total_running = sum.running;
}

static void measure_rows(measured *m) {
    const feature_page *page = m->page;
    const node_view *nodes = &page->nodes;
    int32_t blocks = 0, elements = 0;
    for (int32_t row = 0; row < nodes->rows; row++) {
        int32_t tag = nodes->tag[row], parent = nodes->parent[row];
        m->blocks_before[row] = blocks;
        m->elements_before[row] = elements;
        if (blocks < page->count && page->first[blocks] == row) blocks++;
        elements += tag != TAG_TEXT && !(nodes->flags[row] & FLAG_UNRENDERED);
        m->region[row] = parent >= 0 && role_of_tag(m->rules, tag) & FEATURE_ROLE_FLOW ? m->region[parent] : row;
    }
    m->blocks_before[nodes->rows] = blocks;
    m->elements_before[nodes->rows] = elements;
}

bool measure(measured *m) {
    size_t count = (size_t)m->page->count, rows = (size_t)m->page->nodes.rows;
    m->counts = count <= MOST_COUNTED ? pool_take(m->memory, count, sizeof *m->counts) : NULL;
    m->size = pool_take(m->memory, count, sizeof *m->size);
    m->link_share = pool_take(m->memory, count, sizeof *m->link_share);
    m->running = pool_take(m->memory, count, sizeof *m->running);
    m->before = pool_take(m->memory, count + 1, sizeof *m->before);
    m->blocks_before = pool_take(m->memory, rows + 1, sizeof *m->blocks_before);
    m->elements_before = pool_take(m->memory, rows + 1, sizeof *m->elements_before);
    m->region = pool_take(m->memory, rows, sizeof *m->region);
    m->magnitudes = pool_take(m->memory, MAGNITUDES, sizeof *m->magnitudes);
    if (m->memory->failed) return false;
    for (int32_t at = 0; at < MAGNITUDES; at++) m->magnitudes[at] = magnitude(at);
    measure_blocks(m);
    measure_rows(m);
    return true;
}

text_counts counts_of(const measured *m, int32_t block) {
    if (m->counts) return m->counts[block];
    int32_t length;
    const uint8_t *text = block_text(m->page, block, &length);
    return count_characters(text, length);
}

block_sums sums_between(const measured *m, int32_t start, int32_t stop) {
    const block_sums *from = &m->before[start], *to = &m->before[stop];
    return (block_sums){to->link - from->link, to->size - from->size, to->running - from->running, to->marks - from->marks,
                        to->headings - from->headings, to->paragraphs - from->paragraphs, to->images - from->images};
}
