#include "forest_open.h"

/* Small trees are evaluated by leaf bit masks (QuickScorer) instead of walked. Every row starts with one set bit per leaf;
 * each node whose test sends the row right clears the bits of its left subtree; the lowest bit left is the leaf. No step
 * depends on another, and all lanes take the same steps. */
enum {
    FEW = 4,   /* rows that are faster walked down the trees */
    WALKS = 8  /* trees that a row is walked down side by side */
};

static void sum_groups(const open_chunk *s, const row_list *list, int64_t first, int64_t stop, float *sums) {
    const float *rows[AT_ONCE];
    double of_lane[AT_ONCE] = {0};
    int groups = open_groups_of(s, list, first, stop, rows);
    forest_lanes_here()->sum(&s->open, groups, rows, of_lane);
    for (int lane = 0; lane < AT_ONCE && first + lane < stop; lane++) sums[first + lane] = (float)of_lane[lane];
}

/* The sum of one row. The steps of one tree wait for each other, those of several trees do not. */
static float walk_all(const forest *f, const float *row) {
    double sum = 0;
    for (int32_t first = 0; first < f->trees; first += WALKS) {
        int32_t node[WALKS], count = f->trees - first < WALKS ? f->trees - first : WALKS;
        bool walking = true;
        for (int32_t at = 0; at < WALKS; at++) node[at] = f->tree[first + (at < count ? at : 0)].start;
        while (walking) {
            walking = false;
            for (int32_t at = 0; at < WALKS; at++) {
                int32_t next = forest_step(f, node[at] < 0 ? 0 : node[at], row);
                node[at] = node[at] < 0 ? node[at] : next;
                walking |= node[at] >= 0;
            }
        }
        for (int32_t at = 0; at < count; at++) sum += f->leaf[~node[at]];
    }
    return (float)sum;
}

int forest_sum(const forest *f, const float *table, int32_t width, const int32_t *picked, int64_t rows, float *sums) {
    row_list list = {table, picked, width, rows};
    if (rows <= FEW) {
        for (int64_t row = 0; row < rows; row++) sums[row] = walk_all(f, row_at(&list, row));
        return 0;
    }
    open_chunk s = {0};
    bool ready = open_chunk_prepare(&s, f);
    for (int64_t first = 0, stop; ready && first < rows; first = stop) {
        stop = rows - first < CHUNK ? rows : first + CHUNK;
        open_chunk_of(&s, &list, first, stop);
        for (int64_t group = first; group < stop; group += AT_ONCE) sum_groups(&s, &list, group, stop, sums);
    }
    pool_free(&s.memory);
    return ready ? 0 : -1;
}
