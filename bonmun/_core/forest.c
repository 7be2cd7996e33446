#include "forest.h"

#include <stdbool.h>
#include <string.h>

#include "contributions.h"
#include "pool.h"
#include "word64.h"

enum {
    LANES = 16,      /* rows evaluated side by side */
    MOST_LEAVES = 32 /* of a small tree: one bit per leaf */
};

/* Small trees are evaluated by leaf bit masks (QuickScorer) instead of walked. Every row starts with one set bit per leaf;
 * each node whose test sends the row right clears the bits of its left subtree; the lowest bit left is the leaf. No step
 * depends on another, and all lanes take the same steps. */
typedef struct {
    int32_t start, stop;
    bool small;
    float leaf[MOST_LEAVES]; /* of a small tree, from left to right */
} forest_tree;

struct forest {
    pool memory;
    int32_t nodes, trees, width;
    int32_t *feature, *left, *right;
    float *threshold, *leaf;
    uint32_t *keep;    /* by node: mask of the leaves still reachable after going right */
    double *expected;  /* by node: the mean of its two children's expected values */
    forest_tree *tree;
    forest_steps *steps; /* for contributions; made when first asked for */
};

static bool is_child(const forest_arrays *arrays, int32_t child, int32_t node, int32_t stop) {
    return child < 0 ? ~child < arrays->leaves : child > node && child < stop;
}

static const char *find_fault(const forest_arrays *arrays) {
    if (arrays->trees < 0 || arrays->start[0] != 0 || arrays->start[arrays->trees] != arrays->nodes)
        return "the trees do not cover all nodes";
    for (int32_t tree = 0; tree < arrays->trees; tree++) {
        int32_t start = arrays->start[tree], stop = arrays->start[tree + 1];
        if (start >= stop || stop > arrays->nodes) return "a tree has no nodes";
        for (int32_t node = start; node < stop; node++) {
            if (arrays->feature[node] < 0) return "a feature number is negative";
            if (!is_child(arrays, arrays->left[node], node, stop) || !is_child(arrays, arrays->right[node], node, stop))
                return "a child does not come after its parent in the same tree";
        }
    }
    return NULL;
}

/* Assign a bit to every leaf of a tree. False: too many leaves, or a node with no parent or with several. */
static bool number_leaves(forest *f, forest_tree *tree) {
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

static void *copy_cells(pool *memory, const void *from, int32_t count) {
    void *to = pool_take(memory, (size_t)count, sizeof(int32_t));
    return to && count ? memcpy(to, from, (size_t)count * sizeof(int32_t)) : to;
}

forest *forest_create(const forest_arrays *arrays, const char **fault) {
    *fault = find_fault(arrays);
    if (*fault) return NULL;
    pool memory = {NULL, false};
    forest *f = pool_take_zeros(&memory, 1, sizeof *f);
    if (!f) return NULL;
    f->nodes = arrays->nodes;
    f->trees = arrays->trees;
    f->feature = copy_cells(&memory, arrays->feature, arrays->nodes);
    f->left = copy_cells(&memory, arrays->left, arrays->nodes);
    f->right = copy_cells(&memory, arrays->right, arrays->nodes);
    f->threshold = copy_cells(&memory, arrays->threshold, arrays->nodes);
    f->leaf = copy_cells(&memory, arrays->leaf, arrays->leaves);
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
    forest_steps_free(f->steps);
    pool memory = f->memory; /* a copy: the forest itself lies in the pool */
    pool_free(&memory);
}

static bool make_steps(forest *f) {
    pool memory = {NULL, false};
    int32_t *start = pool_take(&memory, (size_t)f->trees + 1, sizeof *start);
    if (start) {
        for (int32_t at = 0; at < f->trees; at++) start[at] = f->tree[at].start;
        start[f->trees] = f->nodes;
        forest_arrays arrays = {f->feature, f->left, f->right, start, f->threshold, f->leaf, f->nodes, 0, f->trees};
        f->steps = forest_steps_create(&arrays, f->expected);
    }
    pool_free(&memory);
    return f->steps != NULL;
}

const forest_steps *forest_steps_of(forest *f) { return f->steps || make_steps(f) ? f->steps : NULL; }

int32_t forest_width(const forest *f) { return f->width; }

static int32_t step(const forest *f, int32_t node, const float *row) {
    return row[f->feature[node]] < f->threshold[node] ? f->left[node] : f->right[node];
}

static float walk(const forest *f, const forest_tree *tree, const float *row) {
    int32_t node = tree->start;
    while (node >= 0) node = step(f, node, row);
    return f->leaf[~node];
}

/* In each lane that is not below the threshold, clear the bits outside `keep`. */
#if defined(__GNUC__) /* without vector types, compilers do not vectorise this loop */
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

/* `columns`: LANES cells of each column side by side. */
static void add_small(const forest *f, const forest_tree *tree, const float *columns, double *sums) {
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
        const forest_tree *tree = &f->tree[at];
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
    for (; rows - first >= LANES / 4; first += LANES) { /* idle lanes cost less than a few walks */
        const float *lane_rows[LANES];
        double lane_sums[LANES] = {0};
        for (int lane = 0; lane < LANES; lane++)
            lane_rows[lane] = table + (first + lane < rows ? first + lane : first) * width;
        sum_lanes(f, lane_rows, columns, lane_sums);
        for (int lane = 0; lane < LANES && first + lane < rows; lane++) sums[first + lane] = (float)lane_sums[lane];
    }
    for (; first < rows; first++) sums[first] = (float)sum_row(f, table + first * width);
    pool_free(&memory);
    return 0;
}
