/* The lanes of forest_lanes.c with AVX-512: a register for each column of LANES rows, and for each bundle of nodes. */
#define IN_TARGET __attribute__((target("avx512f,avx512cd,popcnt")))

typedef __m512i avx512_lane_set;

static inline IN_TARGET avx512_lane_set avx512_all_lanes(uint32_t leaves) { return _mm512_set1_epi32((int)leaves); }

static inline IN_TARGET void avx512_narrow(avx512_lane_set *lanes, const float *cells, float threshold, uint32_t keep) {
    __mmask16 right = _mm512_cmp_ps_mask(_mm512_loadu_ps(cells), _mm512_set1_ps(threshold), _CMP_NLT_UQ);
    *lanes = _mm512_mask_and_epi32(*lanes, right, *lanes, _mm512_set1_epi32((int)keep));
}

static inline IN_TARGET __m512i avx512_lowest(__m512i lanes) {
    return _mm512_and_si512(lanes, _mm512_sub_epi32(_mm512_setzero_si512(), lanes));
}

/* The sums of LANES rows, in registers. */
typedef struct {
    __m512d low, high;
} avx512_lane_sums;

static inline IN_TARGET void avx512_add_same(avx512_lane_sums *sums, double same) {
    sums->low = _mm512_add_pd(sums->low, _mm512_set1_pd(same));
    sums->high = _mm512_add_pd(sums->high, _mm512_set1_pd(same));
}

static inline IN_TARGET void avx512_put_sums(const avx512_lane_sums *sums, double *to) {
    _mm512_storeu_pd(to, sums->low);
    _mm512_storeu_pd(to + 8, sums->high);
}

static inline IN_TARGET void avx512_take_sums(avx512_lane_sums *sums, const double *from) {
    sums->low = _mm512_loadu_pd(from);
    sums->high = _mm512_loadu_pd(from + 8);
}

static inline IN_TARGET void avx512_add_leaves(const avx512_lane_set *lanes, const float *leaf, avx512_lane_sums *sums) {
    __m512i number = _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(avx512_lowest(*lanes)));
    __m512 leaves = _mm512_permutex2var_ps(_mm512_loadu_ps(leaf), number, _mm512_loadu_ps(leaf + 16));
    __m256 later = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(leaves), 1));
    sums->low = _mm512_add_pd(sums->low, _mm512_cvtps_pd(_mm512_castps512_ps256(leaves)));
    sums->high = _mm512_add_pd(sums->high, _mm512_cvtps_pd(later));
}

static inline IN_TARGET uint32_t avx512_reach(const avx512_lane_set *lanes, uint32_t *reached) {
    __m512i lowest = avx512_lowest(*lanes);
    _mm512_storeu_si512(reached, lowest);
    return (uint32_t)_mm512_reduce_or_epi32(lowest);
}

static inline IN_TARGET uint32_t avx512_lanes_at(const uint32_t *reached, uint32_t leaf) {
    return _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(reached), _mm512_set1_epi32((int)leaf));
}

static inline IN_TARGET void avx512_take_path(const path_step *step, const path_step *stop, const uint32_t *reached, uint32_t leaf,
                                              double *sums) {
    unsigned takes = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(reached), _mm512_set1_epi32((int)leaf));
    __mmask8 first = (__mmask8)takes, second = (__mmask8)(takes >> 8);
    for (; step < stop; step++) {
        double *to = sums + step->cell;
        __m512d change = _mm512_set1_pd(step->change), low = _mm512_loadu_pd(to), high = _mm512_loadu_pd(to + 8);
        _mm512_storeu_pd(to, _mm512_mask_add_pd(low, first, low, change));
        _mm512_storeu_pd(to + 8, _mm512_mask_add_pd(high, second, high, change));
    }
}

static IN_TARGET bool avx512_range(const row_list *list, int64_t first, int64_t stop, int32_t column, column_range *ranges) {
    __m512 low[2], high[2];
    __mmask16 unordered = 0;
    for (int at = 0; at < 2; at++) low[at] = high[at] = _mm512_loadu_ps(row_at(list, first) + column + LANES * at);
    for (int64_t row = first; row < stop; row++) {
        const float *cells = row_at(list, row) + column;
        for (int at = 0; at < 2; at++) {
            __m512 x = _mm512_loadu_ps(cells + LANES * at);
            low[at] = _mm512_min_ps(x, low[at]);
            high[at] = _mm512_max_ps(x, high[at]);
            unordered |= _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
        }
    }
    float ends[2][RANGED];
    for (int at = 0; at < 2; at++) {
        _mm512_storeu_ps(ends[0] + LANES * at, low[at]);
        _mm512_storeu_ps(ends[1] + LANES * at, high[at]);
    }
    for (int at = 0; at < RANGED; at++) ranges[column + at] = (column_range){ends[0][at], ends[1][at]};
    return !unordered;
}

/* The nodes of a bundle that some rows pass to the left, and those that all do. */
typedef struct {
    __mmask16 some, all;
} avx512_sides;

/* Eight ranges as pairs; gathers are slower than as many loads. */
static inline IN_TARGET __m512 avx512_ranges(const column_range *ranges, const int32_t *feature) {
    __m128 a = two_ranges(ranges, feature[0], feature[1]), b = two_ranges(ranges, feature[2], feature[3]);
    __m128 c = two_ranges(ranges, feature[4], feature[5]), d = two_ranges(ranges, feature[6], feature[7]);
    __m512 first = _mm512_castps256_ps512(_mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1));
    __m256 second = _mm256_insertf128_ps(_mm256_castps128_ps256(c), d, 1);
    return _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castps_pd(first), _mm256_castps_pd(second), 1));
}

static inline IN_TARGET avx512_sides avx512_sides_of(const node_bundle *b, const column_range *ranges) {
    const __m512i lows = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i highs = _mm512_add_epi32(lows, _mm512_set1_epi32(1));
    __m512 eight = avx512_ranges(ranges, b->feature), others = avx512_ranges(ranges, b->feature + 8);
    __m512 threshold = _mm512_loadu_ps(b->threshold);
    return (avx512_sides){_mm512_cmp_ps_mask(_mm512_permutex2var_ps(eight, lows, others), threshold, _CMP_LT_OQ),
                          _mm512_cmp_ps_mask(_mm512_permutex2var_ps(eight, highs, others), threshold, _CMP_LT_OQ)};
}

static inline IN_TARGET __m512i avx512_lost(const node_bundle *b, avx512_sides sides, __m512i lost) {
    lost = _mm512_mask_or_epi32(lost, (__mmask16)~sides.some, lost, _mm512_loadu_si512(b->left));
    return _mm512_mask_or_epi32(lost, sides.all, lost, _mm512_loadu_si512(b->right));
}

/* Write the nodes of a bundle that rows pass on both sides, from `to` on; the number behind them. */
static inline IN_TARGET int32_t avx512_put(open_trees *open, const node_bundle *b, avx512_sides sides, uint32_t leaves, int32_t to) {
    __m512i left = _mm512_loadu_si512(b->left);
    __mmask16 reached = _mm512_mask_test_epi32_mask((__mmask16)(sides.some & ~sides.all), left, _mm512_set1_epi32((int)leaves));
    __m512i keep = _mm512_xor_si512(left, _mm512_set1_epi32(-1));
    _mm512_storeu_ps(open->nodes.threshold + to, _mm512_maskz_compress_ps(reached, _mm512_loadu_ps(b->threshold)));
    _mm512_storeu_si512(open->nodes.column + to, _mm512_maskz_compress_epi32(reached, _mm512_loadu_si512(b->feature)));
    _mm512_storeu_si512(open->nodes.keep + to, _mm512_maskz_compress_epi32(reached, keep));
    return to + __builtin_popcount(reached);
}

static IN_TARGET void avx512_list(open_trees *open, const column_range *ranges) {
    const mask_trees *masks = &open->forest->masks;
    int32_t to = 0;
    for (int32_t at = 0; at < open->forest->trees; at++) {
        const node_bundle *bundles = masks->bundles + masks->first[at];
        int32_t count = bundles_of(masks->nodes[at]);
        avx512_sides sides[MOST_LEAVES / BUNDLE];
        __m512i lost = _mm512_setzero_si512();
        for (int32_t bundle = 0; bundle < count; bundle++) {
            sides[bundle] = avx512_sides_of(&bundles[bundle], ranges);
            lost = avx512_lost(&bundles[bundle], sides[bundle], lost);
        }
        uint32_t leaves = open->leaves[at] = masks->leaves[at] & ~(uint32_t)_mm512_reduce_or_epi32(lost);
        for (int32_t bundle = 0; bundle < count; bundle++) to = avx512_put(open, &bundles[bundle], sides[bundle], leaves, to);
        open->nodes.stop[at] = to;
    }
}

/* Sixteen columns: pairs of cells change places, then pairs of pairs, then quarters of a register. */
static inline IN_TARGET void avx512_transpose(const float *const *rows, int32_t column, float *cells) {
    __m512 a[LANES], b[LANES];
    for (int at = 0; at < LANES; at++) a[at] = _mm512_loadu_ps(rows[at] + column);
    for (int at = 0; at < LANES; at += 2) {
        b[at] = _mm512_unpacklo_ps(a[at], a[at + 1]);
        b[at + 1] = _mm512_unpackhi_ps(a[at], a[at + 1]);
    }
    for (int at = 0; at < LANES; at += 4)
        for (int half = 0; half < 2; half++) {
            __m512d first = _mm512_castps_pd(b[at + half]), second = _mm512_castps_pd(b[at + half + 2]);
            a[at + 2 * half] = _mm512_castpd_ps(_mm512_unpacklo_pd(first, second));
            a[at + 2 * half + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(first, second));
        }
    for (int at = 0; at < 4; at++) {
        __m512 low = _mm512_shuffle_f32x4(a[at], a[at + 4], 0x88), high = _mm512_shuffle_f32x4(a[at], a[at + 4], 0xDD);
        __m512 low_rest = _mm512_shuffle_f32x4(a[at + 8], a[at + 12], 0x88), high_rest = _mm512_shuffle_f32x4(a[at + 8], a[at + 12], 0xDD);
        _mm512_storeu_ps(cells + LANES * at, _mm512_shuffle_f32x4(low, low_rest, 0x88));
        _mm512_storeu_ps(cells + LANES * (at + 4), _mm512_shuffle_f32x4(high, high_rest, 0x88));
        _mm512_storeu_ps(cells + LANES * (at + 8), _mm512_shuffle_f32x4(low, low_rest, 0xDD));
        _mm512_storeu_ps(cells + LANES * (at + 12), _mm512_shuffle_f32x4(high, high_rest, 0xDD));
    }
}

/* The last columns are transposed again with those before them. */
static IN_TARGET void avx512_fill(const float *const *rows, int32_t width, float *cells) {
    if (width < LANES) {
        plain_fill(rows, width, cells);
        return;
    }
    for (int32_t first = 0; first < width; first += LANES) {
        int32_t column = first + LANES <= width ? first : width - LANES;
        avx512_transpose(rows, column, cells + (size_t)column * LANES);
    }
}

#define IN(name) avx512_##name
#include "forest_group.h"
#undef IN
#undef IN_TARGET
