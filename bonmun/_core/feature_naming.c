#include "feature_table.h"
#include "terms.h"
#include "word64.h"

_Static_assert(CONCEPT_COLUMNS <= 32 && CONCEPT_COLUMNS + LANDMARK_COLUMNS <= 64, "one bit per concept and landmark");
_Static_assert((int)LANDMARK_COLUMNS <= (int)FEATURE_ROLE_LANDMARK, "a tag's role holds its landmark + 1");
_Static_assert(FIRST_LANDMARK == FIRST_CONCEPT + CONCEPT_COLUMNS, "a bit of `called` is an offset from FIRST_CONCEPT");
_Static_assert(NAME_RANGES == 3, "score_names knows near, further and far");

static uint32_t concepts_of(const feature_rules *rules, uint32_t hash) {
    for (uint32_t at = hash & rules->concept_mask; rules->concepts[at].concepts; at = (at + 1) & rules->concept_mask)
        if (rules->concepts[at].hash == hash) return rules->concepts[at].concepts;
    return 0;
}

static void read_name(const feature_rules *rules, const uint8_t *value, int32_t length, element_names *names) {
    word_reader r = {0};
    r.text = value;
    r.length = length;
    while (next_name_word(&r)) {
        uint32_t hash = name_hash(&r);
        names->called |= concepts_of(rules, hash);
        for (uint32_t range = 0; range < NAME_RANGES; range++)
            names->score[range] += rules->name_weights[range * TERM_BUCKETS + hash % TERM_BUCKETS];
        names->words++;
    }
}

static bool is_naming(const feature_rules *rules, int32_t attribute) {
    for (int at = 0; at < NAMING_ATTRIBUTES; at++)
        if (rules->naming[at] == attribute) return true;
    return false;
}

static void read_names(const measured *m, int32_t row, element_names *names) {
    const node_view *nodes = &m->page->nodes;
    *names = (element_names){0};
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++)
        if (is_naming(m->rules, nodes->attr_name[at]))
            read_name(m->rules, node_bytes(nodes, nodes->attr_start[at]), nodes->attr_stop[at] - nodes->attr_start[at], names);
    int32_t landmark = role_of_tag(m->rules, nodes->tag[row]) & FEATURE_ROLE_LANDMARK;
    if (landmark) names->called |= UINT64_C(1) << (CONCEPT_COLUMNS + landmark - 1);
}

static const element_names *names_at(const namings *n, int32_t row) { return &n->elements[n->known[row] - 1]; }

/* Read the names of all ancestors of blocks up to FAR_LEVELS, each element once. */
static void read_all_names(const measured *m, namings *n) {
    const node_view *nodes = &m->page->nodes;
    for (int32_t block = 0; block < m->page->count; block++) {
        int32_t row = nodes->parent[m->page->first[block]];
        for (int level = 0; level < FAR_LEVELS && row >= 0; level++, row = nodes->parent[row]) {
            if (n->known[row]) continue;
            element_names *names = &n->elements[n->known_count];
            read_names(m, row, names);
            n->known[row] = names->called || names->words ? ++n->known_count : 1;
        }
    }
}

static double score_names(const measured *m, const namings *n, int32_t block) {
    const int32_t *parent = m->page->nodes.parent;
    double score = 0;
    int64_t words = 0;
    int32_t row = parent[m->page->first[block]];
    for (int level = 0; level < SCORED_LEVELS && row > 0; level++, row = parent[row]) {
        const element_names *names = names_at(n, row);
        score += names->score[level < NEAR_LEVELS ? 0 : level < NOT_FAR_LEVELS ? 1 : 2];
        words += names->words;
    }
    return words ? score / sqrt((double)words) : 0;
}

bool find_namings(const measured *m, namings *n) {
    size_t rows = (size_t)m->page->nodes.rows, count = (size_t)m->page->count;
    size_t most = rows < FAR_LEVELS * count ? rows : FAR_LEVELS * count;
    n->elements = pool_take(m->memory, most + 2, sizeof *n->elements);
    n->known = pool_take_zeros(m->memory, rows, sizeof *n->known);
    n->known_count = 1;
    n->score = pool_take(m->memory, count, sizeof *n->score);
    if (m->memory->failed) return false;
    n->elements[0] = (element_names){0};
    read_all_names(m, n);
    for (int32_t block = 0; block < m->page->count; block++) n->score[block] = score_names(m, n, block);
    return true;
}

/* The families `concept` and `landmark`: levels up to the nearest ancestor with that name or tag. */
void put_naming(const measured *m, const namings *n, int32_t block, float *row) {
    const int32_t *parent = m->page->nodes.parent;
    float *distance = row + FIRST_CONCEPT;
    for (int name = 0; name < CONCEPT_COLUMNS + LANDMARK_COLUMNS; name++) distance[name] = FAR_LEVELS;
    uint64_t seen = 0;
    int32_t element = parent[m->page->first[block]];
    for (int level = 0; level < FAR_LEVELS && element >= 0; level++, element = parent[element]) {
        uint64_t called = names_at(n, element)->called & ~seen;
        seen |= called;
        for (; called; called &= called - 1) distance[lowest_bit(called)] = (float)level;
    }
}
