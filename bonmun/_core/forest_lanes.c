#include "forest_open.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define FOREST_AVX
#endif

/* The leaves that each of LANES rows may still reach, a bit for each. `narrow` clears the bits outside `keep` in every lane that
 * is not below the threshold. */

/* The sums of LANES rows, in memory. */
typedef struct {
    double lane[LANES];
} plain_lane_sums;

static inline void plain_add_same(plain_lane_sums *sums, double same) {
    for (int lane = 0; lane < LANES; lane++) sums->lane[lane] += same;
}

static inline void plain_put_sums(const plain_lane_sums *sums, double *to) { memcpy(to, sums->lane, sizeof sums->lane); }

static inline void plain_take_sums(plain_lane_sums *sums, const double *from) { memcpy(sums->lane, from, sizeof sums->lane); }

#if defined(__GNUC__) /* without vector types, compilers do not vectorise these loops */
enum { PART = 4, PARTS = LANES / PART };
typedef float part_floats __attribute__((vector_size(16)));
typedef uint32_t part_words __attribute__((vector_size(16)));
typedef double part_doubles __attribute__((vector_size(16)));
typedef uint64_t part_longs __attribute__((vector_size(16)));

typedef struct {
    part_words part[PARTS];
} plain_lane_set;

static inline plain_lane_set plain_all_lanes(uint32_t leaves) {
    plain_lane_set lanes;
    for (int at = 0; at < PARTS; at++) lanes.part[at] = (part_words){0} + leaves;
    return lanes;
}

static inline void plain_narrow(plain_lane_set *lanes, const float *cells, float threshold, uint32_t keep) {
    for (int at = 0; at < PARTS; at++) {
        part_floats x;
        memcpy(&x, cells + PART * at, sizeof x);
        lanes->part[at] &= (part_words)(x < threshold) | keep;
    }
}

static inline void plain_add_leaves(const plain_lane_set *lanes, const float *leaf, plain_lane_sums *sums) {
    for (int lane = 0; lane < LANES; lane++) sums->lane[lane] += leaf[lowest_bit(lanes->part[lane / PART][lane % PART])];
}

static inline uint32_t plain_lane(const plain_lane_set *lanes, int lane) { return lanes->part[lane / PART][lane % PART]; }

/* Take the steps of a path in all lanes that reached its leaf. */
static inline void plain_take_path(const path_step *step, const path_step *stop, const uint32_t *reached, uint32_t leaf, double *sums) {
    part_longs takes[LANES / 2];
    for (int at = 0; at < LANES / 2; at++)
        takes[at] = (part_longs){reached[2 * at] == leaf ? UINT64_MAX : 0, reached[2 * at + 1] == leaf ? UINT64_MAX : 0};
    for (; step < stop; step++)
        for (int at = 0; at < LANES / 2; at++) {
            double *to = sums + step->cell + 2 * at;
            part_doubles sum, change = {step->change, step->change};
            memcpy(&sum, to, sizeof sum);
            sum += (part_doubles)((part_longs)change & takes[at]);
            memcpy(to, &sum, sizeof sum);
        }
}
#else
typedef struct {
    uint32_t lane[LANES];
} plain_lane_set;

static inline plain_lane_set plain_all_lanes(uint32_t leaves) {
    plain_lane_set lanes;
    for (int lane = 0; lane < LANES; lane++) lanes.lane[lane] = leaves;
    return lanes;
}

static inline void plain_narrow(plain_lane_set *lanes, const float *cells, float threshold, uint32_t keep) {
    for (int lane = 0; lane < LANES; lane++) lanes->lane[lane] &= cells[lane] < threshold ? UINT32_MAX : keep;
}

static inline void plain_add_leaves(const plain_lane_set *lanes, const float *leaf, plain_lane_sums *sums) {
    for (int lane = 0; lane < LANES; lane++) sums->lane[lane] += leaf[lowest_bit(lanes->lane[lane])];
}

static inline uint32_t plain_lane(const plain_lane_set *lanes, int lane) { return lanes->lane[lane]; }

static inline void plain_take_path(const path_step *step, const path_step *stop, const uint32_t *reached, uint32_t leaf, double *sums) {
    for (; step < stop; step++)
        for (int lane = 0; lane < LANES; lane++) sums[step->cell + (size_t)lane] += reached[lane] == leaf ? step->change : 0.0;
}
#endif

/* Write the lowest bit of each lane; all of them together. */
static inline uint32_t plain_reach(const plain_lane_set *lanes, uint32_t *reached) {
    uint32_t all = 0;
    for (int lane = 0; lane < LANES; lane++) {
        uint32_t bits = plain_lane(lanes, lane);
        reached[lane] = bits & (~bits + 1);
        all |= reached[lane];
    }
    return all;
}

/* A bit for each lane that reached a leaf. */
static inline uint32_t plain_lanes_at(const uint32_t *reached, uint32_t leaf) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < LANES; lane++) lanes |= (uint32_t)(reached[lane] == leaf) << lane;
    return lanes;
}

static bool plain_range(const row_list *list, int64_t first, int64_t stop, int32_t column, column_range *ranges) {
    static const float none[4];
    float low[RANGED], high[RANGED], unordered[4] = {0};
    memcpy(low, row_at(list, first) + column, sizeof low);
    memcpy(high, low, sizeof high);
    for (int64_t row = first; row < stop; row++) {
        const float *cells = row_at(list, row) + column;
        for (int at = 0; at < RANGED; at += 4) widen(cells + at, low + at, high + at, unordered);
    }
    for (int at = 0; at < RANGED; at++) ranges[column + at] = (column_range){low[at], high[at]};
    return !memcmp(unordered, none, sizeof none);
}

#define IN(name) plain_##name
#define IN_TARGET
#include "forest_group.h"
#undef IN
#undef IN_TARGET

#ifdef FOREST_AVX
#define IN_TARGET __attribute__((target("avx2")))

typedef struct {
    __m256i low, high; /* eight lanes each */
} avx2_lane_set;

static inline IN_TARGET avx2_lane_set avx2_all_lanes(uint32_t leaves) {
    __m256i all = _mm256_set1_epi32((int)leaves);
    return (avx2_lane_set){all, all};
}

static inline IN_TARGET void avx2_narrow(avx2_lane_set *lanes, const float *cells, float threshold, uint32_t keep) {
    __m256 limit = _mm256_set1_ps(threshold);
    __m256i others = _mm256_set1_epi32((int)keep);
    __m256i low = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(cells), limit, _CMP_LT_OQ));
    __m256i high = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(cells + 8), limit, _CMP_LT_OQ));
    lanes->low = _mm256_and_si256(lanes->low, _mm256_or_si256(low, others));
    lanes->high = _mm256_and_si256(lanes->high, _mm256_or_si256(high, others));
}

/* The number of the lowest bit of each lane: the exponent of that bit as a float. */
static inline IN_TARGET __m256i avx2_lowest_bits(__m256i lanes) {
    __m256i lowest = _mm256_and_si256(lanes, _mm256_sub_epi32(_mm256_setzero_si256(), lanes));
    __m256i exponent = _mm256_srli_epi32(_mm256_slli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(lowest)), 1), 24);
    return _mm256_sub_epi32(exponent, _mm256_set1_epi32(127));
}

/* The leaves with these numbers, of four tables of eight. */
static inline IN_TARGET __m256 avx2_leaves(const float *leaf, __m256i number) {
    __m256 first = _mm256_permutevar8x32_ps(_mm256_loadu_ps(leaf), number);
    __m256 second = _mm256_permutevar8x32_ps(_mm256_loadu_ps(leaf + 8), number);
    __m256 third = _mm256_permutevar8x32_ps(_mm256_loadu_ps(leaf + 16), number);
    __m256 fourth = _mm256_permutevar8x32_ps(_mm256_loadu_ps(leaf + 24), number);
    __m256 is_odd = _mm256_castsi256_ps(_mm256_slli_epi32(number, 28)), is_later = _mm256_castsi256_ps(_mm256_slli_epi32(number, 27));
    return _mm256_blendv_ps(_mm256_blendv_ps(first, second, is_odd), _mm256_blendv_ps(third, fourth, is_odd), is_later);
}

#define avx2_lane_sums plain_lane_sums
#define avx2_add_same plain_add_same
#define avx2_put_sums plain_put_sums
#define avx2_take_sums plain_take_sums

static inline IN_TARGET void avx2_add(__m256 eight, double *sums) {
    __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(eight)), high = _mm256_cvtps_pd(_mm256_extractf128_ps(eight, 1));
    _mm256_storeu_pd(sums, _mm256_add_pd(_mm256_loadu_pd(sums), low));
    _mm256_storeu_pd(sums + 4, _mm256_add_pd(_mm256_loadu_pd(sums + 4), high));
}

static inline IN_TARGET void avx2_add_leaves(const avx2_lane_set *lanes, const float *leaf, avx2_lane_sums *sums) {
    avx2_add(avx2_leaves(leaf, avx2_lowest_bits(lanes->low)), sums->lane);
    avx2_add(avx2_leaves(leaf, avx2_lowest_bits(lanes->high)), sums->lane + 8);
}

static inline IN_TARGET uint32_t avx2_reach(const avx2_lane_set *lanes, uint32_t *reached) {
    __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_and_si256(lanes->low, _mm256_sub_epi32(zero, lanes->low));
    __m256i high = _mm256_and_si256(lanes->high, _mm256_sub_epi32(zero, lanes->high));
    _mm256_storeu_si256((__m256i *)(void *)reached, low);
    _mm256_storeu_si256((__m256i *)(void *)(reached + 8), high);
    __m256i both = _mm256_or_si256(low, high);
    __m128i four = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    four = _mm_or_si128(four, _mm_unpackhi_epi64(four, four));
    uint64_t two = (uint64_t)_mm_cvtsi128_si64(four);
    return (uint32_t)(two | two >> 32);
}

static inline IN_TARGET uint32_t avx2_lanes_at(const uint32_t *reached, uint32_t leaf) {
    __m256i wanted = _mm256_set1_epi32((int)leaf);
    __m256i low = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(const void *)reached), wanted);
    __m256i high = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(reached + 8)), wanted);
    unsigned first = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(low));
    return first | (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(high)) << 8;
}

static inline IN_TARGET __m256d avx2_takes(const uint32_t *reached, uint32_t leaf) {
    __m128i four = _mm_loadu_si128((const __m128i *)(const void *)reached);
    return _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_cmpeq_epi32(four, _mm_set1_epi32((int)leaf))));
}

static inline IN_TARGET void avx2_take_path(const path_step *step, const path_step *stop, const uint32_t *reached, uint32_t leaf,
                                            double *sums) {
    __m256d first = avx2_takes(reached, leaf), second = avx2_takes(reached + 4, leaf);
    __m256d third = avx2_takes(reached + 8, leaf), fourth = avx2_takes(reached + 12, leaf);
    for (; step < stop; step++) {
        double *to = sums + step->cell;
        __m256d change = _mm256_set1_pd(step->change);
        _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), _mm256_and_pd(first, change)));
        _mm256_storeu_pd(to + 4, _mm256_add_pd(_mm256_loadu_pd(to + 4), _mm256_and_pd(second, change)));
        _mm256_storeu_pd(to + 8, _mm256_add_pd(_mm256_loadu_pd(to + 8), _mm256_and_pd(third, change)));
        _mm256_storeu_pd(to + 12, _mm256_add_pd(_mm256_loadu_pd(to + 12), _mm256_and_pd(fourth, change)));
    }
}

enum { EIGHTS = RANGED / 8 };

static IN_TARGET bool avx2_range(const row_list *list, int64_t first, int64_t stop, int32_t column, column_range *ranges) {
    __m256 low[EIGHTS], high[EIGHTS], unordered = _mm256_setzero_ps();
    for (int at = 0; at < EIGHTS; at++) low[at] = high[at] = _mm256_loadu_ps(row_at(list, first) + column + 8 * at);
    for (int64_t row = first; row < stop; row++) {
        const float *cells = row_at(list, row) + column;
        for (int at = 0; at < EIGHTS; at++) {
            __m256 x = _mm256_loadu_ps(cells + 8 * at);
            low[at] = _mm256_min_ps(x, low[at]);
            high[at] = _mm256_max_ps(x, high[at]);
            unordered = _mm256_or_ps(unordered, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
        }
    }
    float ends[2][RANGED];
    for (int at = 0; at < EIGHTS; at++) {
        _mm256_storeu_ps(ends[0] + 8 * at, low[at]);
        _mm256_storeu_ps(ends[1] + 8 * at, high[at]);
    }
    for (int at = 0; at < RANGED; at++) ranges[column + at] = (column_range){ends[0][at], ends[1][at]};
    return !_mm256_movemask_ps(unordered);
}

#define IN(name) avx2_##name
#include "forest_group.h"
#undef IN
#undef IN_TARGET

#include "forest_avx512.h"
#endif

const lane_operations *forest_lanes_here(void) {
    static const lane_operations plain = {plain_list, plain_fill, plain_sum_lanes, plain_move_lanes, plain_count_lanes, plain_range};
#ifdef FOREST_AVX
    static const lane_operations avx2 = {plain_list, plain_fill, avx2_sum_lanes, avx2_move_lanes, avx2_count_lanes, avx2_range};
    static const lane_operations avx512 = {avx512_list, avx512_fill, avx512_sum_lanes, avx512_move_lanes, avx512_count_lanes, avx512_range};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd")) return &avx512;
    if (__builtin_cpu_supports("avx2")) return &avx2;
#endif
    return &plain;
}
