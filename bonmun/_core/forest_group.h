/* The sums of LANES rows over all trees of a forest. forest_sum.c includes this once for each instruction set, which defines the
 * type `lane_set` and its operations, with IN(…) around the names that differ. */

static inline IN_TARGET void IN(add_small)(const open_trees *open, int32_t at, double *sums) {
    const float *leaf = open->forest->tree[at].leaf;
    const open_node *node = open->nodes + (at ? open->stop[at - 1] : 0), *stop = open->nodes + open->stop[at];
    if (node == stop) { /* all rows of the chunk reach the same leaf */
        double same = leaf[lowest_bit(open->leaves[at])];
        for (int lane = 0; lane < LANES; lane++) sums[lane] += same;
        return;
    }
    IN(lane_set) lanes = IN(all_lanes)(open->leaves[at]);
    for (; node < stop; node++) IN(narrow)(&lanes, open->columns + (size_t)node->column * LANES, node->threshold, node->keep);
    IN(add_leaves)(&lanes, leaf, sums);
}

static IN_TARGET void IN(sum_lanes)(const open_trees *open, const float *const *rows, double *sums) {
    const forest *f = open->forest;
    for (int32_t at = 0; at < f->trees; at++) {
        if (f->tree[at].small) IN(add_small)(open, at, sums);
        else
            for (int lane = 0; lane < LANES; lane++) sums[lane] += walk(f, &f->tree[at], rows[lane]);
    }
}
