/* Several nodes or rows of a forest at once: SSE2, which every x86-64 has, else plain C. */
#ifndef BONMUN_FOREST_LANES_H
#define BONMUN_FOREST_LANES_H

#include <string.h>

#include "forest_trees.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define FOREST_SSE2
#endif

enum { LANES = 16 /* rows that are evaluated side by side */, FOUR = 4 /* nodes or columns at once */ };

/* The least and the greatest value of a column in some rows. */
typedef struct {
    float low, high;
} column_range;

#ifdef FOREST_SSE2

static inline __m128 two_ranges(const column_range *ranges, int32_t first, int32_t second) {
    __m128 low_half = _mm_castpd_ps(_mm_load_sd((const double *)(const void *)&ranges[first]));
    return _mm_loadh_pi(low_half, (const __m64 *)(const void *)&ranges[second]);
}

/* A bit for each of FOUR nodes of a bundle that sends some rows of these ranges left and some right; the leaves that no row reaches after
 * the others are added to `lost`. */
static inline uint32_t undecided(const node_bundle *b, int at, const column_range *ranges, uint32_t *lost) {
    const int32_t *feature = b->feature + at;
    __m128 first = two_ranges(ranges, feature[0], feature[1]), second = two_ranges(ranges, feature[2], feature[3]);
    __m128 thresholds = _mm_loadu_ps(b->threshold + at);
    __m128 some_left = _mm_cmplt_ps(_mm_shuffle_ps(first, second, 0x88), thresholds);
    __m128 all_left = _mm_cmplt_ps(_mm_shuffle_ps(first, second, 0xDD), thresholds);
    __m128i left = _mm_loadu_si128((const __m128i *)(const void *)(b->left + at));
    __m128i right = _mm_loadu_si128((const __m128i *)(const void *)(b->right + at));
    __m128i gone = _mm_or_si128(_mm_andnot_si128(_mm_castps_si128(some_left), left), _mm_and_si128(_mm_castps_si128(all_left), right));
    __m128i all = _mm_or_si128(_mm_loadu_si128((const __m128i *)(const void *)lost), gone);
    _mm_storeu_si128((__m128i *)(void *)lost, all);
    return (uint32_t)_mm_movemask_ps(_mm_andnot_ps(all_left, some_left));
}

/* Add a row to the ranges of four columns. `unordered` becomes non-zero if a cell is no number. */
static inline void widen(const float *cells, float *low, float *high, float *unordered) {
    __m128 x = _mm_loadu_ps(cells);
    _mm_storeu_ps(low, _mm_min_ps(x, _mm_loadu_ps(low)));
    _mm_storeu_ps(high, _mm_max_ps(x, _mm_loadu_ps(high)));
    _mm_storeu_ps(unordered, _mm_or_ps(_mm_loadu_ps(unordered), _mm_cmpunord_ps(x, x)));
}

/* Four columns of LANES rows, the cells of each side by side. */
static inline void transpose(const float *const *rows, int32_t column, float *cells) {
    for (int lane = 0; lane < LANES; lane += 4) {
        __m128 a = _mm_loadu_ps(rows[lane] + column), b = _mm_loadu_ps(rows[lane + 1] + column);
        __m128 c = _mm_loadu_ps(rows[lane + 2] + column), d = _mm_loadu_ps(rows[lane + 3] + column);
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(cells + lane, a);
        _mm_storeu_ps(cells + LANES + lane, b);
        _mm_storeu_ps(cells + 2 * LANES + lane, c);
        _mm_storeu_ps(cells + 3 * LANES + lane, d);
    }
}

#else

static inline uint32_t undecided(const node_bundle *b, int first, const column_range *ranges, uint32_t *lost) {
    uint32_t found = 0;
    for (int at = 0; at < FOUR; at++) {
        int node = first + at;
        column_range range = ranges[b->feature[node]];
        bool some_left = range.low < b->threshold[node], all_left = range.high < b->threshold[node];
        lost[at] |= some_left ? all_left ? b->right[node] : 0 : b->left[node];
        found |= (uint32_t)(some_left && !all_left) << at;
    }
    return found;
}

static inline void widen(const float *cells, float *low, float *high, float *unordered) {
    for (int at = 0; at < 4; at++) {
        low[at] = cells[at] < low[at] ? cells[at] : low[at];
        high[at] = cells[at] > high[at] ? cells[at] : high[at];
        if (cells[at] != cells[at]) unordered[at] = 1;
    }
}

static inline void transpose(const float *const *rows, int32_t column, float *cells) {
    for (int at = 0; at < 4; at++)
        for (int lane = 0; lane < LANES; lane++) cells[at * LANES + lane] = rows[lane][column + at];
}

#endif

#endif
