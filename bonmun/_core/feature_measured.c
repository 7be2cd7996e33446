#include "feature_table.h"
#include "magnitudes_table.h"

static bool measure_blocks(measured *m, block_texts *t) {
    const feature_page *page = m->page;
    block_sums sum = {0};
    for (int32_t block = 0; block < page->count; block++) {
        int32_t tag = tag_of_block(m, block);
        text_counts here, *counts = m->counts ? &m->counts[block] : &here;
        if (!read_text(m, t, block, counts)) return false;
        m->size[block] = counts->size;
        double links = m->link_share[block] = share(page->link_chars[block], page->chars[block]);
        m->running[block] = counts->size >= LONG_SIZE && counts->sentences && links < LINKED_SHARE ? counts->size : 0;
        m->before[block] = sum;
        if (!(page->flags[block] & (FLAG_HIDDEN | FLAG_CONTROL))) {
            sum.size += counts->size;
            sum.link += counts->size * links;
            sum.running += m->running[block];
        }
        m->currencies += counts->currencies;
        m->dates += counts->dates;
        m->years += counts->years;
        sum.marks += counts->commas + counts->sentences;
        sum.headings += (role_of_tag(m->rules, tag) & FEATURE_ROLE_HEADING) != 0;
        sum.paragraphs += tag == TAG_P;
        sum.images += page->kind[block] == KIND_IMAGE;
    }
    score_last_texts(m, t);
    m->before[page->count] = sum;
    m->total = sum.size;
    m->total_running = sum.running;
    return true;
}

static void measure_rows(measured *m) {
    const feature_page *page = m->page;
    const node_view *nodes = &page->nodes;
    int32_t blocks = 0, elements = 0, inputs = 0, next = page->first[0];
    for (int32_t row = 0; row < nodes->rows; row++) {
        int32_t tag = nodes->tag[row], parent = nodes->parent[row];
        uint8_t role = role_of_tag(m->rules, tag);
        m->blocks_before[row] = blocks;
        m->elements_before[row] = elements;
        if (row == next) next = ++blocks < page->count ? page->first[blocks] : -1;
        elements += (tag != TAG_TEXT) & !(nodes->flags[row] & FLAG_UNRENDERED);
        int32_t flows = -((parent >= 0) & ((role & FEATURE_ROLE_FLOW) != 0)); /* all bits */
        m->region[row] = (m->region[parent < 0 ? 0 : parent] & flows) | (row & ~flows);
        uint64_t path = parent < 0 ? 0 : m->path[parent];
        m->path[row] = tag == TAG_TEXT ? path : digest_pair(path, (uint64_t)tag + 1);
        if (tag < TAG_COUNT) m->tags[tag]++;
        else if (tag > m->last_tag) m->last_tag = tag;
        inputs += (role & FEATURE_ROLE_INPUT) != 0;
    }
    m->inputs = inputs;
    m->blocks_before[nodes->rows] = blocks;
    m->elements_before[nodes->rows] = elements;
}

static int32_t longest_text(const feature_page *page) {
    int32_t longest = 0;
    for (int32_t block = 0; block < page->count; block++) {
        int32_t length = page->text_stop[block] - page->text_start[block];
        if (length > longest) longest = length;
    }
    return longest;
}

bool measure(measured *m, block_texts *t) {
    size_t count = (size_t)m->page->count, rows = (size_t)m->page->nodes.rows;
    m->counts = count <= MOST_COUNTED ? pool_take(m->memory, count, sizeof *m->counts) : NULL;
    m->size = pool_take(m->memory, count, sizeof *m->size);
    m->link_share = pool_take(m->memory, count, sizeof *m->link_share);
    m->running = pool_take(m->memory, count, sizeof *m->running);
    m->before = pool_take(m->memory, count + 1, sizeof *m->before);
    m->blocks_before = pool_take(m->memory, rows + 1, sizeof *m->blocks_before);
    m->elements_before = pool_take(m->memory, rows + 1, sizeof *m->elements_before);
    m->region = pool_take(m->memory, rows, sizeof *m->region);
    m->path = pool_take(m->memory, rows, sizeof *m->path);
    m->longest = longest_text(m->page);
    if (!make_bits(m->memory, m->longest, &m->bits) || m->memory->failed || !open_texts(m, t)) return false;
    m->region[0] = 0;
    m->last_tag = TAG_COUNT - 1;
    measure_rows(m);
    return measure_blocks(m, t);
}

text_counts counts_of(const measured *m, int32_t block) {
    if (m->counts) return m->counts[block];
    int32_t length;
    const uint8_t *text = block_text(m->page, block, &length);
    text_bits bits = m->bits;
    text_counts counts;
    read_characters(text, length, m->page->text_length - m->page->text_start[block], &bits, &counts);
    return counts;
}
