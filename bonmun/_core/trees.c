#include "trees.h"

#include <stdbool.h>
#include <stddef.h>

enum { AT_ONCE = 8 }; /* rows that walk down a tree side by side: none waits for another's memory */

static bool is_child(const tree_arrays *trees, int32_t child, int32_t node, int32_t stop) {
    return child < 0 ? ~child < trees->leaves : child > node && child < stop;
}

const char *trees_fault(const tree_arrays *trees, int32_t width) {
    if (trees->start[0] != 0 || trees->start[trees->trees] != trees->nodes) return "trees that do not cover all nodes";
    for (int32_t tree = 0; tree < trees->trees; tree++) {
        int32_t stop = trees->start[tree + 1];
        if (trees->start[tree] >= stop || stop > trees->nodes) return "a tree without nodes";
        for (int32_t node = trees->start[tree]; node < stop; node++) {
            if (trees->feature[node] < 0 || trees->feature[node] >= width) return "a feature that the table does not have";
            if (!is_child(trees, trees->left[node], node, stop) || !is_child(trees, trees->right[node], node, stop))
                return "a child that does not come after its parent in the same tree";
        }
    }
    return NULL;
}

static void add_tree(const tree_arrays *trees, int32_t root, const float *const *rows, double *sums) {
    int32_t at[AT_ONCE];
    bool walking = true;
    for (int row = 0; row < AT_ONCE; row++) at[row] = root;
    while (walking) {
        walking = false;
        for (int row = 0; row < AT_ONCE; row++) {
            int32_t node = at[row] < 0 ? root : at[row];
            bool below = rows[row][trees->feature[node]] < trees->threshold[node];
            int32_t child = below ? trees->left[node] : trees->right[node];
            at[row] = at[row] < 0 ? at[row] : child;
            walking |= at[row] >= 0;
        }
    }
    for (int row = 0; row < AT_ONCE; row++) sums[row] += trees->leaf[~at[row]];
}

void trees_sum(const tree_arrays *trees, const float *table, int32_t width, int64_t rows, float *sums) {
    for (int64_t first = 0; first < rows; first += AT_ONCE) {
        const float *some[AT_ONCE];
        double found[AT_ONCE] = {0};
        for (int at = 0; at < AT_ONCE; at++) some[at] = table + (first + at < rows ? first + at : first) * width;
        for (int32_t tree = 0; tree < trees->trees; tree++) add_tree(trees, trees->start[tree], some, found);
        for (int at = 0; at < AT_ONCE && first + at < rows; at++) sums[first + at] = (float)found[at];
    }
}
