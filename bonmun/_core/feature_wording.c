#include <string.h>

#include "bytes.h"
#include "digests.h"
#include "feature_table.h"
#include "tags_table.h"
#include "terms.h"

/* The terms of all blocks, as numbers; those of the title come first. */
typedef struct {
    digests numbers;
    int32_t *term, *first; /* block `at` has those from first[at] to first[at + 1] */
    int32_t in_title;      /* numbers below are the title's */
} term_table;

/* All text of the first title, which the reader may have cut up; NULL: there is none. */
static uint8_t *title_text(const measured *m, int32_t *length) {
    const node_view *nodes = &m->page->nodes;
    int32_t title = 0;
    *length = 0;
    while (title < nodes->rows && nodes->tag[title] != TAG_TITLE) title++;
    if (title == nodes->rows) return NULL;
    for (int32_t row = title; row < nodes->end[title]; row++) *length += nodes->stop[row] - nodes->start[row];
    uint8_t *text = pool_take(m->memory, (size_t)*length, 1), *to = text;
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
    return !m->memory->failed;
}

/* The terms of a block from `used` on, and what its first ones speak for; the number of terms up to it, -1: no memory. */
static int32_t number_block(const measured *m, term_table *terms, int32_t at, int32_t used, double *score) {
    const float *weights = m->rules->term_weights;
    word_reader r = {0};
    r.text = block_text(m->page, at, &r.length);
    double singles = 0, pairs = 0;
    uint32_t hash = 0;
    int32_t first = used;
    for (; next_term(&r); used++) {
        if ((terms->term[used] = digests_number(&terms->numbers, term_digest(&r))) < 0) return -1;
        if (used - first >= MOST_TERMS) continue;
        if (used > first) pairs += weights[term_hash(&r, hash_byte(hash, ' ')) % TERM_BUCKETS];
        hash = term_hash(&r, HASH_START);
        singles += weights[hash % TERM_BUCKETS];
    }
    int32_t said = at_most(used - first, MOST_TERMS);
    *score = said ? (singles + pairs) / sqrt(2 * said - 1) : 0;
    return used;
}

static bool number_terms(const measured *m, term_table *terms, double *score) {
    if (!number_title(m, terms)) return false;
    for (int32_t at = 0, used = 0; at < m->page->count; at++) {
        terms->first[at] = used;
        if ((used = number_block(m, terms, at, used, &score[at])) < 0) return false;
        terms->first[at + 1] = used;
    }
    return true;
}

/* In how many blocks of running text each term stands. */
static int32_t *count_running(const measured *m, const term_table *terms) {
    size_t numbers = (size_t)terms->numbers.count;
    int32_t *count = pool_take_zeros(m->memory, numbers, sizeof *count);
    int32_t *last = pool_take_zeros(m->memory, numbers, sizeof *last);
    for (int32_t at = 0; count && last && at < m->page->count; at++) {
        if (!m->running[at]) continue;
        for (int32_t place = terms->first[at]; place < terms->first[at + 1]; place++) {
            int32_t term = terms->term[place];
            count[term] += last[term] != at + 1;
            last[term] = at + 1;
        }
    }
    return last ? count : NULL;
}

static bool find_shares(const measured *m, const term_table *terms, float *to) {
    int32_t *running = count_running(m, terms), *seen = pool_take_zeros(m->memory, (size_t)terms->in_title, sizeof *seen);
    if (m->memory->failed) return false;
    for (int32_t at = 0; at < m->page->count; at++) {
        int32_t of_title = 0, different = 0, known = 0, first = terms->first[at], stop = terms->first[at + 1];
        for (int32_t place = first; place < stop; place++) {
            int32_t term = terms->term[place];
            known += running[term] > (m->running[at] > 0);
            if (term >= terms->in_title) continue;
            of_title++;
            different += seen[term] != at + 1;
            seen[term] = at + 1;
        }
        *to++ = (float)share(of_title, stop - first);
        *to++ = (float)share(different, terms->in_title);
        *to++ = (float)share(known, stop - first);
    }
    return true;
}

static bool compare_terms(const measured *m, wordings *found) {
    const feature_page *page = m->page;
    size_t bytes = 0;
    for (int32_t at = 0; at < page->count; at++) bytes += (size_t)(page->text_stop[at] - page->text_start[at]);
    term_table terms;
    terms.term = pool_take(m->memory, bytes, sizeof *terms.term);
    terms.first = pool_take_zeros(m->memory, (size_t)page->count + 1, sizeof *terms.first);
    if (m->memory->failed || digests_init(&terms.numbers, at_most((int32_t)(bytes / 16), 4096))) return false;
    bool well = number_terms(m, &terms, found->score) && find_shares(m, &terms, found->shares);
    digests_free(&terms.numbers);
    return well;
}

/* Of a text in lower case with all numbers alike. */
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

/* Instead of each number, how often it stands there. */
static bool count_alike(const measured *m, int32_t *numbers, int32_t known) {
    int32_t *times = pool_take_zeros(m->memory, (size_t)known, sizeof *times);
    if (!times) return false;
    for (int32_t at = 0; at < m->page->count; at++) times[numbers[at]]++;
    for (int32_t at = 0; at < m->page->count; at++) {
        bool empty = m->page->text_start[at] == m->page->text_stop[at];
        numbers[at] = empty ? 0 : times[numbers[at]];
    }
    return true;
}

/* The size of each run of blocks that are copies, for each block in it. */
static void put_runs(const measured *m, const int32_t *copies, float *to) {
    for (int32_t at = 0, stop; at < m->page->count; at = stop + 1) {
        double size = 0;
        for (stop = at; stop < m->page->count && copies[stop]; stop++) size += m->counts[stop].size;
        for (int32_t one = at; one < stop; one++) to[one] = magnitude(size);
        if (stop < m->page->count) to[stop] = 0;
    }
}

/* How many blocks before and behind have the same text, by the number of each text. */
static bool find_copies(const measured *m, int32_t known, wordings *found) {
    int32_t *seen = pool_take_zeros(m->memory, (size_t)known, sizeof *seen);
    int32_t *behind = pool_take_zeros(m->memory, (size_t)m->page->count, sizeof *behind);
    if (m->memory->failed) return false;
    for (int32_t at = 0; at < m->page->count; at++) found->before[at] = seen[found->times[at]]++;
    for (int32_t at = 0; at < m->page->count; at++) {
        bool empty = m->page->text_start[at] == m->page->text_stop[at];
        behind[at] = empty ? 0 : seen[found->times[at]] - found->before[at] - 1;
        if (empty) found->before[at] = 0;
    }
    put_runs(m, found->before, found->copy_run);
    put_runs(m, behind, found->copied_run);
    return true;
}

static bool compare_texts(const measured *m, wordings *found) {
    digests exact, but_digits;
    if (digests_init(&exact, m->page->count)) return false;
    bool well = !digests_init(&but_digits, m->page->count);
    if (!well) but_digits.slots = NULL;
    for (int32_t at = 0; well && at < m->page->count; at++) {
        int32_t length;
        const uint8_t *text = block_text(m->page, at, &length);
        found->times[at] = digests_number(&exact, digest_bytes(text, length, true));
        found->times_but_digits[at] = digests_number(&but_digits, digest_but_digits(text, length));
        well = found->times[at] >= 0 && found->times_but_digits[at] >= 0;
    }
    well = well && find_copies(m, exact.count, found) && count_alike(m, found->times, exact.count) && count_alike(m, found->times_but_digits, but_digits.count);
    digests_free(&exact);
    digests_free(&but_digits);
    return well;
}

bool find_wordings(const measured *m, wordings *found) {
    size_t count = (size_t)m->page->count;
    found->times = pool_take(m->memory, count, sizeof *found->times);
    found->times_but_digits = pool_take(m->memory, count, sizeof *found->times_but_digits);
    found->before = pool_take(m->memory, count, sizeof *found->before);
    found->copy_run = pool_take(m->memory, count, sizeof *found->copy_run);
    found->copied_run = pool_take(m->memory, count, sizeof *found->copied_run);
    found->shares = pool_take(m->memory, 3 * count, sizeof *found->shares);
    found->score = pool_take(m->memory, count, sizeof *found->score);
    return !m->memory->failed && compare_terms(m, found) && compare_texts(m, found);
}

float *put_wording(const measured *m, const wordings *found, int32_t at, float *to) {
    const text_counts *counts = &m->counts[at];
    *to++ = magnitude(counts->size);
    *to++ = (float)share(counts->size, counts->words);
    *to++ = magnitude(counts->sentences);
    *to++ = magnitude(counts->commas);
    *to++ = (float)counts->colons;
    *to++ = (float)share(counts->digits, counts->size);
    *to++ = (float)counts->currencies;
    *to++ = (float)counts->quotes;
    *to++ = (float)counts->brackets;
    *to++ = (float)counts->dates;
    *to++ = counts->letters ? (float)share(counts->upper, counts->letters) : -1;
    *to++ = counts->letters ? (float)share(counts->capitalised, counts->words) : -1;
    *to++ = counts->ends_sentence;
    *to++ = (float)found->times[at];
    *to++ = (float)found->times_but_digits[at];
    *to++ = (float)found->before[at];
    *to++ = found->copy_run[at];
    *to++ = found->copied_run[at];
    for (int part = 0; part < 3; part++) *to++ = found->shares[3 * at + part];
    return to;
}
