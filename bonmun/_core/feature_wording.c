#include "feature_table.h"

/* For each term the number of blocks of running text that contain it. */
static int32_t *count_running(const measured *m, const block_texts *terms) {
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

static bool find_shares(const measured *m, const block_texts *terms, wordings *w) {
    int32_t *running = count_running(m, terms), *seen = pool_take_zeros(m->scratch, (size_t)terms->numbers.count, sizeof *seen);
    if (no_memory(m)) return false;
    for (int32_t block = 0; block < m->page->count; block++) {
        int32_t of_title = 0, different = 0, known = 0, first = terms->first[block], stop = terms->first[block + 1];
        for (int32_t at = first; at < stop; at++) { /* no branch: it would be hard to predict */
            int32_t term = terms->term[at], in_title = term < terms->in_title;
            known += running[term] > (m->running[block] > 0);
            of_title += in_title;
            different += in_title & (seen[term] != block + 1);
            seen[term] = block + 1;
        }
        w->title_share[block] = (float)share(of_title, stop - first);
        w->of_title[block] = (float)share(different, terms->in_title);
        w->known_share[block] = (float)share(known, stop - first);
    }
    return true;
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
        float of_run = stop > start ? magnitude(size) : 0;
        for (int32_t block = start; block < stop; block++) sizes[block] = of_run;
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
    for (int32_t block = 0; block < count; block++) numbers[block] = digests_place(&known, of_block[block]);
    digests_free(&known);
    return known.count;
}

static bool compare_texts(const measured *m, const block_texts *t, wordings *w) {
    int32_t count = m->page->count, different = number_digests(t->exact, count, w->times);
    if (different < 0 || !find_copies(m, different, w) || !count_alike(m, w->times, different)) return false;
    different = number_digests(t->but_digits, count, w->times_but_digits);
    return different >= 0 && count_alike(m, w->times_but_digits, different);
}

bool find_wordings(const measured *m, const block_texts *t, wordings *w) {
    size_t count = (size_t)m->page->count;
    w->times = pool_take(m->memory, count, sizeof *w->times);
    w->times_but_digits = pool_take(m->memory, count, sizeof *w->times_but_digits);
    w->before = pool_take(m->memory, count, sizeof *w->before);
    w->copy_run = pool_take(m->memory, count, sizeof *w->copy_run);
    w->copied_run = pool_take(m->memory, count, sizeof *w->copied_run);
    w->title_share = pool_take(m->memory, count, sizeof *w->title_share);
    w->of_title = pool_take(m->memory, count, sizeof *w->of_title);
    w->known_share = pool_take(m->memory, count, sizeof *w->known_share);
    return !no_memory(m) && find_shares(m, t, w) && compare_texts(m, t, w);
}

_Static_assert(WORDING_COLUMNS == 21, "put_wording writes all columns of the family");

void put_wording(const measured *m, const wordings *w, int32_t block, float *row) {
    const text_counts of_block = counts_of(m, block), *counts = &of_block;
    row[COLUMN_SIZE] = magnitude_of(counts->size);
    row[COLUMN_WORD_LENGTH] = (float)share(counts->size, counts->words);
    row[COLUMN_SENTENCES] = magnitude_of(counts->sentences);
    row[COLUMN_COMMAS] = magnitude_of(counts->commas);
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
