#include "contributions.h"

#include <stdlib.h>
#include <string.h>

enum {
    LANES = 10,   /* rows that walk side by side: each step waits for three loads, those of other rows do not */
    BETWEEN = 32, /* steps between two looks at which rows have arrived */
    LINE = 64,    /* bytes of a cache line */
    MOST_STEPS = 1 << 26 /* whose offsets fit 32 bits */
};

typedef struct {
    double change[2]; /* for a cell below the threshold, and for another */
    uint32_t next[2]; /* offsets of steps, in bytes */
    float threshold;
    uint32_t cell; /* of the first lane */
} chain_step;

struct forest_steps {
    uint32_t end;      /* a step that leads to itself and changes nothing */
    chain_step *step; /* each in one cache line */
};

static uint32_t offset_of(int32_t node) { return (uint32_t)node * (uint32_t)sizeof(chain_step); }

static void put_step(chain_step *step, const forest_arrays *a, const double *expected, int32_t node, int32_t stop) {
    step->cell = (uint32_t)a->feature[node] * LANES;
    step->threshold = a->threshold[node];
    for (int side = 0; side < 2; side++) {
        int32_t child = side ? a->right[node] : a->left[node];
        step->change[side] = (child < 0 ? (double)a->leaf[~child] : expected[child]) - expected[node];
        step->next[side] = offset_of(child < 0 ? stop : child);
    }
}

forest_steps *forest_steps_create(const forest_arrays *a, const double *expected) {
    if ((size_t)a->nodes >= MOST_STEPS) return NULL;
    forest_steps *steps = malloc(sizeof *steps + LINE + ((size_t)a->nodes + 1) * sizeof *steps->step);
    if (!steps) return NULL;
    steps->step = (chain_step *)(((uintptr_t)(steps + 1) + LINE - 1) / LINE * LINE);
    steps->end = offset_of(a->nodes);
    for (int32_t tree = 0; tree < a->trees; tree++)
        for (int32_t node = a->start[tree]; node < a->start[tree + 1]; node++)
            put_step(&steps->step[node], a, expected, node, a->start[tree + 1]);
    steps->step[a->nodes] = (chain_step){{0, 0}, {steps->end, steps->end}, 0, 0};
    return steps;
}

void forest_steps_free(forest_steps *steps) { free(steps); }

/* `cells`, `sums`: LANES of each column side by side. */
static void walk_rows(const forest_steps *steps, const float *cells, double *sums) {
    const char *base = (const char *)steps->step;
    uint32_t at[LANES] = {0}, left = LANES;
    while (left) {
        for (int turn = 0; turn < BETWEEN; turn++)
            for (uint32_t lane = 0; lane < LANES; lane++) {
                const chain_step *step = (const chain_step *)(const void *)(base + at[lane]);
                const float *cell = cells + step->cell;
                int side = !(cell[lane] < step->threshold);
                sums[step->cell + lane] += step->change[side];
                at[lane] = step->next[side];
            }
        left = 0;
        for (int lane = 0; lane < LANES; lane++) left += at[lane] != steps->end;
    }
}

int forest_contributions(const forest_steps *steps, const float *table, int32_t width, int64_t rows, float *contributions) {
    size_t room = (size_t)width * LANES;
    double *sums = malloc(room * (sizeof *sums + sizeof(float)));
    if (!sums) return -1;
    float *cells = (float *)(sums + room);
    for (int64_t first = 0; first < rows; first += LANES) {
        int64_t count = rows - first < LANES ? rows - first : LANES;
        for (int lane = 0; lane < LANES; lane++) {
            const float *row = table + (first + (lane < count ? lane : 0)) * width;
            for (int32_t column = 0; column < width; column++) cells[column * LANES + lane] = row[column];
        }
        memset(sums, 0, room * sizeof *sums);
        walk_rows(steps, cells, sums);
        for (int64_t lane = 0; lane < count; lane++) {
            float *to = contributions + (first + lane) * width;
            for (int32_t column = 0; column < width; column++) to[column] = (float)sums[column * LANES + lane];
        }
    }
    free(sums);
    return 0;
}

void column_means(const float *table, int32_t width, int64_t rows, double *means) {
    for (int32_t column = 0; column < width; column++) means[column] = 0;
    for (int64_t row = 0; row < rows; row++)
        for (int32_t column = 0; column < width; column++) means[column] += table[row * width + column];
    for (int32_t column = 0; column < width; column++) means[column] /= (double)rows;
}
