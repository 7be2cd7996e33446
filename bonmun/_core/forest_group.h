/* The sums of LANES rows over all trees of a forest, and their contributions. forest_lanes.c includes this once for each instruction set, which defines the
 * type `lane_set` and its operations, with IN(…) around the names that differ. */

/* The leaves that the lanes of some groups may reach in a tree. The number of groups is a constant where this is called. */
static ALWAYS_INLINE IN_TARGET void IN(narrow_all)(const open_trees *open, int32_t at, int groups, IN(lane_set) *lanes) {
    const open_node *node = open->nodes + (at ? open->stop[at - 1] : 0), *stop = open->nodes + open->stop[at];
    UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) lanes[group] = IN(all_lanes)(open->leaves[at]);
    for (; node < stop; node++) {
        const float *cells = open->columns + (size_t)node->column * LANES;
        UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++, cells += open->group_cells)
            IN(narrow)(&lanes[group], cells, node->threshold, node->keep);
    }
}

static ALWAYS_INLINE IN_TARGET void IN(add_small)(const open_trees *open, int32_t at, int groups, double *sums) {
    const float *leaf = open->forest->tree[at].leaf;
    if (open->stop[at] == (at ? open->stop[at - 1] : 0)) { /* all rows of the chunk reach the same leaf */
        double same = leaf[lowest_bit(open->leaves[at])];
        for (int lane = 0; lane < groups * LANES; lane++) sums[lane] += same;
        return;
    }
    IN(lane_set) lanes[SIDE_BY_SIDE];
    IN(narrow_all)(open, at, groups, lanes);
    UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) IN(add_leaves)(&lanes[group], leaf, sums + group * LANES);
}

static ALWAYS_INLINE IN_TARGET void IN(sum_groups)(const open_trees *open, int groups, const float *const *rows, double *sums) {
    const forest *f = open->forest;
    for (int32_t at = 0; at < f->trees; at++) {
        if (f->tree[at].small) IN(add_small)(open, at, groups, sums);
        else
            for (int lane = 0; lane < groups * LANES; lane++) sums[lane] += walk(f, &f->tree[at], rows[lane]);
    }
}

static IN_TARGET void IN(sum_lanes)(const open_trees *open, int groups, const float *const *rows, double *sums) {
    if (groups == SIDE_BY_SIDE) IN(sum_groups)(open, SIDE_BY_SIDE, rows, sums);
    else
        for (int group = 0; group < groups; group++) {
            open_trees one = *open;
            one.columns += (size_t)group * open->group_cells;
            IN(sum_groups)(&one, 1, rows + group * LANES, sums + group * LANES);
        }
}

/* The leaves that lanes reach, each lane's and all together; the path of the first is fetched early. */
static inline IN_TARGET uint32_t IN(reach_small)(const open_trees *open, int32_t at, const tree_paths *paths, uint32_t *reached) {
    IN(lane_set) lanes;
    IN(narrow_all)(open, at, 1, &lanes);
    uint32_t leaves = IN(reach)(&lanes, reached);
    int leaf = lowest_bit(leaves);
    fetch_early(paths->step + paths->first[leaf]);
    fetch_early(paths->step + paths->first[leaf + 1] - 1);
    return leaves;
}

/* Most lanes reach the same few leaves: each path is taken by all lanes at once. */
static inline IN_TARGET void IN(move_small)(const tree_paths *paths, const uint32_t *reached, uint32_t leaves, double *sums) {
    for (; leaves; leaves &= leaves - 1) {
        int leaf = lowest_bit(leaves);
        IN(take_path)(paths->step + paths->first[leaf], paths->step + paths->first[leaf + 1], reached, UINT32_C(1) << leaf, sums);
    }
}

static IN_TARGET void IN(move_lanes)(const open_trees *open, const forest_paths *paths, const float *const *rows, double *sums) {
    const forest *f = open->forest;
    uint32_t reached[2][LANES], leaves[2] = {0}; /* of this tree and the one before, whose paths have arrived */
    for (int32_t at = 0; at <= f->trees; at++) {
        if (at < f->trees && f->tree[at].small) leaves[at % 2] = IN(reach_small)(open, at, &paths->tree[at], reached[at % 2]);
        int32_t last = at - 1;
        if (last < 0) continue;
        if (f->tree[last].small) IN(move_small)(&paths->tree[last], reached[last % 2], leaves[last % 2], sums);
        else
            for (int lane = 0; lane < LANES; lane++) move_by_walk(f, &f->tree[last], rows[lane], sums + lane);
    }
}
