#include "digests.h"
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

static void add_names(const feature_rules *rules, const uint32_t *hashes, int32_t count, element_names *names) {
    for (int32_t at = 0; at < count; at++) {
        names->called |= concepts_of(rules, hashes[at]);
        for (uint32_t range = 0; range < NAME_RANGES; range++)
            names->score[range] += rules->name_weights[range * TERM_BUCKETS + hashes[at] % TERM_BUCKETS];
    }
    names->words += count;
}

enum { NAMES_AT_ONCE = 16 };

/* The weights lie far apart: they are fetched while the next words are read. */
static void read_name(const feature_rules *rules, const uint8_t *value, int32_t length, element_names *names) {
    word_reader r = {0};
    r.text = value;
    r.length = length;
    uint32_t hashes[NAMES_AT_ONCE];
    int32_t count = 0;
    while (next_name_word(&r)) {
        if (count == NAMES_AT_ONCE) {
            add_names(rules, hashes, count, names);
            count = 0;
        }
        uint32_t hash = hashes[count++] = name_hash(&r);
        fetch_early(&rules->concepts[hash & rules->concept_mask]);
        for (uint32_t range = 0; range < NAME_RANGES; range++)
            fetch_early(&rules->name_weights[range * TERM_BUCKETS + hash % TERM_BUCKETS]);
    }
    add_names(rules, hashes, count, names);
}

static bool is_naming(const feature_rules *rules, int32_t attribute) {
    for (int at = 0; at < NAMING_ATTRIBUTES; at++)
        if (rules->naming[at] == attribute) return true;
    return false;
}

/* Class and id attributes recur on a page: each value is read once. */
typedef struct {
    digests values;
    int32_t *entry; /* by number of a value: its index in `elements` */
    int32_t known;  /* values that were read */
} value_cache;

static int32_t new_entry(namings *n, const element_names *content) {
    n->elements[n->known_count] = *content;
    return n->known_count++;
}

/* The entry of an attribute's value by its digest; -1: no memory. */
static int32_t entry_of_value(const feature_rules *rules, namings *n, value_cache *cache, uint64_t digest, const uint8_t *value,
                              int32_t length) {
    int32_t number = digests_number(&cache->values, digest);
    if (number < cache->known) return number < 0 ? -1 : cache->entry[number];
    cache->entry[cache->known++] = new_entry(n, &(element_names){0});
    read_name(rules, value, length, &n->elements[cache->entry[number]]);
    return cache->entry[number];
}

/* Read the names of an element; elements with the same single attribute share an entry. False: no memory. */
static bool read_names(const measured *m, namings *n, value_cache *cache, int32_t row) {
    const node_view *nodes = &m->page->nodes;
    int32_t entry = 0, landmark = role_of_tag(m->rules, nodes->tag[row]) & FEATURE_ROLE_LANDMARK;
    bool own = false;
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++) {
        if (!is_naming(m->rules, nodes->attr_name[at])) continue;
        const uint8_t *value = node_bytes(nodes, nodes->attr_start[at]);
        int32_t length = nodes->attr_stop[at] - nodes->attr_start[at];
        if (!entry) {
            uint64_t digest = digest_bytes(value, length, false);
            if (nodes->attr_name[at] == m->rules->naming[NAMING_CLASS]) n->class[row] = digest;
            entry = entry_of_value(m->rules, n, cache, digest, value, length);
            if (entry < 0) return false;
            continue;
        }
        if (!own) entry = new_entry(n, &n->elements[entry]);
        own = true;
        read_name(m->rules, value, length, &n->elements[entry]);
    }
    if (landmark) {
        if (!own) entry = new_entry(n, &n->elements[entry]);
        n->elements[entry].called |= UINT64_C(1) << (CONCEPT_COLUMNS + landmark - 1);
    }
    n->known[row] = entry + 1;
    return true;
}

static const element_names *names_at(const namings *n, int32_t row) { return &n->elements[n->known[row] - 1]; }

/* Read the names of all ancestors of blocks up to FAR_LEVELS, each element once. `reach`: by row, how many levels from it on are
 * known to be read, itself included; a climb ends where enough of them are. */
static bool read_all_names(const measured *m, namings *n, value_cache *cache, uint8_t *reach) {
    const int32_t *parent = m->page->nodes.parent;
    for (int32_t block = 0; block < m->page->count; block++) {
        int32_t start = parent[m->page->first[block]], row = start;
        int level = 0;
        for (; level < FAR_LEVELS && row >= 0 && reach[row] < FAR_LEVELS - level; level++, row = parent[row])
            if (!n->known[row] && !read_names(m, n, cache, row)) return false;
        int beyond = row < 0 ? FAR_LEVELS : level < FAR_LEVELS ? reach[row] : 0; /* levels known from where the climb ended */
        for (row = start; level > 0; level--, row = parent[row]) {
            int known = at_most(level + beyond, FAR_LEVELS);
            if (reach[row] < known) reach[row] = (uint8_t)known;
        }
    }
    return true;
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
    value_cache cache = {.known = 0};
    uint8_t *reach = pool_take_zeros(m->scratch, rows, sizeof *reach);
    cache.entry = pool_take(m->scratch, most + 1, sizeof *cache.entry);
    n->elements = pool_take(m->memory, 2 * most + 2, sizeof *n->elements); /* of values, and of elements with more than one */
    n->known = pool_take_zeros(m->memory, rows, sizeof *n->known);
    n->class = pool_take_zeros(m->memory, rows, sizeof *n->class);
    n->score = pool_take(m->memory, count, sizeof *n->score);
    if (no_memory(m) || digests_init(&cache.values, at_most((int32_t)(most / 4), 1024))) return false;
    n->elements[0] = (element_names){0};
    n->known_count = 1;
    bool ok = read_all_names(m, n, &cache, reach);
    digests_free(&cache.values);
    for (int32_t block = 0; ok && block < m->page->count; block++) n->score[block] = score_names(m, n, block);
    return ok;
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
