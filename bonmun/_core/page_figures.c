#include "page_figures.h"

_Static_assert(SUMMARY_COUNT == WHOLE_COLUMNS + CHOICE_FIGURES + KIND_COUNT + MEANS, "put_figures writes all figures");

/* The means are summed tile by tile, as the twin does. */
void add_kept(const page_choice *choice, const float *rows, int32_t first, int32_t stop, kept_sums *sums) {
    static const int16_t columns[MEANS] = {MEAN_COLUMNS};
    double of_tile[MEANS] = {0};
    for (int32_t block = first; block < stop; block++) {
        if (!choice->keep[block]) continue;
        const float *row = rows + (size_t)(block - first) * COLUMN_COUNT;
        for (int at = 0; at < MEANS; at++) of_tile[at] += row[columns[at]];
        sums->kinds[choice->kind[block]] += choice->sizes[block];
    }
    for (int at = 0; at < MEANS; at++) sums->means[at] += of_tile[at];
}

/* Sums over all blocks and over the kept ones. */
typedef struct {
    double total, out, expected, hits, certain, certain_hits, torn, most;
    int32_t kept, runs, first, last;
} choice_sums;

static choice_sums sum_choice(const page_choice *c) {
    choice_sums s = {.first = -1, .last = -2, .most = c->probabilities[0]};
    for (int32_t at = 0; at < c->count; at++) {
        double probability = c->probabilities[at], size = c->sizes[at];
        s.total += size;
        s.expected += probability * size;
        s.certain += probability * probability * size;
        if (probability > TORN_ABOVE && probability < TORN_BELOW) s.torn += size;
        if (probability > s.most) s.most = probability;
        if (!c->keep[at]) continue;
        s.out += size;
        s.hits += probability * size;
        s.certain_hits += probability * probability * size;
        s.runs += at != s.last + 1;
        if (s.first < 0) s.first = at;
        s.last = at;
        s.kept++;
    }
    return s;
}

_Static_assert(CHOICE_FIGURES == 16, "put_choice writes all figures of the choice");

static void put_choice(const choice_sums *s, int32_t count, float *figures) {
    double unsure = s->expected - s->certain, unsure_kept = s->hits - s->certain_hits;
    figures[FIGURE_EXPECTED_F1] = (float)share(2 * s->hits, s->out + s->expected);
    figures[FIGURE_EXPECTED_SIZE] = magnitude(s->expected);
    figures[FIGURE_EXPECTED_PRECISION] = (float)share(s->hits, s->out);
    figures[FIGURE_EXPECTED_RECALL] = (float)share(s->hits, s->expected);
    figures[FIGURE_KEPT_SIZE] = magnitude(s->out);
    figures[FIGURE_KEPT_SHARE] = (float)share(s->out, s->total);
    figures[FIGURE_KEPT_BLOCKS] = (float)((double)s->kept / count);
    figures[FIGURE_KEPT_RUNS] = magnitude(s->runs);
    figures[FIGURE_KEPT_FIRST] = s->kept ? (float)((double)s->first / count) : 1;
    figures[FIGURE_KEPT_LAST] = s->kept ? (float)((double)(s->last + 1) / count) : 0;
    figures[FIGURE_PROBABILITY_MEAN] = (float)share(s->expected, s->total);
    figures[FIGURE_PROBABILITY_MAX] = (float)s->most;
    figures[FIGURE_UNSURE] = (float)share(unsure, s->total);
    figures[FIGURE_UNSURE_KEPT] = (float)share(unsure_kept, s->out);
    figures[FIGURE_UNSURE_DROPPED] = (float)share(unsure - unsure_kept, s->expected);
    figures[FIGURE_TORN] = (float)share(s->torn, s->expected);
}

void put_figures(const page_choice *choice, const kept_sums *sums, const float *row, float *figures) {
    choice_sums s = sum_choice(choice);
    for (int at = 0; at < WHOLE_COLUMNS; at++) *figures++ = row[FIRST_PAGE + at];
    put_choice(&s, choice->count, figures);
    figures += CHOICE_FIGURES;
    for (int kind = 0; kind < KIND_COUNT; kind++) *figures++ = (float)share(sums->kinds[kind], s.out);
    for (int at = 0; at < MEANS; at++) *figures++ = s.kept ? (float)(sums->means[at] / s.kept) : 0;
}
