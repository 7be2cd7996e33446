#include "choice.h"

#include <string.h>

#include "pool.h"

static double sum_of(const double *numbers, int32_t count) {
    double sum = 0;
    for (int32_t at = 0; at < count; at++) sum += numbers[at];
    return sum;
}

bool table_units_fit(const table_units *units, ptrdiff_t blocks, int32_t count) {
    int32_t last = 0;
    for (int32_t at = 0; at < 2 * units->count; at++) {
        if (units->stops[at] < last || units->stops[at] > blocks) return false;
        last = units->stops[at];
    }
    for (int32_t at = 0; at < last; at++)
        if (units->blocks[at] < 0 || units->blocks[at] >= count) return false;
    return true;
}

static void even_table(const int32_t *shown, const int32_t *others, const int32_t *stop, const double *probabilities,
                       const double *sizes, double *even) {
    double size = 0, weighted = 0;
    for (const int32_t *at = shown; at < others; at++) {
        size += sizes[*at];
        weighted += probabilities[*at] * sizes[*at];
    }
    double mean = size != 0 ? weighted / size : 0;
    for (const int32_t *at = shown; at < others; at++) even[*at] = mean;
    for (const int32_t *at = others; at < stop; at++)
        if (mean < even[*at]) even[*at] = mean;
}

void even_tables(const table_units *units, const double *probabilities, const double *sizes, double *even) {
    const int32_t *blocks = units->blocks;
    for (int32_t at = 0, start = 0; at < units->count; start = units->stops[2 * at + 1], at++)
        even_table(blocks + start, blocks + units->stops[2 * at], blocks + units->stops[2 * at + 1], probabilities, sizes, even);
}

typedef struct {
    double probability, size;
} candidate;

/* Merge two sorted runs, the likelier first; of equal ones the earlier. */
static void merge(const candidate *left, const candidate *right, const candidate *stop, candidate *to) {
    const candidate *middle = right;
    while (left < middle && right < stop) *to++ = right->probability > left->probability ? *right++ : *left++;
    memcpy(to, left, (size_t)(middle - left) * sizeof *to);
    memcpy(to + (middle - left), right, (size_t)(stop - right) * sizeof *to);
}

/* Stable merge sort in falling order of probability; returns the array that holds the result. */
static candidate *sort_candidates(candidate *from, candidate *to, int32_t count) {
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t start = 0; start < count; start += 2 * width) {
            int64_t middle = start + width < count ? start + width : count, stop = middle + width < count ? middle + width : count;
            merge(from + start, from + middle, from + stop, to + start);
        }
        candidate *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

/* A lower bound of the best quotient, less what the order of summation can change: no block below it is chosen. */
static double least_quotient(const double *probabilities, const double *sizes, int32_t count, double gold) {
    double hits = 0, kept = 0;
    for (int32_t at = 0; at < count; at++)
        if (probabilities[at] > 0.5) {
            hits += probabilities[at] * sizes[at];
            kept += sizes[at];
        }
    return kept > 0 ? hits / (kept + gold) * (1 - 1e-6) : 0;
}

static int32_t find_candidates(const double *probabilities, const double *sizes, int32_t count, double gold, candidate *found) {
    double least = least_quotient(probabilities, sizes, count, gold);
    int32_t many = 0;
    for (int32_t at = 0; at < count; at++) {
        found[many] = (candidate){probabilities[at], sizes[at]};
        many += !(probabilities[at] <= least);
    }
    return many;
}

int choose_blocks(const double *probabilities, const double *sizes, int32_t count, double beta, double empty, uint8_t *keep,
                  double *f1) {
    double expected = 0, hits = 0, kept = 0, quotient = 0;
    for (int32_t at = 0; at < count; at++) expected += probabilities[at] * sizes[at];
    if (expected == 0 || (expected < empty && sum_of(sizes, count) > SHORT_PAGE)) {
        if (count) memset(keep, 0, (size_t)count);
        *f1 = expected != 0 ? 1 - expected / empty : 1;
        return 0;
    }
    pool memory = {NULL, false, NULL, 0};
    candidate *found = pool_take(&memory, (size_t)count + 1, sizeof *found);
    candidate *spare = pool_take(&memory, (size_t)count + 1, sizeof *spare);
    double gold = beta * beta * expected;
    if (!memory.failed) {
        int32_t many = find_candidates(probabilities, sizes, count, gold, found);
        const candidate *at = sort_candidates(found, spare, many), *stop = at + many;
        for (; at < stop && !(at->probability <= quotient); at++) {
            hits += at->probability * at->size;
            kept += at->size;
            quotient = hits / (kept + gold);
        }
        for (int32_t block = 0; block < count; block++) keep[block] = probabilities[block] > quotient;
        *f1 = 2 * hits / (kept + expected);
    }
    pool_free(&memory);
    return memory.failed ? -1 : 0;
}

static bool is_without_links(const feature_page *page) {
    int64_t links = 0, chars = 0;
    for (int32_t at = 0; at < page->count; at++) {
        if (page->flags[at] || 2 * (int64_t)page->link_chars[at] > page->chars[at]) return false;
        links += page->link_chars[at];
        chars += page->chars[at];
    }
    return !((double)links > PLAIN_LINKS * (double)chars);
}

/* Whether the words of dropped paragraphs are many more than those of all shorter texts. `words`, `dropped`: zeros by row. */
static bool loses_paragraphs(const feature_page *page, const uint8_t *keep, const double *sizes, double *words, double *dropped) {
    for (int32_t at = 0; at < page->count; at++) {
        words[page->element[at]] += sizes[at];
        dropped[page->element[at]] += keep[at] ? 0 : sizes[at];
    }
    double lost = 0, brief = 0;
    for (int32_t at = 0; at < page->count; at++) {
        double *of_element = &words[page->element[at]], *gone = &dropped[page->element[at]];
        if (*of_element >= PLAIN_PARAGRAPH) lost += *gone;
        else brief += *of_element;
        *of_element = *gone = 0; /* each element counts once */
    }
    return lost > PLAIN_RATIO * brief;
}

int kept_whole(const feature_page *page, const uint8_t *keep, const double *sizes, bool may_be_plain) {
    if (sum_of(sizes, page->count) <= SNIPPET_WORDS) return WHOLE_SNIPPET;
    bool all = !page->count || !memchr(keep, 0, (size_t)page->count);
    if (all || !may_be_plain || !is_without_links(page)) return SCORES_DECIDE;
    pool memory = {NULL, false, NULL, 0};
    double *words = pool_take_zeros(&memory, (size_t)page->nodes.rows, sizeof *words);
    double *dropped = pool_take_zeros(&memory, (size_t)page->nodes.rows, sizeof *dropped);
    int whole = memory.failed ? -1 : loses_paragraphs(page, keep, sizes, words, dropped) ? WHOLE_PLAIN : SCORES_DECIDE;
    pool_free(&memory);
    return whole;
}

void keep_readable(const feature_page *page, uint8_t *keep) {
    for (int32_t at = 0; at < page->count; at++)
        keep[at] = page->chars[at] && 2 * (int64_t)page->link_chars[at] < page->chars[at] && !page->flags[at];
}
