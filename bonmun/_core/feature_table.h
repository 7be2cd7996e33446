/* What the learned method decides by: one row of numbers for each block. bonmun/features is the twin, file by file: what
 * the columns mean stands there, and they are written here in the same order. */
#ifndef BONMUN_FEATURE_TABLE_H
#define BONMUN_FEATURE_TABLE_H

#include <math.h>

#include "characters.h"
#include "pool.h"
#include "segment.h"

enum {
    CONCEPTS = 30, LANDMARKS = 14,
    WORDING_FEATURES = 13, REPETITION_FEATURES = 8, KIND_FEATURES = 15, PLACE_FEATURES = 20, NEIGHBOUR_FEATURES = 12,
    SECTION_FEATURES = 7, CONTAINER_FEATURES = 7 * 12 + 5, GROUP_FEATURES = 3 * 6, NAMING_FEATURES = CONCEPTS + LANDMARKS,
    PAGE_FEATURES = 28, SCORE_FEATURES = 6,
    FEATURES = WORDING_FEATURES + REPETITION_FEATURES + KIND_FEATURES + PLACE_FEATURES + NEIGHBOUR_FEATURES +
               SECTION_FEATURES + CONTAINER_FEATURES + GROUP_FEATURES + NAMING_FEATURES + PAGE_FEATURES + SCORE_FEATURES
};

/* What a tag means here, one byte a tag: the number of its landmark and one, and these. */
enum { TAG_LANDMARK = 15, TAG_FLOW = 16, TAG_HEADING = 32, TAG_INPUTS = 64 };

/* Attributes whose words say what an element is called; -1: not on this page. */
enum { NAMED_BY_CLASS, NAMED_BY_OTHERS, NAMING_ATTRIBUTES = 5 };

typedef struct {
    uint32_t hash, concepts; /* no concepts: a free slot */
} concept_slot;

typedef struct {
    const uint8_t *roles;
    int32_t known_tags;
    const int32_t *naming;
    const concept_slot *concepts; /* by hash, open addressing; never full */
    uint32_t concept_mask;
    const float *term_weights; /* TERM_BUCKETS */
    const float *name_weights; /* three times as many: of near, further and far elements */
} feature_rules;

typedef struct {
    node_view nodes;
    const int32_t *depth;
    const int32_t *kind, *level, *element, *first, *stop, *link_chars, *flags, *chars, *text_start, *text_stop;
    const uint8_t *text;
    int32_t count;
} feature_page;

/* Sums over the blocks before one. */
typedef struct {
    double size, link, running; /* of what is shown: sizes, and those of links and of running text */
    int32_t marks, headings, paragraphs, images;
} block_sums;

/* A page and what is counted on it once; measured.py. */
typedef struct {
    const feature_page *page;
    const feature_rules *rules;
    pool *memory;
    text_counts *counts;
    double *link_share;
    int32_t *running; /* a block's size where it is running text */
    block_sums *before;
    int32_t *blocks_before, *elements_before; /* each row */
    int32_t *region; /* of each row the nearest element around that is no part of running text */
    double total, total_running;
} measured;

bool measure(measured *m);
block_sums sums_between(const measured *m, int32_t start, int32_t stop);

/* Of each family: what is found out once, and the features of one block. False: no memory. */
typedef struct {
    int32_t *times, *times_but_digits;
    int32_t *before;              /* blocks before with the same text */
    float *copy_run, *copied_run; /* sizes of runs of blocks that stand before or behind as well */
    float *shares; /* of title and running text, three a block */
    double *score; /* of the terms */
} wordings;

bool find_wordings(const measured *m, wordings *found);
float *put_wording(const measured *m, const wordings *found, int32_t at, float *to);

typedef struct {
    int32_t *children; /* of each row, one further: those of nothing, the root, come first */
    int32_t *alike;    /* of each row the number of its parent and tag */
    int32_t *alike_count;
    int32_t first_title, last_title, first_running; /* blocks; -1: none */
    int32_t *since_running, *until_running;
    int32_t *heading, *section_stop; /* of each block the one that heads it, and where that section ends */
} places;

bool find_places(const measured *m, places *found);
float *put_kind(const measured *m, const places *found, int32_t at, float *to);
float *put_place(const measured *m, const places *found, int32_t at, float *to);
float *put_neighbours(const measured *m, int32_t at, float *to);
float *put_section(const measured *m, const places *found, int32_t at, float *to);

enum { CONTAINER_FIGURES = 11, GROUP_FIGURES = 6, GROUPINGS = 3, CLIMBS = 3 };

typedef struct {
    float figures[CONTAINER_FIGURES];
    int32_t start, stop; /* its blocks */
} container;

typedef struct {
    container *containers;
    int32_t *known; /* of each row its container's number and one; 0: not looked at yet */
    int32_t known_count;
    int32_t *enough[CLIMBS]; /* of each row the nearest element that holds enough */
    int32_t core;
    int32_t *group[GROUPINGS]; /* of each block */
    float *group_figures[GROUPINGS];
} surroundings;

bool find_surroundings(const measured *m, surroundings *found);
float *put_containers(const measured *m, surroundings *found, int32_t at, float *to);
float *put_groups(const surroundings *found, int32_t at, float *to);

enum { NAME_RANGES = 3 };

typedef struct {
    uint64_t called; /* a bit for each concept, then one for each landmark */
    double score[NAME_RANGES];
    int32_t words;
} element_names;

typedef struct {
    element_names *elements;
    int32_t *known; /* as in surroundings */
    int32_t known_count;
    double *score; /* of each block */
} namings;

bool find_namings(const measured *m, namings *found);
float *put_naming(const measured *m, const namings *found, int32_t at, float *to);

void put_whole(const measured *m, float *to);

/* The table of a page, FEATURES numbers a block; -1: no memory. */
int features(const feature_page *page, const feature_rules *rules, float *table);

static inline uint8_t role_of_tag(const feature_rules *rules, int32_t tag) {
    return tag < rules->known_tags ? rules->roles[tag] : 0;
}

/* The parent; the root is its own. */
static inline int32_t above(const measured *m, int32_t row) {
    int32_t parent = m->page->nodes.parent[row];
    return parent < 0 ? 0 : parent;
}

static inline int32_t tag_of_block(const measured *m, int32_t at) { return m->page->nodes.tag[m->page->element[at]]; }

static inline const uint8_t *block_text(const feature_page *page, int32_t at, int32_t *length) {
    *length = page->text_stop[at] - page->text_start[at];
    return page->text + page->text_start[at];
}

static inline const uint8_t *node_bytes(const node_view *nodes, int32_t offset) {
    return offset < nodes->buffer_length ? nodes->buffer + offset : nodes->spill + (offset - nodes->buffer_length);
}

/* Sizes differ by magnitudes. */
static inline float magnitude(double number) { return (float)log2(1 + number); }

/* A part of nothing is nothing. */
static inline double share(double part, double whole) { return whole != 0 ? part / whole : 0; }

static inline int32_t at_most(int32_t number, int32_t most) { return number < most ? number : most; }

static inline int32_t within(int32_t number, int32_t least, int32_t most) {
    return number < least ? least : at_most(number, most);
}

#endif
