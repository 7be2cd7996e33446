/* The sums of LANES rows over all trees of a forest, and their contributions. forest_lanes.c includes this once for each instruction set, which defines the
 * type `lane_set` and its operations, with IN(…) around the names that differ. */

/* The leaves that the lanes of some groups may reach in a tree. The number of groups is a constant where this is called. */
static ALWAYS_INLINE IN_TARGET void IN(narrow_all)(const open_trees *open, int32_t at, int groups, IN(lane_set) *lanes) {
    UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) lanes[group] = IN(all_lanes)(open->leaves[at]);
    for (int32_t node = at ? open->nodes.stop[at - 1] : 0, stop = open->nodes.stop[at]; node < stop; node++) {
        const float *cells = open->columns + (size_t)open->nodes.column[node] * LANES;
        UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++, cells += open->group_cells)
            IN(narrow)(&lanes[group], cells, open->nodes.threshold[node], open->nodes.keep[node]);
    }
}

static ALWAYS_INLINE IN_TARGET void IN(add_small)(const open_trees *open, int32_t at, int groups, IN(lane_sums) *sums) {
    const float *leaf = open->forest->tree[at].leaf;
    if (open->nodes.stop[at] == (at ? open->nodes.stop[at - 1] : 0)) { /* all rows of the chunk reach the same leaf */
        double same = leaf[lowest_bit(open->leaves[at])];
        UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) IN(add_same)(&sums[group], same);
        return;
    }
    IN(lane_set) lanes[SIDE_BY_SIDE];
    IN(narrow_all)(open, at, groups, lanes);
    UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) IN(add_leaves)(&lanes[group], leaf, &sums[group]);
}

static ALWAYS_INLINE IN_TARGET void IN(sum_groups)(const open_trees *open, int groups, const float *const *rows, double *sums) {
    const forest *f = open->forest;
    IN(lane_sums) of_groups[SIDE_BY_SIDE];
    UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) IN(take_sums)(&of_groups[group], sums + group * LANES);
    for (int32_t at = 0; at < f->trees; at++) {
        if (f->tree[at].small) {
            IN(add_small)(open, at, groups, of_groups);
            continue;
        }
        UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) IN(put_sums)(&of_groups[group], sums + group * LANES);
        for (int lane = 0; lane < groups * LANES; lane++) sums[lane] += walk(f, &f->tree[at], rows[lane]);
        UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) IN(take_sums)(&of_groups[group], sums + group * LANES);
    }
    UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) IN(put_sums)(&of_groups[group], sums + group * LANES);
}

static IN_TARGET void IN(sum_lanes)(const open_trees *open, int groups, const float *const *rows, double *sums) {
    _Static_assert(SIDE_BY_SIDE == 4, "one copy for each number of groups");
    if (groups == SIDE_BY_SIDE) IN(sum_groups)(open, SIDE_BY_SIDE, rows, sums);
    else if (groups == 3) IN(sum_groups)(open, 3, rows, sums);
    else if (groups == 2) IN(sum_groups)(open, 2, rows, sums);
    else IN(sum_groups)(open, 1, rows, sums);
}

/* Count the rows of some groups that reach each leaf of a small tree; a bit of `used` for each lane. */
static ALWAYS_INLINE IN_TARGET void IN(count_small)(const open_trees *open, int32_t at, int groups, uint64_t used, uint32_t *counts) {
    if (open->nodes.stop[at] == (at ? open->nodes.stop[at - 1] : 0)) {
        counts[lowest_bit(open->leaves[at])] += (uint32_t)bits_set(used);
        return;
    }
    IN(lane_set) lanes[SIDE_BY_SIDE];
    uint32_t reached[AT_ONCE], leaves = 0;
    IN(narrow_all)(open, at, groups, lanes);
    UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++) leaves |= IN(reach)(&lanes[group], reached + group * LANES);
    for (; leaves; leaves &= leaves - 1) {
        uint64_t there = 0;
        UNROLL(SIDE_BY_SIDE) for (int group = 0; group < groups; group++)
            there |= (uint64_t)IN(lanes_at)(reached + group * LANES, leaves & (~leaves + 1)) << group * LANES;
        counts[lowest_bit(leaves)] += (uint32_t)bits_set(there & used);
    }
}

static IN_TARGET void IN(count_lanes)(const open_trees *open, int groups, uint64_t used, uint32_t *counts) {
    if (groups == SIDE_BY_SIDE) {
        for (int32_t at = 0; at < open->forest->trees; at++)
            if (open->forest->tree[at].small) IN(count_small)(open, at, SIDE_BY_SIDE, used, counts + (size_t)at * MOST_LEAVES);
        return;
    }
    for (int group = 0; group < groups; group++, used >>= LANES) {
        open_trees one = *open;
        one.columns += (size_t)group * open->group_cells;
        for (int32_t at = 0; at < open->forest->trees; at++)
            if (open->forest->tree[at].small)
                IN(count_small)(&one, at, 1, used & ((UINT64_C(1) << LANES) - 1), counts + (size_t)at * MOST_LEAVES);
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
