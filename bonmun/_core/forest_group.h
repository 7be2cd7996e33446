/* The sums of LANES rows over all trees of a forest, and their contributions. forest_lanes.c includes this once for each instruction set, which defines the
 * type `lane_set` and its operations, with IN(…) around the names that differ. */

static inline IN_TARGET IN(lane_set) IN(narrowed)(const open_trees *open, int32_t at) {
    const open_node *node = open->nodes + (at ? open->stop[at - 1] : 0), *stop = open->nodes + open->stop[at];
    IN(lane_set) lanes = IN(all_lanes)(open->leaves[at]);
    for (; node < stop; node++) IN(narrow)(&lanes, open->columns + (size_t)node->column * LANES, node->threshold, node->keep);
    return lanes;
}

static inline IN_TARGET void IN(add_small)(const open_trees *open, int32_t at, double *sums) {
    const float *leaf = open->forest->tree[at].leaf;
    if (open->stop[at] == (at ? open->stop[at - 1] : 0)) { /* all rows of the chunk reach the same leaf */
        double same = leaf[lowest_bit(open->leaves[at])];
        for (int lane = 0; lane < LANES; lane++) sums[lane] += same;
        return;
    }
    IN(lane_set) lanes = IN(narrowed)(open, at);
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

/* Most lanes reach the same few leaves: each path is taken by all lanes at once. */
static inline IN_TARGET void IN(move_small)(const open_trees *open, int32_t at, const tree_paths *paths, double *sums) {
    uint32_t reached[LANES];
    IN(lane_set) lanes = IN(narrowed)(open, at);
    for (uint32_t leaves = IN(reach)(&lanes, reached); leaves; leaves &= leaves - 1) {
        int leaf = lowest_bit(leaves);
        IN(take_path)(paths->step + paths->first[leaf], paths->step + paths->first[leaf + 1], reached, UINT32_C(1) << leaf, sums);
    }
}

static IN_TARGET void IN(move_lanes)(const open_trees *open, const forest_paths *paths, const float *const *rows, double *sums) {
    const forest *f = open->forest;
    for (int32_t at = 0; at < f->trees; at++) {
        if (f->tree[at].small) IN(move_small)(open, at, &paths->tree[at], sums);
        else
            for (int lane = 0; lane < LANES; lane++) move_by_walk(f, &f->tree[at], rows[lane], sums + lane);
    }
}
