#include "feature_table.h"

#include <string.h>

#include "tags_table.h"

typedef struct {
    int32_t tags[TAG_COUNT], kinds[KIND_COUNT], inputs, longest;
    int64_t currencies, dates, years;
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
        c->currencies += m->counts[block].currencies;
        c->dates += m->counts[block].dates;
        c->years += m->counts[block].years;
        if (m->counts[block].size > c->longest) c->longest = m->counts[block].size;
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
    row[COLUMN_PAGE_CURRENCIES] = magnitude((double)c.currencies);
    row[COLUMN_PAGE_DATES] = magnitude((double)c.dates);
    row[COLUMN_PAGE_YEARS] = magnitude((double)c.years);
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
               "fill writes all families");

static bool fill(measured *m, float *table) {
    wordings wording;
    places place;
    surroundings around;
    namings naming;
    float page[COLUMN_COUNT]; /* a row of which only the family `page` is set */
    if (!measure(m) || !find_wordings(m, &wording) || !find_places(m, &place) || !find_surroundings(m, &around) ||
        !find_namings(m, &naming)) return false;
    put_page(m, page);
    float *row = table;
    for (int32_t block = 0; block < m->page->count; block++, row += COLUMN_COUNT) {
        put_wording(m, &wording, block, row);
        put_kind(m, &place, block, row);
        put_place(m, &place, block, row);
        put_windows(m, block, row);
        put_neighbours(m, block, row);
        put_section(m, &place, block, row);
        put_containers(m, &around, block, row);
        put_core(m, &around, block, row);
        put_groups(&around, block, row);
        put_naming(m, &naming, block, row);
        memcpy(row + FIRST_PAGE, page + FIRST_PAGE, PAGE_COLUMNS * sizeof *row);
        put_scores(wording.score, naming.score, place.heading[block], block, m->page->count, row);
    }
    return true;
}

int features(const feature_page *page, const feature_rules *rules, float *table) {
    if (!page->count) return 0;
    pool memory = {NULL, false};
    measured m = {.page = page, .rules = rules, .memory = &memory};
    bool ok = fill(&m, table);
    pool_free(&memory);
    return ok ? 0 : -1;
}
