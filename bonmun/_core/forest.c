#include "forest_trees.h"

#include <string.h>

#include "contributions.h"
#include "pool.h"

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

/* A mask of the bits from `first` up to `stop`, which is at most 32. */
static uint32_t bits(int32_t first, int32_t stop) {
    return (uint32_t)((UINT64_C(1) << stop) - (UINT64_C(1) << first));
}

/* Give every leaf of a tree a bit, and write its nodes with masks. False: too many leaves, or a node with no parent or with
 * several. */
static bool number_leaves(const forest *f, forest_tree *tree, node_bundle *bundles, uint32_t *all) {
    int32_t count = tree->stop - tree->start, leaves[MOST_LEAVES], first[MOST_LEAVES];
    if (count >= MOST_LEAVES) return false;
    for (int32_t at = count - 1; at >= 0; at--) {
        int32_t left = f->node[tree->start + at].child[0], right = f->node[tree->start + at].child[1];
        leaves[at] = (left < 0 ? 1 : leaves[left - tree->start]) + (right < 0 ? 1 : leaves[right - tree->start]);
        if (leaves[at] > count + 1) return false;
        first[at] = -1;
    }
    first[0] = 0;
    for (int32_t at = 0; at < count; at++) {
        const forest_node *node = &f->node[tree->start + at];
        int32_t left = node->child[0], right = node->child[1];
        if (first[at] < 0) return false;
        int32_t middle = first[at] + (left < 0 ? 1 : leaves[left - tree->start]);
        int32_t sides[] = {left, right}, starts[] = {first[at], middle};
        for (int side = 0; side < 2; side++) {
            if (sides[side] < 0) tree->leaf[starts[side]] = f->leaf[~sides[side]];
            else if (first[sides[side] - tree->start] >= 0) return false;
            else first[sides[side] - tree->start] = starts[side];
        }
        bundles[at / BUNDLE].threshold[at % BUNDLE] = node->threshold;
        bundles[at / BUNDLE].feature[at % BUNDLE] = node->feature;
        bundles[at / BUNDLE].left[at % BUNDLE] = bits(first[at], middle);
        bundles[at / BUNDLE].right[at % BUNDLE] = bits(middle, first[at] + leaves[at]);
    }
    *all = bits(0, leaves[0]);
    return true;
}

/* Append the nodes of a tree, if it is small, to those of all. */
static void list_nodes(forest *f, int32_t at) {
    const node_bundle *bundles = f->masks.bundles + f->masks.first[at];
    int32_t to = at ? f->masks.all.stop[at - 1] : 0;
    for (int32_t node = 0; node < f->masks.nodes[at]; node++, to++) {
        const node_bundle *b = &bundles[node / BUNDLE];
        f->masks.all.threshold[to] = b->threshold[node % BUNDLE];
        f->masks.all.column[to] = b->feature[node % BUNDLE];
        f->masks.all.keep[to] = ~b->left[node % BUNDLE];
    }
    f->masks.all.stop[at] = to;
}

static void prepare(forest *f, const int32_t *start) {
    for (int32_t node = f->nodes - 1; node >= 0; node--) {
        f->expected[node] = (expected_at(f, f->node[node].child[0]) + expected_at(f, f->node[node].child[1])) / 2;
        if (f->node[node].feature >= f->width) f->width = f->node[node].feature + 1;
    }
    int32_t used = 0;
    for (int32_t at = 0; at < f->trees; at++) {
        forest_tree *tree = &f->tree[at];
        tree->start = start[at];
        tree->stop = start[at + 1];
        uint32_t leaves = 0;
        tree->small = number_leaves(f, tree, f->masks.bundles + used, &leaves);
        int32_t nodes = tree->stop - tree->start;
        if (!tree->small) memset(f->masks.bundles + used, 0, (size_t)bundles_of(nodes) * sizeof *f->masks.bundles);
        f->masks.first[at] = used;
        f->masks.nodes[at] = tree->small ? nodes : 0;
        f->masks.leaves[at] = leaves;
        list_nodes(f, at);
        used += bundles_of(f->masks.nodes[at]);
    }
}

static void copy_nodes(const forest_arrays *arrays, forest *f) {
    for (int32_t at = 0; at < arrays->nodes; at++)
        f->node[at] = (forest_node){arrays->threshold[at], arrays->feature[at], {arrays->left[at], arrays->right[at]}};
    if (arrays->leaves) memcpy(f->leaf, arrays->leaf, (size_t)arrays->leaves * sizeof *f->leaf);
}

/* Memory for the nodes of all trees with masks; those that are not set have none. */
static void take_masks(pool *memory, int32_t nodes, int32_t trees, mask_trees *masks) {
    size_t bundles = ((size_t)nodes + (BUNDLE - 1) * (size_t)trees) / BUNDLE + 1; /* the last one of each tree may not be full */
    masks->bundles = pool_take_zeros(memory, bundles, sizeof *masks->bundles);
    masks->first = pool_take(memory, (size_t)trees, sizeof *masks->first);
    masks->nodes = pool_take(memory, (size_t)trees, sizeof *masks->nodes);
    masks->leaves = pool_take(memory, (size_t)trees, sizeof *masks->leaves);
    masks->all.threshold = pool_take(memory, (size_t)nodes, sizeof *masks->all.threshold);
    masks->all.column = pool_take(memory, (size_t)nodes, sizeof *masks->all.column);
    masks->all.keep = pool_take(memory, (size_t)nodes, sizeof *masks->all.keep);
    masks->all.stop = pool_take(memory, (size_t)trees, sizeof *masks->all.stop);
}

forest *forest_create(const forest_arrays *arrays, const char **fault) {
    *fault = find_fault(arrays);
    if (*fault) return NULL;
    pool memory = {NULL, false, NULL, 0};
    forest *f = pool_take_zeros(&memory, 1, sizeof *f);
    if (!f) return NULL;
    f->nodes = arrays->nodes;
    f->trees = arrays->trees;
    f->node = pool_take(&memory, (size_t)arrays->nodes, sizeof *f->node);
    f->leaf = pool_take(&memory, (size_t)arrays->leaves, sizeof *f->leaf);
    take_masks(&memory, arrays->nodes, arrays->trees, &f->masks);
    f->expected = pool_take(&memory, (size_t)arrays->nodes, sizeof *f->expected);
    f->tree = pool_take(&memory, (size_t)arrays->trees, sizeof *f->tree);
    if (memory.failed) {
        pool_free(&memory);
        return NULL;
    }
    copy_nodes(arrays, f);
    prepare(f, arrays->start);
    f->memory = memory;
    return f;
}

void forest_free(forest *f) {
    if (f->paths) forest_paths_free(f->paths);
    pool memory = f->memory; /* a copy: the forest itself lies in the pool */
    pool_free(&memory);
}

const forest_paths *forest_paths_of(forest *f) {
    if (!f->paths) f->paths = forest_paths_create(f);
    return f->paths;
}

int32_t forest_width(const forest *f) { return f->width; }
