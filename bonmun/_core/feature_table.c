#include "feature_table.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t kinds[KIND_COUNT], longest;
} page_counts;

static void count_page(const measured *m, page_counts *c) {
    const feature_page *page = m->page;
    memset(c, 0, sizeof *c);
    for (int32_t block = 0; block < page->count; block++) {
        c->kinds[page->kind[block]]++;
        if (m->size[block] > c->longest) c->longest = m->size[block];
    }
}

_Static_assert(PAGE_COLUMNS == 28, "put_page and put_page_tags write all columns of the family");

static void put_page_tags(const int32_t *tags, float *row) {
    row[COLUMN_PAGE_H1] = magnitude_of(tags[TAG_H1]);
    row[COLUMN_PAGE_H2] = magnitude_of(tags[TAG_H2]);
    row[COLUMN_PAGE_H3] = magnitude_of(tags[TAG_H3]);
    row[COLUMN_PAGE_ARTICLE] = magnitude_of(tags[TAG_ARTICLE]);
    row[COLUMN_PAGE_MAIN] = magnitude_of(tags[TAG_MAIN]);
    row[COLUMN_PAGE_SECTION] = magnitude_of(tags[TAG_SECTION]);
    row[COLUMN_PAGE_TIME] = magnitude_of(tags[TAG_TIME]);
    row[COLUMN_PAGE_TABLE] = magnitude_of(tags[TAG_TABLE]);
    row[COLUMN_PAGE_FORM] = magnitude_of(tags[TAG_FORM]);
    row[COLUMN_PAGE_BLOCKQUOTE] = magnitude_of(tags[TAG_BLOCKQUOTE]);
    row[COLUMN_PAGE_IMG] = magnitude_of(tags[TAG_IMG]);
}

/* The page as a whole, the same for every block; whole.py. */
static void put_page(const measured *m, float *row) {
    page_counts c;
    count_page(m, &c);
    int32_t count = m->page->count;
    const block_sums *all = &m->before[count];
    row[COLUMN_PAGE_BLOCKS] = magnitude_of(count);
    row[COLUMN_PAGE_SIZE] = magnitude(m->total);
    row[COLUMN_PAGE_LINK] = (float)share(all->link, m->total);
    row[COLUMN_PAGE_LONG] = (float)share(m->total_running, m->total);
    row[COLUMN_PAGE_LONG_SIZE] = magnitude(m->total_running);
    row[COLUMN_PAGE_LONGEST] = magnitude_of(c.longest);
    row[COLUMN_PAGE_MEAN] = magnitude(share(m->total, count));
    row[COLUMN_PAGE_CURRENCIES] = magnitude((double)m->currencies);
    row[COLUMN_PAGE_DATES] = magnitude((double)m->dates);
    row[COLUMN_PAGE_YEARS] = magnitude((double)m->years);
    row[COLUMN_PAGE_MARKS] = (float)share(all->marks, m->total);
    row[COLUMN_PAGE_PARAGRAPHS] = (float)share(all->paragraphs, count);
    row[COLUMN_PAGE_ITEMS] = (float)share(c.kinds[KIND_ITEM], count);
    row[COLUMN_PAGE_CELLS] = (float)share(c.kinds[KIND_CELL], count);
    row[COLUMN_PAGE_HEADINGS] = (float)share(c.kinds[KIND_HEADING], count);
    row[COLUMN_PAGE_CODE] = magnitude_of(c.kinds[KIND_CODE]);
    row[COLUMN_PAGE_INPUTS] = magnitude_of(m->inputs);
    put_page_tags(m->tags, row);
}

_Static_assert(SCORE_COLUMNS == 6, "put_scores writes all columns of the family");

/* Linear scores of the words of a block, of its heading and of its neighbours. */
static void put_scores(const double *terms, const double *names, int32_t heading, int32_t block, int32_t count, float *row) {
    row[COLUMN_TERM_SCORE] = (float)terms[block];
    row[COLUMN_NAME_SCORE] = (float)names[block];
    row[COLUMN_HEADING_TERM_SCORE] = (float)terms[heading];
    row[COLUMN_HEADING_NAME_SCORE] = (float)names[heading];
    row[COLUMN_TERM_SCORE_MINUS_1] = block ? (float)terms[block - 1] : 0;
    row[COLUMN_TERM_SCORE_PLUS_1] = block + 1 < count ? (float)terms[block + 1] : 0;
}

_Static_assert(COLUMN_COUNT == WORDING_COLUMNS + KIND_COLUMNS + PLACE_COLUMNS + WINDOWS * WINDOW_COLUMNS +
                                   NEIGHBOURS * NEIGHBOUR_COLUMNS + SECTION_COLUMNS + CONTAINERS * CONTAINER_COLUMNS +
                                   CORE_COLUMNS + GROUPS * GROUP_COLUMNS + CONCEPT_COLUMNS + LANDMARK_COLUMNS +
                                   PAGE_COLUMNS + SCORE_COLUMNS,
               "features_put writes all families");

struct feature_state {
    feature_page page;
    feature_rules rules;
    pool memory, scratch;
    measured m;
    double *term_score; /* by block */
    wordings wording;
    places place;
    surroundings around;
    namings naming;
    float of_page[COLUMN_COUNT]; /* a row of which only the family `page` is set */
};

/* Free the arrays of one family; its result passes through. */
static bool done(feature_state *s, bool ok) {
    pool_free(&s->scratch);
    return ok;
}

/* What comes from the texts of the blocks: the terms are not needed afterwards. */
static bool measure_texts(feature_state *s) {
    s->term_score = pool_take(&s->memory, (size_t)s->page.count, sizeof *s->term_score);
    block_texts texts = {.score = s->term_score};
    bool ok = s->term_score && measure(&s->m, &texts);
    close_texts(&texts);
    return done(s, ok && find_wordings(&s->m, &texts, &s->wording));
}

static bool measure_all(feature_state *s) {
    s->m = (measured){.page = &s->page, .rules = &s->rules, .memory = &s->memory, .scratch = &s->scratch};
    if (!s->page.count) return true;
    if (!measure_texts(s) || !done(s, find_places(&s->m, &s->place)) || !done(s, find_namings(&s->m, &s->naming)) ||
        !done(s, find_surroundings(&s->m, &s->naming, &s->around))) return false;
    put_page(&s->m, s->of_page);
    return true;
}

feature_state *features_measure(const feature_page *page, const feature_rules *rules) {
    feature_state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->page = *page;
    s->rules = *rules;
    if (measure_all(s)) return s;
    features_free(s);
    return NULL;
}

int32_t features_count(const feature_state *s) { return s->page.count; }

const feature_page *features_page(const feature_state *s) { return &s->page; }

const feature_rules *features_rules(const feature_state *s) { return &s->rules; }

void features_put(feature_state *s, int32_t first, int32_t stop, float *table) {
    const measured *m = &s->m;
    float *row = table;
    for (int32_t block = first; block < stop; block++, row += COLUMN_COUNT) {
        put_wording(m, &s->wording, block, row);
        put_kind(m, &s->place, block, row);
        put_place(m, &s->place, block, row);
        put_windows(m, block, row);
        put_neighbours(m, block, row);
        put_section(m, &s->place, block, row);
        put_containers(m, &s->around, block, row);
        put_core(m, &s->around, block, row);
        put_groups(&s->around, block, row);
        put_naming(m, &s->naming, block, row);
        memcpy(row + FIRST_PAGE, s->of_page + FIRST_PAGE, WHOLE_COLUMNS * sizeof *row);
        put_scores(s->term_score, s->naming.score, s->place.heading[block], block, m->page->count, row);
    }
}

void features_free(feature_state *s) {
    if (!s) return;
    pool_free(&s->memory);
    pool_free(&s->scratch);
    free(s);
}
