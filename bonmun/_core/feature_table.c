#include "feature_table.h"

#include <stdlib.h>
#include <string.h>

#include "tags_table.h"

typedef struct {
    int32_t tags[TAG_COUNT], kinds[KIND_COUNT], inputs, longest;
} page_counts;

static void count_page(const measured *m, page_counts *c) {
    const feature_page *page = m->page;
    memset(c, 0, sizeof *c);
    for (int32_t row = 0; row < page->nodes.rows; row++) {
        int32_t tag = page->nodes.tag[row];
        if (tag < TAG_COUNT) c->tags[tag]++;
        c->inputs += (role_of_tag(m->rules, tag) & FEATURE_ROLE_INPUT) != 0;
    }
    for (int32_t block = 0; block < page->count; block++) {
        c->kinds[page->kind[block]]++;
        if (m->size[block] > c->longest) c->longest = m->size[block];
    }
}

_Static_assert(PAGE_COLUMNS == 28, "put_page and put_page_tags write all columns of the family");

static void put_page_tags(const int32_t *tags, float *row) {
    row[COLUMN_PAGE_H1] = magnitude(tags[TAG_H1]);
    row[COLUMN_PAGE_H2] = magnitude(tags[TAG_H2]);
    row[COLUMN_PAGE_H3] = magnitude(tags[TAG_H3]);
    row[COLUMN_PAGE_ARTICLE] = magnitude(tags[TAG_ARTICLE]);
    row[COLUMN_PAGE_MAIN] = magnitude(tags[TAG_MAIN]);
    row[COLUMN_PAGE_SECTION] = magnitude(tags[TAG_SECTION]);
    row[COLUMN_PAGE_TIME] = magnitude(tags[TAG_TIME]);
    row[COLUMN_PAGE_TABLE] = magnitude(tags[TAG_TABLE]);
    row[COLUMN_PAGE_FORM] = magnitude(tags[TAG_FORM]);
    row[COLUMN_PAGE_BLOCKQUOTE] = magnitude(tags[TAG_BLOCKQUOTE]);
    row[COLUMN_PAGE_IMG] = magnitude(tags[TAG_IMG]);
}

/* The page as a whole, the same for every block; whole.py. */
static void put_page(const measured *m, float *row) {
    page_counts c;
    count_page(m, &c);
    int32_t count = m->page->count;
    const block_sums *all = &m->before[count];
    row[COLUMN_PAGE_BLOCKS] = magnitude(count);
    row[COLUMN_PAGE_SIZE] = magnitude(m->total);
    row[COLUMN_PAGE_LINK] = (float)share(all->link, m->total);
    row[COLUMN_PAGE_LONG] = (float)share(m->total_running, m->total);
    row[COLUMN_PAGE_LONG_SIZE] = magnitude(m->total_running);
    row[COLUMN_PAGE_LONGEST] = magnitude(c.longest);
    row[COLUMN_PAGE_MEAN] = magnitude(share(m->total, count));
    row[COLUMN_PAGE_CURRENCIES] = magnitude((double)m->currencies);
    row[COLUMN_PAGE_DATES] = magnitude((double)m->dates);
    row[COLUMN_PAGE_YEARS] = magnitude((double)m->years);
    row[COLUMN_PAGE_MARKS] = (float)share(all->marks, m->total);
    row[COLUMN_PAGE_PARAGRAPHS] = (float)share(all->paragraphs, count);
    row[COLUMN_PAGE_ITEMS] = (float)share(c.kinds[KIND_ITEM], count);
    row[COLUMN_PAGE_CELLS] = (float)share(c.kinds[KIND_CELL], count);
    row[COLUMN_PAGE_HEADINGS] = (float)share(c.kinds[KIND_HEADING], count);
    row[COLUMN_PAGE_CODE] = magnitude(c.kinds[KIND_CODE]);
    row[COLUMN_PAGE_INPUTS] = magnitude(c.inputs);
    put_page_tags(c.tags, row);
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

static bool measure_all(feature_state *s) {
    s->m = (measured){.page = &s->page, .rules = &s->rules, .memory = &s->memory, .scratch = &s->scratch};
    if (!s->page.count) return true;
    if (!measure(&s->m) || !done(s, find_wordings(&s->m, &s->wording)) || !done(s, find_places(&s->m, &s->place)) ||
        !done(s, find_namings(&s->m, &s->naming)) || !done(s, find_surroundings(&s->m, &s->naming, &s->around))) return false;
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
        memcpy(row + FIRST_PAGE, s->of_page + FIRST_PAGE, PAGE_COLUMNS * sizeof *row);
        put_scores(s->wording.score, s->naming.score, s->place.heading[block], block, m->page->count, row);
    }
}

void features_free(feature_state *s) {
    if (!s) return;
    pool_free(&s->memory);
    pool_free(&s->scratch);
    free(s);
}
