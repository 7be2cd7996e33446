#include "ranks.h"

#include <string.h>

/* Differences of running totals, as in the twin: the same additions in the same order give the same numbers. */
static double group_sum(const rank_groups *g, int32_t group, const float *row, double *total) {
    double before = *total;
    for (int32_t at = group ? g->stop[group - 1] : 0; at < g->stop[group]; at++) *total += row[g->column[at]];
    return *total - before;
}

void sum_means(const rank_groups *g, double *means) {
    double total = 0;
    for (int32_t group = 0, at = 0; group < g->groups; group++) {
        double before = total;
        for (; at < g->stop[group]; at++) total += g->mean[g->column[at]];
        means[group] = total - before;
    }
}

void weigh_groups(const rank_groups *g, const float *row, bool keep, const double *means, double *weights) {
    double total = 0;
    for (int32_t group = 0; group < g->groups; group++) {
        double moved = group_sum(g, group, row, &total) - means[group];
        weights[group] = keep ? moved : -moved;
    }
}

/* Of equal groups the first is stronger. */
static void rank_groups_of(const rank_groups *g, const double *weights, rank *ranks) {
    int32_t taken = 0;
    for (int32_t group = 0; group < g->groups; group++) {
        double weight = weights[group];
        int32_t at = taken;
        while (at > 0 && weight > ranks[at - 1].weight) at--;
        if (at == RANKS) continue;
        int32_t after = (taken < RANKS ? taken++ : RANKS - 1) - at;
        memmove(ranks + at + 1, ranks + at, (size_t)after * sizeof *ranks);
        ranks[at].group = group;
        ranks[at].weight = weight;
    }
}

/* Of equal columns the last is stronger if the row is kept, else the first: a sort of (moved, column) in either direction. */
static bool is_stronger(double moved, int32_t column, double other, int32_t other_column, bool keep) {
    if (moved != other) return keep ? moved > other : moved < other;
    return keep ? column > other_column : column < other_column;
}

void rank_columns_of(const rank_groups *g, const float *row, bool keep, rank *r) {
    if (g->whole[r->group]) return;
    double moves[RANKED_COLUMNS];
    int32_t taken = 0;
    for (int32_t from = r->group ? g->stop[r->group - 1] : 0; from < g->stop[r->group]; from++) {
        int32_t column = g->column[from], at = taken;
        double moved = row[column] - g->mean[column];
        while (at > 0 && is_stronger(moved, column, moves[at - 1], r->column[at - 1], keep)) at--;
        if (at == RANKED_COLUMNS) continue;
        for (int32_t to = taken < RANKED_COLUMNS ? taken++ : RANKED_COLUMNS - 1; to > at; to--) {
            moves[to] = moves[to - 1];
            r->column[to] = r->column[to - 1];
        }
        moves[at] = moved;
        r->column[at] = column;
    }
}

void rank_rows(const rank_groups *g, const float *table, bool keep, int64_t rows, double *numbers, rank *ranks) {
    double *means = numbers, *weights = numbers + g->groups;
    sum_means(g, means);
    memset(ranks, 0xFF, (size_t)rows * RANKS * sizeof *ranks);
    for (int64_t row = 0; row < rows; row++) {
        rank *first = ranks + row * RANKS;
        weigh_groups(g, table + row * g->width, keep, means, weights);
        rank_groups_of(g, weights, first);
        for (int32_t at = 0; at < RANKS && first[at].group >= 0; at++)
            rank_columns_of(g, table + row * g->width, keep, first + at);
    }
}
