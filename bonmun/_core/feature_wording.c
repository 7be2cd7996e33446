#include <string.h>

#include "bytes.h"
#include "digests.h"
#include "feature_table.h"
#include "tags_table.h"
#include "terms.h"

/* The terms of all blocks as numbers; those of the title come first. */
typedef struct {
    digests numbers;
    int32_t *term, *first; /* a block has term[first[block]] … term[first[block + 1]] */
    int32_t in_title;      /* lower numbers are terms of the title */
} term_table;

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

static bool number_title(const measured *m, term_table *terms) {
    word_reader r = {0};
    r.text = title_text(m, &r.length);
    while (r.text && next_term(&r))
        if (digests_number(&terms->numbers, term_digest(&r)) < 0) return false;
    terms->in_title = terms->numbers.count;
    return !no_memory(m);
}

/* The hash buckets of the first MOST_TERMS terms of a block, and of each with the one before it. */
typedef struct {
    uint32_t single[MOST_TERMS], pair[MOST_TERMS];
} term_buckets;

static double score_terms(const float *weights, const term_buckets *buckets, int32_t count) {
    double singles = 0, pairs = 0;
    for (int32_t at = 0; at < count; at++) {
        if (at) pairs += weights[buckets->pair[at]];
        singles += weights[buckets->single[at]];
    }
    return count ? (singles + pairs) / sqrt(2 * count - 1) : 0;
}

/* Number the terms of a block, from index `used` on, and score the first MOST_TERMS. Returns the new `used`; -1: no memory. The
 * weights lie far apart: they are fetched while the next terms are read. */
static int32_t number_block(const measured *m, term_table *terms, int32_t block, int32_t used, double *score) {
    const float *weights = m->rules->term_weights;
    word_reader r = {0};
    r.text = block_text(m->page, block, &r.length);
    term_buckets buckets;
    uint32_t hash = 0;
    int32_t first = used;
    for (; next_term(&r); used++) {
        int32_t at = used - first;
        if (at < MOST_TERMS) {
            uint32_t pair = hash_byte(hash, ' ');
            hash = term_hash(&r, &pair);
            buckets.single[at] = hash % TERM_BUCKETS;
            buckets.pair[at] = pair % TERM_BUCKETS;
            fetch_early(&weights[buckets.single[at]]);
            fetch_early(&weights[buckets.pair[at]]);
        }
        if ((terms->term[used] = digests_number(&terms->numbers, term_digest(&r))) < 0) return -1;
    }
    *score = score_terms(weights, &buckets, at_most(used - first, MOST_TERMS));
    return used;
}

static bool number_terms(const measured *m, term_table *terms, double *score) {
    if (!number_title(m, terms)) return false;
    for (int32_t block = 0, used = 0; block < m->page->count; block++) {
        terms->first[block] = used;
        if ((used = number_block(m, terms, block, used, &score[block])) < 0) return false;
        terms->first[block + 1] = used;
    }
    return true;
}

/* For each term the number of blocks of running text that contain it. */
static int32_t *count_running(const measured *m, const term_table *terms) {
    size_t numbers = (size_t)terms->numbers.count;
    int32_t *count = pool_take_zeros(m->scratch, numbers, sizeof *count);
    int32_t *last = pool_take_zeros(m->scratch, numbers, sizeof *last);
    for (int32_t block = 0; count && last && block < m->page->count; block++) {
        if (!m->running[block]) continue;
        for (int32_t at = terms->first[block]; at < terms->first[block + 1]; at++) {
            int32_t term = terms->term[at];
            count[term] += last[term] != block + 1;
            last[term] = block + 1;
        }
    }
    return last ? count : NULL;
}

static bool find_shares(const measured *m, const term_table *terms, wordings *w) {
    int32_t *running = count_running(m, terms), *seen = pool_take_zeros(m->scratch, (size_t)terms->in_title, sizeof *seen);
    if (no_memory(m)) return false;
    for (int32_t block = 0; block < m->page->count; block++) {
        int32_t of_title = 0, different = 0, known = 0, first = terms->first[block], stop = terms->first[block + 1];
        for (int32_t at = first; at < stop; at++) {
            int32_t term = terms->term[at];
            known += running[term] > (m->running[block] > 0);
            if (term >= terms->in_title) continue;
            of_title++;
            different += seen[term] != block + 1;
            seen[term] = block + 1;
        }
        w->title_share[block] = (float)share(of_title, stop - first);
        w->of_title[block] = (float)share(different, terms->in_title);
        w->known_share[block] = (float)share(known, stop - first);
    }
    return true;
}

static bool compare_terms(const measured *m, wordings *w) {
    const feature_page *page = m->page;
    size_t bytes = 0;
    for (int32_t block = 0; block < page->count; block++) bytes += (size_t)(page->text_stop[block] - page->text_start[block]);
    term_table terms;
    terms.term = pool_take(m->scratch, bytes, sizeof *terms.term);
    terms.first = pool_take_zeros(m->scratch, (size_t)page->count + 1, sizeof *terms.first);
    if (no_memory(m) || digests_init(&terms.numbers, at_most((int32_t)(bytes / 16), 4096))) return false;
    bool ok = number_terms(m, &terms, w->score) && find_shares(m, &terms, w);
    digests_free(&terms.numbers);
    return ok;
}

/* Digest of a text in lower case with every number replaced by the same one. */
static uint64_t digest_but_digits(const uint8_t *text, int32_t length) {
    uint64_t digest = 0;
    for (int32_t at = 0, start = 0; at < length; start = at) {
        while (at < length && !byte_is(text[at], DIGIT)) at++;
        digest = digest_pair(digest, digest_bytes(text + start, at - start, true));
        while (at < length && byte_is(text[at], DIGIT)) at++;
        if (at == length && byte_is(text[at - 1], DIGIT)) digest = digest_pair(digest, 0);
    }
    return digest;
}

/* Replace each number by how often it occurs; 0 for empty blocks. */
static bool count_alike(const measured *m, int32_t *numbers, int32_t known) {
    int32_t *times = pool_take_zeros(m->scratch, (size_t)known, sizeof *times);
    if (!times) return false;
    for (int32_t block = 0; block < m->page->count; block++) times[numbers[block]]++;
    for (int32_t block = 0; block < m->page->count; block++) {
        bool empty = m->page->text_start[block] == m->page->text_stop[block];
        numbers[block] = empty ? 0 : times[numbers[block]];
    }
    return true;
}

/* For each block the size of the run of copies that it is part of. */
static void put_runs(const measured *m, const int32_t *copies, float *sizes) {
    for (int32_t start = 0, stop; start < m->page->count; start = stop + 1) {
        double size = 0;
        for (stop = start; stop < m->page->count && copies[stop]; stop++) size += m->size[stop];
        for (int32_t block = start; block < stop; block++) sizes[block] = magnitude(size);
        if (stop < m->page->count) sizes[stop] = 0;
    }
}

/* For each block the number of earlier and later blocks with the same text; `w->times` holds the number of each text. */
static bool find_copies(const measured *m, int32_t known, wordings *w) {
    int32_t *seen = pool_take_zeros(m->scratch, (size_t)known, sizeof *seen);
    int32_t *later = pool_take_zeros(m->scratch, (size_t)m->page->count, sizeof *later);
    if (no_memory(m)) return false;
    for (int32_t block = 0; block < m->page->count; block++) w->before[block] = seen[w->times[block]]++;
    for (int32_t block = 0; block < m->page->count; block++) {
        bool empty = m->page->text_start[block] == m->page->text_stop[block];
        later[block] = empty ? 0 : seen[w->times[block]] - w->before[block] - 1;
        if (empty) w->before[block] = 0;
    }
    put_runs(m, w->before, w->copy_run);
    put_runs(m, later, w->copied_run);
    return true;
}

/* Number digests. Returns how many differ; -1: no memory. */
static int32_t number_digests(const uint64_t *of_block, int32_t count, int32_t *numbers) {
    digests known;
    if (digests_init(&known, count)) return -1;
    int32_t different = 0;
    for (int32_t block = 0; different >= 0 && block < count; block++) {
        numbers[block] = digests_number(&known, of_block[block]);
        different = numbers[block] < 0 ? -1 : known.count;
    }
    digests_free(&known);
    return different;
}

/* Digests of the texts, in lower case; and with every number replaced. */
static void digest_texts(const measured *m, uint64_t *exact, uint64_t *but_digits) {
    for (int32_t block = 0; block < m->page->count; block++) {
        int32_t length;
        const uint8_t *text = block_text(m->page, block, &length);
        exact[block] = digest_bytes(text, length, true);
        bool no_digit = length && m->counts && !m->counts[block].digits; /* one piece of text: its digest is known */
        but_digits[block] = no_digit ? digest_pair(0, exact[block]) : digest_but_digits(text, length);
    }
}

static bool compare_texts(const measured *m, wordings *w) {
    int32_t count = m->page->count;
    uint64_t *exact = pool_take(m->scratch, (size_t)count, sizeof *exact);
    uint64_t *but_digits = pool_take(m->scratch, (size_t)count, sizeof *but_digits);
    if (no_memory(m)) return false;
    digest_texts(m, exact, but_digits);
    int32_t different = number_digests(exact, count, w->times);
    if (different < 0 || !find_copies(m, different, w) || !count_alike(m, w->times, different)) return false;
    different = number_digests(but_digits, count, w->times_but_digits);
    return different >= 0 && count_alike(m, w->times_but_digits, different);
}

bool find_wordings(const measured *m, wordings *w) {
    size_t count = (size_t)m->page->count;
    w->times = pool_take(m->memory, count, sizeof *w->times);
    w->times_but_digits = pool_take(m->memory, count, sizeof *w->times_but_digits);
    w->before = pool_take(m->memory, count, sizeof *w->before);
    w->copy_run = pool_take(m->memory, count, sizeof *w->copy_run);
    w->copied_run = pool_take(m->memory, count, sizeof *w->copied_run);
    w->title_share = pool_take(m->memory, count, sizeof *w->title_share);
    w->of_title = pool_take(m->memory, count, sizeof *w->of_title);
    w->known_share = pool_take(m->memory, count, sizeof *w->known_share);
    w->score = pool_take(m->memory, count, sizeof *w->score);
    if (no_memory(m) || !compare_terms(m, w)) return false;
    pool_free(m->scratch);
    return compare_texts(m, w);
}

_Static_assert(WORDING_COLUMNS == 21, "put_wording writes all columns of the family");

void put_wording(const measured *m, const wordings *w, int32_t block, float *row) {
    const text_counts of_block = counts_of(m, block), *counts = &of_block;
    row[COLUMN_SIZE] = magnitude_of(m, counts->size);
    row[COLUMN_WORD_LENGTH] = (float)share(counts->size, counts->words);
    row[COLUMN_SENTENCES] = magnitude_of(m, counts->sentences);
    row[COLUMN_COMMAS] = magnitude_of(m, counts->commas);
    row[COLUMN_COLONS] = (float)counts->colons;
    row[COLUMN_DIGIT_SHARE] = (float)share(counts->digits, counts->size);
    row[COLUMN_CURRENCIES] = (float)counts->currencies;
    row[COLUMN_QUOTES] = (float)counts->quotes;
    row[COLUMN_BRACKETS] = (float)counts->brackets;
    row[COLUMN_DATES] = (float)counts->dates;
    row[COLUMN_UPPER_SHARE] = counts->letters ? (float)share(counts->upper, counts->letters) : -1;
    row[COLUMN_CAPITALISED_SHARE] = counts->letters ? (float)share(counts->capitalised, counts->words) : -1;
    row[COLUMN_ENDS_SENTENCE] = counts->ends_sentence;
    row[COLUMN_TIMES] = (float)w->times[block];
    row[COLUMN_TIMES_BUT_DIGITS] = (float)w->times_but_digits[block];
    row[COLUMN_COPIES_BEFORE] = (float)w->before[block];
    row[COLUMN_COPY_RUN] = w->copy_run[block];
    row[COLUMN_COPIED_RUN] = w->copied_run[block];
    row[COLUMN_TITLE_SHARE] = w->title_share[block];
    row[COLUMN_OF_TITLE] = w->of_title[block];
    row[COLUMN_KNOWN_SHARE] = w->known_share[block];
}
