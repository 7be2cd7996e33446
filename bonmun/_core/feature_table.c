#include "feature_table.h"

#include <string.h>

#include "tags_table.h"

/* What is said of the page as a whole; whole.py. */
void put_whole(const measured *m, float *to) {
    static const int32_t counted[] = {TAG_H1, TAG_H2, TAG_H3, TAG_ARTICLE, TAG_MAIN, TAG_SECTION, TAG_TIME, TAG_TABLE,
                                      TAG_FORM, TAG_BLOCKQUOTE, TAG_IMG};
    const feature_page *page = m->page;
    int32_t tags[TAG_COUNT] = {0}, kinds[KIND_IMAGE + 1] = {0}, inputs = 0, longest = 0, count = page->count;
    int64_t currencies = 0, dates = 0, years = 0;
    for (int32_t row = 0; row < page->nodes.rows; row++) {
        int32_t tag = page->nodes.tag[row];
        if (tag < TAG_COUNT) tags[tag]++;
        inputs += (role_of_tag(m->rules, tag) & TAG_INPUTS) != 0;
    }
    for (int32_t at = 0; at < count; at++) {
        kinds[page->kind[at]]++;
        currencies += m->counts[at].currencies;
        dates += m->counts[at].dates;
        years += m->counts[at].years;
        if (m->counts[at].size > longest) longest = m->counts[at].size;
    }
    const block_sums *all = &m->before[count];
    *to++ = magnitude(count);
    *to++ = magnitude(m->total);
    *to++ = (float)share(all->link, m->total);
    *to++ = (float)share(m->total_running, m->total);
    *to++ = magnitude(m->total_running);
    *to++ = magnitude(longest);
    *to++ = magnitude(share(m->total, count));
    *to++ = magnitude((double)currencies);
    *to++ = magnitude((double)dates);
    *to++ = magnitude((double)years);
    *to++ = (float)share(all->marks, m->total);
    *to++ = (float)share(all->paragraphs, count);
    *to++ = (float)share(kinds[KIND_ITEM], count);
    *to++ = (float)share(kinds[KIND_CELL], count);
    *to++ = (float)share(kinds[KIND_HEADING], count);
    *to++ = magnitude(kinds[KIND_CODE]);
    *to++ = magnitude(inputs);
    for (size_t at = 0; at < sizeof counted / sizeof *counted; at++) *to++ = magnitude(tags[counted[at]]);
}

/* What the words of a block, of its heading and of its neighbours speak for. */
static float *put_scores(const double *terms, const double *names, int32_t heading, int32_t at, int32_t count, float *to) {
    *to++ = (float)terms[at];
    *to++ = (float)names[at];
    *to++ = (float)terms[heading];
    *to++ = (float)names[heading];
    *to++ = at ? (float)terms[at - 1] : 0;
    *to++ = at + 1 < count ? (float)terms[at + 1] : 0;
    return to;
}

static bool fill(measured *m, float *table) {
    wordings wording;
    places place;
    surroundings around;
    namings naming;
    float whole[PAGE_FEATURES];
    if (!measure(m) || !find_wordings(m, &wording) || !find_places(m, &place) || !find_surroundings(m, &around) ||
        !find_namings(m, &naming)) return false;
    put_whole(m, whole);
    float *to = table;
    for (int32_t at = 0; at < m->page->count; at++) {
        to = put_wording(m, &wording, at, to);
        to = put_kind(m, &place, at, to);
        to = put_place(m, &place, at, to);
        to = put_neighbours(m, at, to);
        to = put_section(m, &place, at, to);
        to = put_containers(m, &around, at, to);
        to = put_groups(&around, at, to);
        to = put_naming(m, &naming, at, to);
        memcpy(to, whole, sizeof whole);
        to = put_scores(wording.score, naming.score, place.heading[at], at, m->page->count, to + PAGE_FEATURES);
    }
    return true;
}

int features(const feature_page *page, const feature_rules *rules, float *table) {
    if (!page->count) return 0;
    pool memory = {NULL, false};
    measured m = {.page = page, .rules = rules, .memory = &memory};
    bool well = fill(&m, table);
    pool_free(&memory);
    return well ? 0 : -1;
}
