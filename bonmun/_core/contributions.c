#include "contributions.h"

#include <string.h>

#include "forest_open.h"

/* The steps of a small tree down to a leaf; written if `to` is given. */
static size_t path_to(const forest *f, int32_t at, int leaf, path_step *to) {
    const forest_tree *tree = &f->tree[at];
    const node_bundle *bundles = f->masks.bundles + f->masks.first[at];
    size_t steps = 0;
    for (int32_t node = tree->start, child; node >= 0; node = child, steps++) {
        int32_t number = node - tree->start;
        int side = (bundles[number / BUNDLE].right[number % BUNDLE] >> leaf & 1) != 0;
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

static node_steps steps_from(const forest *f, int32_t at, int32_t node) {
    const forest_node *n = &f->node[node];
    node_steps steps = {{expected_at(f, n->child[0]) - f->expected[node], expected_at(f, n->child[1]) - f->expected[node]},
                        n->feature, 0, 0, 0};
    if (!f->tree[at].small) return steps;
    int32_t number = node - f->tree[at].start;
    const node_bundle *bundle = f->masks.bundles + f->masks.first[at] + number / BUNDLE;
    uint64_t left = bundle->left[number % BUNDLE], right = bundle->right[number % BUNDLE];
    steps.start = (uint8_t)lowest_bit(left);
    steps.middle = (uint8_t)lowest_bit(right);
    steps.stop = (uint8_t)lowest_bit(right + (right & (~right + 1)));
    return steps;
}

static size_t steps_of(const forest *f, int32_t at) {
    size_t steps = 0;
    for (uint32_t leaf = 0; leaf < MOST_LEAVES && f->masks.leaves[at] >> leaf; leaf++) steps += path_to(f, at, (int)leaf, NULL);
    return steps;
}

forest_paths *forest_paths_create(const forest *f) {
    pool memory = {NULL, false, NULL, 0};
    size_t steps = 0;
    for (int32_t at = 0; at < f->trees; at++) steps += steps_of(f, at);
    forest_paths *paths = pool_take(&memory, 1, sizeof *paths);
    tree_paths *trees = pool_take(&memory, (size_t)f->trees, sizeof *trees);
    path_step *step = pool_take(&memory, steps, sizeof *step);
    node_steps *node = pool_take(&memory, (size_t)f->nodes, sizeof *node);
    if (memory.failed) {
        pool_free(&memory);
        return NULL;
    }
    for (int32_t at = 0; at < f->trees; at++) step = write_paths(f, at, step, &trees[at]);
    for (int32_t at = 0; at < f->trees; at++)
        for (int32_t from = f->tree[at].start; from < f->tree[at].stop; from++) node[from] = steps_from(f, at, from);
    *paths = (forest_paths){memory, trees, node};
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

int forest_contributions(const forest *f, const forest_paths *paths, const float *table, int32_t width, const int32_t *picked,
                         int64_t rows, float *contributions) {
    row_list list = {table, picked, width, rows};
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

/* How often some rows pass from a node to each of its children: counted by leaf for small trees, by step for others. */
typedef struct {
    uint32_t *leaves; /* MOST_LEAVES for each tree */
    uint32_t *steps;  /* two for each node; of trees that are not small */
} pass_counts;

static void count_steps(const forest *f, const row_list *list, uint32_t *steps) {
    for (int32_t at = 0; at < f->trees; at++) {
        if (f->tree[at].small) continue;
        for (int64_t row = 0; row < list->count; row++)
            for (int32_t node = f->tree[at].start, child; node >= 0; node = child) {
                child = forest_step(f, node, row_at(list, row));
                steps[2 * (size_t)node + (child != f->node[node].child[0])]++;
            }
    }
}

static void count_leaves(open_chunk *chunk, const row_list *list, uint32_t *leaves) {
    const float *rows[AT_ONCE];
    for (int64_t first = 0, stop; first < list->count; first = stop) {
        stop = list->count - first < CHUNK ? list->count : first + CHUNK;
        open_chunk_of(chunk, list, first, stop);
        for (int64_t at = first; at < stop; at += AT_ONCE) {
            int groups = open_groups_of(chunk, list, at, stop, rows);
            forest_lanes_here()->count(&chunk->open, groups, stop - at < AT_ONCE ? (UINT64_C(1) << (stop - at)) - 1 : UINT64_MAX, leaves);
        }
    }
}

/* The leaves of a subtree have neighbouring bits: their rows are the difference of two running totals. */
static void add_small(const forest_tree *tree, const node_steps *nodes, const uint32_t *leaves, double *sums) {
    uint32_t before[MOST_LEAVES + 1] = {0};
    for (int leaf = 0; leaf < MOST_LEAVES; leaf++) before[leaf + 1] = before[leaf] + leaves[leaf];
    for (const node_steps *node = nodes + tree->start; node < nodes + tree->stop; node++) {
        uint32_t start = before[node->start], middle = before[node->middle], stop = before[node->stop];
        sums[node->column] = sums[node->column] + (middle - start) * node->change[0] + (stop - middle) * node->change[1];
    }
}

static void add_all(const forest *f, const forest_paths *paths, const pass_counts *counts, double *sums) {
    for (int32_t at = 0; at < f->trees; at++) {
        const forest_tree *tree = &f->tree[at];
        if (tree->small) add_small(tree, paths->node, counts->leaves + (size_t)at * MOST_LEAVES, sums);
        else
            for (int32_t node = tree->start; node < tree->stop; node++)
                for (size_t side = 0; side < 2; side++)
                    sums[paths->node[node].column] += counts->steps[2 * (size_t)node + side] * paths->node[node].change[side];
    }
}

int contribution_means(const forest *f, const forest_paths *paths, const float *table, int32_t width, const int32_t *picked, int64_t rows,
                       double *means) {
    row_list list = {table, picked, width, rows};
    open_chunk chunk = {0};
    pass_counts counts = {pool_take_zeros(&chunk.memory, (size_t)f->trees * MOST_LEAVES, sizeof *counts.leaves),
                          pool_take_zeros(&chunk.memory, (size_t)f->nodes * 2, sizeof *counts.steps)};
    bool ready = open_chunk_prepare(&chunk, f);
    for (int32_t column = 0; column < width; column++) means[column] = 0;
    if (ready) {
        count_steps(f, &list, counts.steps);
        count_leaves(&chunk, &list, counts.leaves);
        add_all(f, paths, &counts, means);
    }
    for (int32_t column = 0; column < width; column++) means[column] /= (double)rows;
    pool_free(&chunk.memory);
    return ready ? 0 : -1;
}
