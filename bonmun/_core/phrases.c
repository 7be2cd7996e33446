#include "phrases.h"

#include <math.h>

enum { MOST_FOUND = 24 /* phrases of a block: nearly all have five at most */ };

typedef struct {
    int32_t phrase[MOST_FOUND];
    double weight[MOST_FOUND];
    int32_t count;
    bool in_order;
} found_phrases;

static bool holds(const phrase_decisions *d, int32_t clause, const float *row) {
    for (int32_t at = d->condition[clause]; at < d->condition[clause + 1]; at++) {
        double cell = row[d->column[at]];
        if (!(d->bounds[2 * at] <= cell && cell <= d->bounds[2 * at + 1])) return false;
    }
    return true;
}

static int32_t decided(const phrase_decisions *d, int32_t list, const float *row) {
    for (int32_t clause = d->start[list]; clause < d->start[list + 1]; clause++)
        if (holds(d, clause, row)) return d->wording[clause];
    return PHRASE_NONE;
}

/* The phrase of a group: that of its strongest column that has one. */
static int32_t phrase_of(const phrase_decisions *d, const rank *r, const float *row) {
    if (r->column[0] < 0) return decided(d, d->list_of_group[r->group], row);
    int32_t phrase = PHRASE_NONE;
    for (int at = 0; at < RANKED_COLUMNS && phrase == PHRASE_NONE && r->column[at] >= 0; at++) phrase = decided(d, r->column[at], row);
    return phrase;
}

static void add_phrase(found_phrases *found, int32_t phrase, double weight) {
    for (int32_t at = 0; at < found->count; at++)
        if (found->phrase[at] == phrase) {
            found->weight[at] += weight;
            found->in_order = false;
            return;
        }
    found->phrase[found->count] = phrase;
    found->weight[found->count++] = weight;
}

/* Of equal ones the first stays first. */
static void put_in_order(found_phrases *found) {
    for (int32_t from = 1; !found->in_order && from < found->count; from++) {
        int32_t phrase = found->phrase[from], at = from;
        double weight = found->weight[from];
        for (; at > 0 && weight > found->weight[at - 1]; at--) {
            found->phrase[at] = found->phrase[at - 1];
            found->weight[at] = found->weight[at - 1];
        }
        found->phrase[at] = phrase;
        found->weight[at] = weight;
    }
}

/* The strongest group, of equal ones the first; its weight becomes that of no group. */
static rank take_strongest(double *weights, int32_t groups) {
    rank r = {-INFINITY, -1, {-1, -1, -1}};
    for (int32_t group = 0; group < groups; group++)
        if (weights[group] > r.weight) {
            r.weight = weights[group];
            r.group = group;
        }
    if (r.group >= 0) weights[r.group] = -INFINITY;
    return r;
}

/* False: only the twin can tell. */
static bool gather(const phrase_decisions *d, const rank_groups *g, const judged_row *row, double *weights, found_phrases *found) {
    for (int32_t asked = 0; asked < g->groups; asked++) {
        rank r = take_strongest(weights, g->groups);
        if (!(r.weight >= LEAST_WEIGHT) || (asked >= GROUPS_ASKED && found->count >= REASONS)) break;
        if (found->count >= REASONS && d->alone[r.group]) continue;
        rank_columns_of(g, row->contributions, row->keep, &r);
        int32_t phrase = phrase_of(d, &r, row->features);
        if (phrase == PHRASE_UNSURE || found->count == MOST_FOUND) return false;
        if (phrase != PHRASE_NONE) add_phrase(found, phrase, r.weight);
    }
    return true;
}

void find_phrases(const phrase_decisions *d, const rank_groups *g, const double *means, const judged_row *row, double *weights,
                  int32_t *phrases) {
    found_phrases found = {.in_order = true};
    weigh_groups(g, row->contributions, row->keep, means, weights);
    bool sure = gather(d, g, row, weights, &found);
    put_in_order(&found);
    for (int32_t at = 0; at < REASONS; at++) phrases[at] = at < found.count ? found.phrase[at] : PHRASE_NONE;
    if (!sure) phrases[0] = PHRASE_UNSURE;
}
