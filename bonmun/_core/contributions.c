#include "contributions.h"

#include <string.h>

#include "forest_open.h"

/* The steps of a small tree down to a leaf; written if `to` is given. */
static size_t path_to(const forest *f, int32_t at, int leaf, path_step *to) {
    const forest_tree *tree = &f->tree[at];
    const mask_quad *quads = f->masks.quads + f->masks.first[at];
    size_t steps = 0;
    for (int32_t node = tree->start, child; node >= 0; node = child, steps++) {
        int32_t number = node - tree->start;
        int side = (quads[number / QUAD].right[number % QUAD] >> leaf & 1) != 0;
        child = f->node[node].child[side];
        if (to) to[steps] = (path_step){expected_at(f, child) - f->expected[node], (size_t)f->node[node].feature * LANES};
    }
    return steps;
}

/* Write the paths of a tree's leaves; the steps behind them. */
static path_step *write_paths(const forest *f, int32_t at, path_step *to, tree_paths *paths) {
    *paths = (tree_paths){.step = to};
    for (uint32_t leaf = 0; leaf < MOST_LEAVES && f->masks.leaves[at] >> leaf; leaf++) {
        to += path_to(f, at, (int)leaf, to);
        paths->first[leaf + 1] = (uint16_t)(to - paths->step);
    }
    return to;
}

static size_t steps_of(const forest *f, int32_t at) {
    size_t steps = 0;
    for (uint32_t leaf = 0; leaf < MOST_LEAVES && f->masks.leaves[at] >> leaf; leaf++) steps += path_to(f, at, (int)leaf, NULL);
    return steps;
}

forest_paths *forest_paths_create(const forest *f) {
    pool memory = {NULL, false};
    size_t steps = 0;
    for (int32_t at = 0; at < f->trees; at++) steps += steps_of(f, at);
    forest_paths *paths = pool_take(&memory, 1, sizeof *paths);
    tree_paths *trees = pool_take(&memory, (size_t)f->trees, sizeof *trees);
    path_step *step = pool_take(&memory, steps, sizeof *step);
    if (memory.failed) {
        pool_free(&memory);
        return NULL;
    }
    for (int32_t at = 0; at < f->trees; at++) step = write_paths(f, at, step, &trees[at]);
    *paths = (forest_paths){memory, trees};
    return paths;
}

void forest_paths_free(forest_paths *paths) {
    pool memory = paths->memory; /* a copy: the paths themselves lie in the pool */
    pool_free(&memory);
}

/* By column: its lanes lie side by side, and the same few lines of each row are written. */
static void write_lanes(const double *sums, int32_t width, int64_t count, float *to) {
    for (int32_t column = 0; column < width; column++, sums += LANES)
        for (int64_t lane = 0; lane < count; lane++) to[lane * width + column] = (float)sums[lane];
}

int forest_contributions(const forest *f, const forest_paths *paths, const float *table, int32_t width, int64_t rows,
                         float *contributions) {
    row_list list = {table, NULL, width, rows};
    open_chunk chunk = {0};
    size_t cells = (size_t)width * LANES;
    double *sums = pool_take_lines(&chunk.memory, cells, sizeof *sums);
    bool ready = open_chunk_prepare(&chunk, f);
    for (int64_t first = 0, stop; ready && first < rows; first = stop) {
        stop = rows - first < CHUNK ? rows : first + CHUNK;
        open_chunk_of(&chunk, &list, first, stop);
        for (int64_t group = first; group < stop; group += LANES) {
            const float *of_lanes[LANES];
            open_group_of(&chunk, 0, &list, group, stop, of_lanes);
            memset(sums, 0, cells * sizeof *sums);
            forest_lanes_here()->move(&chunk.open, paths, of_lanes, sums);
            write_lanes(sums, width, stop - group < LANES ? stop - group : LANES, contributions + group * width);
        }
    }
    pool_free(&chunk.memory);
    return ready ? 0 : -1;
}

void column_means(const float *table, int32_t width, int64_t rows, double *means) {
    for (int32_t column = 0; column < width; column++) means[column] = 0;
    for (int64_t row = 0; row < rows; row++)
        for (int32_t column = 0; column < width; column++) means[column] += table[row * width + column];
    for (int32_t column = 0; column < width; column++) means[column] /= (double)rows;
}
