/* The feature table that the learned method judges by: one row of floats per block.
 *
 * bonmun/features is the Python twin, file by file, and documents the columns. Each family of columns is written by one
 * function, each cell by the name of its column (feature_columns_table.h, generated from bonmun/features/columns.py). The
 * assertion beside each function fails when a family gets or loses a column, until the function is changed with it. */
#ifndef BONMUN_FEATURE_TABLE_H
#define BONMUN_FEATURE_TABLE_H

#include <math.h>

#include "characters.h"
#include "constants_table.h"
#include "digests.h"
#include "feature_columns_table.h"
#include "pool.h"
#include "prefetch.h"
#include "segment.h"
#include "tags_table.h"
#include "terms.h"

typedef struct {
    uint32_t hash, concepts; /* concepts 0: a free slot */
} concept_slot;

typedef struct {
    const uint8_t *roles; /* by tag: FEATURE_ROLE_… */
    int32_t known_tags;
    const int32_t *naming;        /* numbers of the NAMING_ATTRIBUTES on this page; -1: no element has it */
    const concept_slot *concepts; /* hash table, open addressing; never full */
    uint32_t concept_mask;
    const float *term_weights; /* TERM_BUCKETS */
    const float *name_weights; /* NAME_RANGES times as many: of near, further and far elements */
} feature_rules;

typedef struct {
    node_view nodes;
    const int32_t *depth;
    const int32_t *kind, *level, *element, *first, *stop, *link_chars, *flags, *chars, *text_start, *text_stop;
    const uint8_t *text;
    int32_t text_length;
    int32_t count;
} feature_page;

/* Sums over a run of blocks. */
typedef struct {
    double link;           /* of visible blocks: size of link text */
    int32_t size, running; /* of visible blocks: size, size of running text */
    int32_t marks, headings, paragraphs, images;
} block_sums;

/* A page and the counts that several families use; the twin of the class Measured. */
typedef struct {
    const feature_page *page;
    const feature_rules *rules;
    pool *memory, *scratch; /* arrays that stay, and those of one family, freed after it */
    text_counts *counts;    /* NULL on a page of more than MOST_COUNTED blocks: counted again for each row */
    text_bits bits;         /* room for those of a block */
    int32_t longest;        /* the length of the longest text */
    int32_t *size;
    double *link_share;
    int32_t *running;   /* by block: its size if it is running text, else 0 */
    block_sums *before; /* by block: sums over the blocks before it */
    int32_t *blocks_before, *elements_before; /* by row */
    int32_t *region; /* by row: the nearest ancestor or self that is no part of running text */
    uint64_t *path;  /* by row: the digest of its tag path; a text has its parent's */
    int32_t tags[TAG_COUNT], inputs; /* how many rows have each tag, and are inputs */
    int32_t last_tag;                /* the highest number of a tag */
    double total, total_running;
    int64_t currencies, dates, years; /* of the page */
} measured;

enum { MOST_COUNTED = 4096, SMALL_MAGNITUDES = 2048 };

extern const float small_magnitudes[SMALL_MAGNITUDES];

/* The first terms of some blocks. */
typedef struct {
    uint16_t single[MOST_LANES], pair[MOST_LANES]; /* hash buckets, of a term and of it and the one before */
    int32_t block[MOST_LANES], stop[MOST_LANES];   /* each block with the end of its terms */
    int32_t blocks;
} scored_terms;

/* The texts of all blocks, each read once: terms as numbers, those of the title first, and digests. */
typedef struct {
    digests numbers;
    int32_t *term, *first; /* a block has term[first[block]] … term[first[block + 1]] */
    int32_t in_title;      /* lower numbers are terms of the title */
    int32_t *start, *stop; /* room for the terms of a part of a text */
    term_lanes lanes; /* the first terms of some blocks */
    scored_terms scored[2];
    int now;          /* of these, those in the lanes; the others are hashed */
    uint64_t *exact, *but_digits; /* digests of the texts in lower case; and with every number replaced */
    double *score;                /* of the terms, by block */
} block_texts;

bool open_texts(const measured *m, block_texts *t); /* reads the title; `score` is set */
bool read_text(const measured *m, block_texts *t, int32_t block, text_counts *counts); /* block after block */
void score_last_texts(const measured *m, block_texts *t); /* after the last block */
void close_texts(block_texts *t);
bool make_bits(pool *p, int32_t length, text_bits *bits);

bool measure(measured *m, block_texts *t);
text_counts counts_of(const measured *m, int32_t block);

static inline block_sums sums_between(const measured *m, int32_t start, int32_t stop) {
    const block_sums *from = &m->before[start], *to = &m->before[stop];
    return (block_sums){to->link - from->link, to->size - from->size, to->running - from->running, to->marks - from->marks,
                        to->headings - from->headings, to->paragraphs - from->paragraphs, to->images - from->images};
}

/* Each family: `find_…` computes once per page, false if memory ran out; `put_…` writes the cells of one block. */
typedef struct {
    int32_t *times, *times_but_digits;
    int32_t *before;              /* earlier blocks with the same text */
    float *copy_run, *copied_run; /* sizes of runs of blocks that are repeated earlier, or later */
    float *title_share, *of_title, *known_share;
} wordings;

bool find_wordings(const measured *m, const block_texts *t, wordings *w);
void put_wording(const measured *m, const wordings *w, int32_t block, float *row);

typedef struct {
    int32_t *children; /* by row + 1, of parents near blocks; the root is the child of row -1 */
    int32_t *alike;    /* by row: children of its parent with the same tag; of elements only */
    int32_t first_title, last_title, first_running; /* blocks; -1: none */
    int32_t *since_running, *until_running;
    int32_t *heading, *section_stop; /* by block: the heading above it, and the end of that section */
} places;

bool find_places(const measured *m, places *p);
void put_kind(const measured *m, const places *p, int32_t block, float *row);
void put_place(const measured *m, const places *p, int32_t block, float *row);
void put_windows(const measured *m, int32_t block, float *row);
void put_neighbours(const measured *m, int32_t block, float *row);
void put_section(const measured *m, const places *p, int32_t block, float *row);

typedef struct {
    uint64_t called; /* one bit per concept, then one per landmark */
    double score[NAME_RANGES];
    int32_t words;
} element_names;

enum { DISTANCES = (CONCEPT_COLUMNS + LANDMARK_COLUMNS + 15) / 16 * 16 };

typedef struct {
    element_names *elements;
    int32_t *known; /* by row: index in `elements` + 1; 0: not read yet. The first is that of elements without names */
    int32_t known_count;
    uint64_t *class; /* by row: the digest of its class; 0: not known */
    double *score;   /* by block */
    int32_t *distance; /* by row: index in `distances`; 0: far from everything */
    uint8_t (*distances)[DISTANCES];
} namings;

bool find_namings(const measured *m, namings *n);
void put_naming(const measured *m, const namings *n, int32_t block, float *row);

enum { CLIMBS = 3 };

typedef struct {
    float cells[CONTAINER_COLUMNS]; /* all but CONTAINER_PLACE, which differs by block */
    int32_t start, stop;            /* its blocks */
} container;

typedef struct {
    container *containers;
    int32_t *known; /* by row: index in `containers` + 1; 0: not computed yet */
    int32_t known_count;
    int32_t *enough[CLIMBS]; /* by block: levels up to the nearest element that holds enough */
    int32_t core;
    int32_t *group[GROUPS]; /* by block: number of its group */
    float *group_cells[GROUPS];
} surroundings;

bool find_surroundings(const measured *m, const namings *n, surroundings *s);
void put_containers(const measured *m, surroundings *s, int32_t block, float *row);
void put_core(const measured *m, const surroundings *s, int32_t block, float *row);
void put_groups(const surroundings *s, int32_t block, float *row);


/* A page measured as a whole. Rows are written from it a tile at a time: the table of a page with many blocks would be
   far larger than the page. It points into the page and the rules, which have to stay. */
typedef struct feature_state feature_state;

feature_state *features_measure(const feature_page *page, const feature_rules *rules); /* NULL: no memory */
int32_t features_count(const feature_state *state);
const feature_page *features_page(const feature_state *state);
const feature_rules *features_rules(const feature_state *state);
/* The rows of some blocks, COLUMN_COUNT floats each. */
void features_put(feature_state *state, int32_t first, int32_t stop, float *table);
void features_free(feature_state *state);

static inline uint8_t role_of_tag(const feature_rules *rules, int32_t tag) {
    return tag < rules->known_tags ? rules->roles[tag] : 0;
}

/* The parent; the root is its own parent. */
static inline int32_t above(const measured *m, int32_t row) {
    int32_t parent = m->page->nodes.parent[row];
    return parent < 0 ? 0 : parent;
}

static inline bool no_memory(const measured *m) { return m->memory->failed || m->scratch->failed; }

static inline int32_t tag_of_block(const measured *m, int32_t block) { return m->page->nodes.tag[m->page->element[block]]; }

static inline const uint8_t *block_text(const feature_page *page, int32_t block, int32_t *length) {
    *length = page->text_stop[block] - page->text_start[block];
    return page->text + page->text_start[block];
}

static inline const uint8_t *node_bytes(const node_view *nodes, int32_t offset) {
    return offset < nodes->buffer_length ? nodes->buffer + offset : nodes->spill + (offset - nodes->buffer_length);
}

/* How many bytes can be read from an offset on, up to `stop` at least. */
static inline int32_t readable_at(const node_view *nodes, int32_t offset, int32_t stop) {
    return (offset < nodes->buffer_length ? nodes->buffer_length : stop) - offset;
}

/* Sizes differ by orders of magnitude: their logarithm. */
static inline float magnitude(double number) { return (float)log2(1 + number); }

static inline float magnitude_of(int32_t number) {
    return (uint32_t)number < SMALL_MAGNITUDES ? small_magnitudes[number] : magnitude(number);
}

/* 0 if the whole is 0. */
static inline double share(double part, double whole) { return whole != 0 ? part / whole : 0; }

/* The magnitude of a mean. */
static inline float magnitude_of_mean(int32_t sum, int32_t count) {
    return count == 1 ? magnitude_of(sum) : magnitude(share(sum, count));
}

static inline int32_t at_most(int32_t number, int32_t most) { return number < most ? number : most; }

static inline int32_t within(int32_t number, int32_t least, int32_t most) {
    return number < least ? least : at_most(number, most);
}

#endif
