#include "feature_table.h"
#include "terms.h"
#include "word64.h"

enum { FAR_LEVELS = 20, SCORED_LEVELS = 9, NEAR_LEVELS = 2, NOT_FAR_LEVELS = 5 };

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

static bool names_element(const feature_rules *rules, int32_t attribute) {
    for (int at = 0; at < NAMING_ATTRIBUTES; at++)
        if (rules->naming[at] == attribute) return true;
    return false;
}

static void read_names(const measured *m, int32_t row, element_names *names) {
    const node_view *nodes = &m->page->nodes;
    *names = (element_names){0};
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++)
        if (names_element(m->rules, nodes->attr_name[at]))
            read_name(m->rules, node_bytes(nodes, nodes->attr_start[at]), nodes->attr_stop[at] - nodes->attr_start[at], names);
    int32_t landmark = role_of_tag(m->rules, nodes->tag[row]) & TAG_LANDMARK;
    if (landmark) names->called |= UINT64_C(1) << (CONCEPTS + landmark - 1);
}

static const element_names *names_at(const namings *found, int32_t row) { return &found->elements[found->known[row] - 1]; }

/* The names of all elements that a block looks up to, each read once. */
static void read_all_names(const measured *m, namings *found) {
    const node_view *nodes = &m->page->nodes;
    for (int32_t at = 0; at < m->page->count; at++) {
        int32_t row = nodes->parent[m->page->first[at]];
        for (int level = 0; level < FAR_LEVELS && row >= 0; level++, row = nodes->parent[row]) {
            if (found->known[row]) continue;
            read_names(m, row, &found->elements[found->known_count]);
            found->known[row] = ++found->known_count;
        }
    }
}

static double score_names(const measured *m, const namings *found, int32_t at) {
    const int32_t *parent = m->page->nodes.parent;
    double score = 0;
    int64_t words = 0;
    int32_t row = parent[m->page->first[at]];
    for (int level = 0; level < SCORED_LEVELS && row > 0; level++, row = parent[row]) {
        const element_names *names = names_at(found, row);
        score += names->score[level < NEAR_LEVELS ? 0 : level < NOT_FAR_LEVELS ? 1 : 2];
        words += names->words;
    }
    return words ? score / sqrt((double)words) : 0;
}

bool find_namings(const measured *m, namings *found) {
    size_t rows = (size_t)m->page->nodes.rows, count = (size_t)m->page->count;
    size_t most = rows < FAR_LEVELS * count ? rows : FAR_LEVELS * count;
    found->elements = pool_take(m->memory, most, sizeof *found->elements);
    found->known = pool_take_zeros(m->memory, rows, sizeof *found->known);
    found->known_count = 0;
    found->score = pool_take(m->memory, count, sizeof *found->score);
    if (m->memory->failed) return false;
    read_all_names(m, found);
    for (int32_t at = 0; at < m->page->count; at++) found->score[at] = score_names(m, found, at);
    return true;
}

float *put_naming(const measured *m, const namings *found, int32_t at, float *to) {
    const int32_t *parent = m->page->nodes.parent;
    for (int name = 0; name < NAMING_FEATURES; name++) to[name] = FAR_LEVELS;
    uint64_t seen = 0;
    int32_t row = parent[m->page->first[at]];
    for (int level = 0; level < FAR_LEVELS && row >= 0; level++, row = parent[row]) {
        uint64_t called = names_at(found, row)->called & ~seen;
        seen |= called;
        for (; called; called &= called - 1) to[lowest_bit(called)] = (float)level;
    }
    return to + NAMING_FEATURES;
}
