#include "trees.h"

#include <stdbool.h>
#include <string.h>

#include "pool.h"
#include "words.h"

enum {
    LANES = 16,      /* rows that are looked at side by side */
    MOST_LEAVES = 32 /* of a tree, to have a bit for each */
};

/* A small tree is not walked. Every row starts with a bit for each leaf, all set; each node clears those of its left side
 * where the row is to go to the right; the lowest bit left is the leaf. No step waits for another, and rows share them. */
typedef struct {
    int32_t start, stop;
    bool small;
    float leaf[MOST_LEAVES]; /* of a small tree, from left to right */
} planted;

struct forest {
    pool memory;
    int32_t nodes, trees, width;
    int32_t *feature, *left, *right;
    float *threshold, *leaf;
    uint32_t *keep;    /* the leaves that a row may still reach which goes to the right */
    double *expected;  /* of a node, the mean of its two sides */
    planted *tree;
};

static bool is_child(const tree_arrays *arrays, int32_t child, int32_t node, int32_t stop) {
    return child < 0 ? ~child < arrays->leaves : child > node && child < stop;
}

static const char *find_fault(const tree_arrays *arrays) {
    if (arrays->trees < 0 || arrays->start[0] != 0 || arrays->start[arrays->trees] != arrays->nodes)
        return "trees that do not cover all nodes";
    for (int32_t tree = 0; tree < arrays->trees; tree++) {
        int32_t start = arrays->start[tree], stop = arrays->start[tree + 1];
        if (start >= stop || stop > arrays->nodes) return "a tree without nodes";
        for (int32_t node = start; node < stop; node++) {
            if (arrays->feature[node] < 0) return "a feature below 0";
            if (!is_child(arrays, arrays->left[node], node, stop) || !is_child(arrays, arrays->right[node], node, stop))
                return "a child that does not come after its parent in the same tree";
        }
    }
    return NULL;
}

/* Gives every leaf of a tree its bit. False: there are too many, or some node has none or several above it. */
static bool number_leaves(forest *f, planted *tree) {
    int32_t count = tree->stop - tree->start, leaves[MOST_LEAVES], first[MOST_LEAVES];
    if (count >= MOST_LEAVES) return false;
    for (int32_t at = count - 1; at >= 0; at--) {
        int32_t left = f->left[tree->start + at], right = f->right[tree->start + at];
        leaves[at] = (left < 0 ? 1 : leaves[left - tree->start]) + (right < 0 ? 1 : leaves[right - tree->start]);
        if (leaves[at] > count + 1) return false;
        first[at] = -1;
    }
    first[0] = 0;
    for (int32_t at = 0; at < count; at++) {
        int32_t node = tree->start + at, left = f->left[node], right = f->right[node];
        if (first[at] < 0) return false;
        int32_t middle = first[at] + (left < 0 ? 1 : leaves[left - tree->start]);
        int32_t sides[] = {left, right}, starts[] = {first[at], middle};
        for (int side = 0; side < 2; side++) {
            if (sides[side] < 0) tree->leaf[starts[side]] = f->leaf[~sides[side]];
            else if (first[sides[side] - tree->start] >= 0) return false;
            else first[sides[side] - tree->start] = starts[side];
        }
        f->keep[node] = ~(((UINT32_C(1) << (middle - first[at])) - 1) << first[at]);
    }
    return true;
}

static double expected_at(const forest *f, int32_t child) { return child < 0 ? f->leaf[~child] : f->expected[child]; }

static void prepare(forest *f, const int32_t *start) {
    for (int32_t node = f->nodes - 1; node >= 0; node--) {
        f->expected[node] = (expected_at(f, f->left[node]) + expected_at(f, f->right[node])) / 2;
        if (f->feature[node] >= f->width) f->width = f->feature[node] + 1;
    }
    for (int32_t at = 0; at < f->trees; at++) {
        f->tree[at].start = start[at];
        f->tree[at].stop = start[at + 1];
        f->tree[at].small = number_leaves(f, &f->tree[at]);
    }
}

static void *copy(pool *memory, const void *from, int32_t count) {
    void *to = pool_take(memory, (size_t)count, sizeof(int32_t));
    return to && count ? memcpy(to, from, (size_t)count * sizeof(int32_t)) : to;
}

forest *forest_plant(const tree_arrays *arrays, const char **fault) {
    *fault = find_fault(arrays);
    if (*fault) return NULL;
    pool memory = {NULL, false};
    forest *f = pool_take_zeros(&memory, 1, sizeof *f);
    if (!f) return NULL;
    f->nodes = arrays->nodes;
    f->trees = arrays->trees;
    f->feature = copy(&memory, arrays->feature, arrays->nodes);
    f->left = copy(&memory, arrays->left, arrays->nodes);
    f->right = copy(&memory, arrays->right, arrays->nodes);
    f->threshold = copy(&memory, arrays->threshold, arrays->nodes);
    f->leaf = copy(&memory, arrays->leaf, arrays->leaves);
    f->keep = pool_take(&memory, (size_t)arrays->nodes, sizeof *f->keep);
    f->expected = pool_take(&memory, (size_t)arrays->nodes, sizeof *f->expected);
    f->tree = pool_take(&memory, (size_t)arrays->trees, sizeof *f->tree);
    if (memory.failed) {
        pool_free(&memory);
        return NULL;
    }
    prepare(f, arrays->start);
    f->memory = memory;
    return f;
}

void forest_free(forest *f) {
    pool memory = f->memory; /* the forest itself lies in it */
    pool_free(&memory);
}

int32_t forest_width(const forest *f) { return f->width; }

static int32_t step(const forest *f, int32_t node, const float *row) {
    return row[f->feature[node]] < f->threshold[node] ? f->left[node] : f->right[node];
}

static float walk(const forest *f, const planted *tree, const float *row) {
    int32_t node = tree->start;
    while (node >= 0) node = step(f, node, row);
    return f->leaf[~node];
}

/* Clears, in each lane that is not below the threshold, the bits that are not to be kept. */
#if defined(__GNUC__) /* compilers see these lanes as one register each only if they are told */
typedef float lane_floats __attribute__((vector_size(16)));
typedef uint32_t lane_words __attribute__((vector_size(16)));

static inline void narrow(uint32_t *lanes, const float *cells, float threshold, uint32_t keep) {
    for (int lane = 0; lane < LANES; lane += 4) {
        lane_floats x;
        lane_words bits;
        memcpy(&x, cells + lane, sizeof x);
        memcpy(&bits, lanes + lane, sizeof bits);
        bits &= (lane_words)(x < threshold) | keep;
        memcpy(lanes + lane, &bits, sizeof bits);
    }
}
#else
static inline void narrow(uint32_t *lanes, const float *cells, float threshold, uint32_t keep) {
    for (int lane = 0; lane < LANES; lane++) lanes[lane] &= cells[lane] < threshold ? UINT32_MAX : keep;
}
#endif

/* `columns` has LANES cells of each column side by side. */
static void add_small(const forest *f, const planted *tree, const float *columns, double *sums) {
    uint32_t lanes[LANES];
    memset(lanes, 0xFF, sizeof lanes);
    for (int32_t node = tree->start; node < tree->stop; node++)
        narrow(lanes, columns + (size_t)f->feature[node] * LANES, f->threshold[node], f->keep[node]);
    for (int lane = 0; lane < LANES; lane++) sums[lane] += tree->leaf[lowest_bit(lanes[lane])];
}

static void sum_lanes(const forest *f, const float *const *rows, float *columns, double *sums) {
    for (int32_t column = 0; column < f->width; column++)
        for (int lane = 0; lane < LANES; lane++) columns[(size_t)column * LANES + lane] = rows[lane][column];
    for (int32_t at = 0; at < f->trees; at++) {
        const planted *tree = &f->tree[at];
        if (tree->small) add_small(f, tree, columns, sums);
        else
            for (int lane = 0; lane < LANES; lane++) sums[lane] += walk(f, tree, rows[lane]);
    }
}

static double sum_row(const forest *f, const float *row) {
    double sum = 0;
    for (int32_t at = 0; at < f->trees; at++) sum += walk(f, &f->tree[at], row);
    return sum;
}

int forest_sum(const forest *f, const float *table, int32_t width, int64_t rows, float *sums) {
    int64_t first = 0;
    pool memory = {NULL, false};
    float *columns = rows >= LANES / 4 ? pool_take(&memory, (size_t)f->width * LANES, sizeof *columns) : NULL;
    if (memory.failed) return -1;
    for (; rows - first >= LANES / 4; first += LANES) { /* a lane without a row costs less than a walk or two */
        const float *some[LANES];
        double found[LANES] = {0};
        for (int lane = 0; lane < LANES; lane++)
            some[lane] = table + (first + lane < rows ? first + lane : first) * width;
        sum_lanes(f, some, columns, found);
        for (int lane = 0; lane < LANES && first + lane < rows; lane++) sums[first + lane] = (float)found[lane];
    }
    for (; first < rows; first++) sums[first] = (float)sum_row(f, table + first * width);
    pool_free(&memory);
    return 0;
}

int forest_explain(const forest *f, const float *table, int32_t width, int64_t rows, float *said) {
    pool memory = {NULL, false};
    double *moved = pool_take(&memory, (size_t)width, sizeof *moved);
    for (int64_t row = 0; moved && row < rows; row++) {
        memset(moved, 0, (size_t)width * sizeof *moved);
        for (int32_t at = 0; at < f->trees; at++)
            for (int32_t node = f->tree[at].start, child; node >= 0; node = child) {
                child = step(f, node, table + row * width);
                moved[f->feature[node]] += expected_at(f, child) - f->expected[node];
            }
        for (int32_t column = 0; column < width; column++) said[row * width + column] = (float)moved[column];
    }
    pool_free(&memory);
    return memory.failed ? -1 : 0;
}
