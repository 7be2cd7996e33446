#include <string.h>

#include "feature_table.h"
#include "terms.h"

/* The text of the first title, which may span several text nodes; NULL: no title. */
static uint8_t *title_text(const measured *m, int32_t *length) {
    const node_view *nodes = &m->page->nodes;
    int32_t title = 0;
    *length = 0;
    while (title < nodes->rows && nodes->tag[title] != TAG_TITLE) title++;
    if (title == nodes->rows) return NULL;
    for (int32_t row = title; row < nodes->end[title]; row++) *length += nodes->stop[row] - nodes->start[row];
    uint8_t *text = pool_take(m->scratch, (size_t)*length, 1), *to = text;
    for (int32_t row = title; text && row < nodes->end[title]; row++) {
        size_t size = (size_t)(nodes->stop[row] - nodes->start[row]);
        if (size) memcpy(to, node_bytes(nodes, nodes->start[row]), size);
        to += size;
    }
    return text;
}

bool make_bits(pool *p, int32_t length, text_bits *bits) {
    size_t size = (size_t)bits_size(length);
    uint64_t *all = pool_take(p, BITS_ARRAYS * size, sizeof *all);
    uint8_t *lower = pool_take(p, lower_size(length), 1);
    if (!all || !lower) return false;
    *bits = (text_bits){all, all + size, all + 2 * size, all + 3 * size, all + 4 * size, false, lower};
    return true;
}

static bool number_title(const measured *m, block_texts *t, const uint8_t *text, int32_t length) {
    text_bits bits;
    int32_t *start = pool_take(m->scratch, terms_size(length), sizeof *start);
    int32_t *stop = pool_take(m->scratch, terms_size(length), sizeof *stop);
    if (no_memory(m) || !make_bits(m->scratch, length, &bits)) return false;
    text_counts counts;
    read_characters(text, length, length, &bits, &counts);
    for (term_list list = {.bits = &bits, .length = length}; has_more_terms(&list);) {
        int32_t count = list_terms(&list, start, stop);
        for (int32_t at = 0; at < count; at++) {
            term word = term_at(bits.lower + start[at], stop[at] - start[at]);
            if (digests_number(&t->numbers, term_digest(&word)) < 0) return false;
        }
    }
    t->in_title = t->numbers.count;
    return true;
}

static double score_terms(const float *weights, const scored_terms *terms, int32_t first, int32_t stop) {
    double singles = 0, pairs = 0;
    for (int32_t at = first; at < stop; at++) {
        if (at > first) pairs += weights[terms->pair[at]];
        singles += weights[terms->single[at]];
    }
    return (singles + pairs) / sqrt(2 * (stop - first) - 1);
}

static void score_blocks(const measured *m, block_texts *t, scored_terms *terms) {
    for (int32_t at = 0, first = 0; at < terms->blocks; first = terms->stop[at++])
        t->score[terms->block[at]] = score_terms(m->rules->term_weights, terms, first, terms->stop[at]);
    terms->blocks = 0;
}

/* Hash the terms in the lanes. The weights lie far apart: they are fetched early, and summed up when the lanes are full again. */
static void empty_lanes(const measured *m, block_texts *t) {
    const float *weights = m->rules->term_weights;
    scored_terms *terms = &t->scored[t->now];
    hash_terms(&t->lanes, terms->single, terms->pair);
    for (int32_t at = 0; at < t->lanes.count; at++) {
        fetch_early(&weights[terms->single[at]]);
        fetch_early(&weights[terms->pair[at]]);
    }
    t->lanes.count = 0;
    t->now = !t->now;
    score_blocks(m, t, &t->scored[t->now]);
}

enum { PLACED_AT_ONCE = 64 };

/* Number some terms of a block, for which there is room; `before`: those of the parts before. The first of the block go into the lanes
 * behind the last. */
static void place_terms(block_texts *t, const uint8_t *text, const uint8_t *lower, int32_t before, int32_t first, int32_t stop,
                        int32_t *numbers) {
    digests known = t->numbers; /* a copy stays in registers */
    int32_t lanes = t->lanes.count;
    for (int32_t at = first; at < stop; at++) {
        int32_t start = t->start[at], lane = before + at < MOST_TERMS ? lanes + before + at : MOST_LANES;
        term word = term_at(lower + start, t->stop[at] - start);
        numbers[before + at] = digests_place(&known, term_digest(&word));
        memcpy(t->lanes.word[lane], word.word, sizeof word.word);
        t->lanes.text[lane] = text + start;
        t->lanes.length[lane] = word.length;
    }
    t->numbers.count = known.count;
}

/* Number the terms of a block and note the first MOST_TERMS for its score. */
static bool number_terms(const measured *m, block_texts *t, int32_t block, const text_bits *bits, int32_t length) {
    const uint8_t *text = m->page->text + m->page->text_start[block];
    int32_t used = t->first[block], count = 0;
    for (term_list list = {.bits = bits, .length = length}; has_more_terms(&list); count += list.listed) {
        int32_t listed = list_terms(&list, t->start, t->stop);
        for (int32_t at = 0; at < listed; at += PLACED_AT_ONCE) {
            if (digests_reserve(&t->numbers, PLACED_AT_ONCE)) return false;
            place_terms(t, text, bits->lower, count, at, at_most(listed, at + PLACED_AT_ONCE), t->term + used);
        }
    }
    t->first[block + 1] = used + count;
    t->score[block] = 0;
    if (!count) return true;
    scored_terms *terms = &t->scored[t->now];
    t->lanes.count += at_most(count, MOST_TERMS);
    terms->block[terms->blocks] = block;
    terms->stop[terms->blocks++] = t->lanes.count;
    if (t->lanes.count > MOST_LANES - MOST_TERMS) empty_lanes(m, t);
    return true;
}

static int32_t next_bit(const uint64_t *bits, uint64_t flip, int32_t at, int32_t stop) {
    while (at < stop) {
        uint64_t left = (bits[at / 64] ^ flip) >> at % 64;
        if (left) return at_most(at + lowest_bit(left), stop);
        at += 64 - at % 64;
    }
    return stop;
}

/* Digest of a text with every number replaced by the same one. */
static uint64_t digest_but_digits(const uint8_t *text, int32_t length, const uint64_t *digits) {
    uint64_t digest = 0;
    for (int32_t start = 0; start < length;) {
        int32_t at = next_bit(digits, 0, start, length);
        digest = digest_pair(digest, digest_bytes(text + start, at - start, length - start + LOWER_BEHIND, false));
        start = next_bit(digits, UINT64_MAX, at, length);
        if (start == length && at < length) digest = digest_pair(digest, 0);
    }
    return digest;
}

bool open_texts(const measured *m, block_texts *t) {
    const feature_page *page = m->page;
    size_t bytes = 0, count = (size_t)page->count, longest = terms_size(m->longest);
    for (int32_t block = 0; block < page->count; block++) bytes += (size_t)(page->text_stop[block] - page->text_start[block]);
    int32_t length;
    const uint8_t *title = title_text(m, &length);
    t->term = pool_take(m->scratch, bytes, sizeof *t->term);
    t->first = pool_take(m->scratch, count + 1, sizeof *t->first);
    t->start = pool_take(m->scratch, longest, sizeof *t->start);
    t->stop = pool_take(m->scratch, longest, sizeof *t->stop);
    t->exact = pool_take(m->scratch, count, sizeof *t->exact);
    t->but_digits = pool_take(m->scratch, count, sizeof *t->but_digits);
    if (no_memory(m) || digests_init(&t->numbers, at_most((int32_t)(bytes / 8), 8192))) return false;
    t->first[0] = 0;
    return !title || number_title(m, t, title, length);
}

bool read_text(const measured *m, block_texts *t, int32_t block, text_counts *counts) {
    int32_t length;
    const uint8_t *text = block_text(m->page, block, &length);
    int32_t readable = m->page->text_length - m->page->text_start[block];
    text_bits bits = m->bits;
    read_characters(text, length, readable, &bits, counts);
    t->exact[block] = digest_bytes(bits.lower, length, length + LOWER_BEHIND, false);
    t->but_digits[block] = counts->digits ? digest_but_digits(bits.lower, length, bits.digits)
                                          : digest_pair(0, t->exact[block]);
    if (!number_terms(m, t, block, &bits, length)) return false;
    return true;
}

void score_last_texts(const measured *m, block_texts *t) {
    for (int turn = 0; turn < 2; turn++) empty_lanes(m, t);
}

void close_texts(block_texts *t) { digests_free(&t->numbers); }
