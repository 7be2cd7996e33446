#include <stdlib.h>
#include <string.h>

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

/* What a word adds. */
typedef struct {
    uint32_t concepts;
    float weight[NAME_RANGES];
} name_meaning;

/* The words of some names, as numbers: list[first] … list[stop]. */
typedef struct {
    int32_t first, stop;
} word_range;

/* Words recur on a page: each is looked up once, after all were read. So do values of class and id attributes: each is read
 * once. */
typedef struct {
    digests words, values;
    int32_t *hash; /* by number of a word */
    int32_t hash_room;
    int32_t *list;
    int32_t listed, list_room;
    word_range *range; /* by index in `elements` */
    int32_t *entry;    /* by number of a value: its index in `elements` */
    int32_t known;     /* values that were read */
    uint64_t naming;   /* a bit for each attribute below 64 that names */
    uint64_t *read;    /* a bit for each row whose names were read */
} name_cache;

/* Make room for some numbers more. */
static bool make_room(int32_t **numbers, int32_t *room, int32_t used, int32_t more) {
    int64_t wanted = (int64_t)used + more;
    if (wanted <= *room) return true;
    wanted = 2 * wanted + 64;
    int32_t *moved = wanted <= INT32_MAX ? realloc(*numbers, (size_t)wanted * sizeof *moved) : NULL;
    if (!moved) return false;
    *numbers = moved;
    *room = (int32_t)wanted;
    return true;
}

/* The weights of a word lie far apart: they are fetched while other words are read. */
static bool note_word(const feature_rules *rules, name_cache *cache, int32_t number, uint32_t hash) {
    if (!make_room(&cache->hash, &cache->hash_room, number, 1)) return false;
    cache->hash[number] = (int32_t)hash;
    fetch_early(&rules->concepts[hash & rules->concept_mask]);
    for (uint32_t range = 0; range < NAME_RANGES; range++)
        fetch_early(&rules->name_weights[range * TERM_BUCKETS + hash % TERM_BUCKETS]);
    return true;
}

/* List the words of a name. */
static bool read_name(const feature_rules *rules, name_cache *cache, const uint8_t *value, int32_t length, int32_t readable) {
    word_reader r = {.text = value, .length = length, .readable = readable};
    if (!make_room(&cache->list, &cache->list_room, cache->listed, length)) return false;
    while (next_name_word(&r)) {
        term word = name_word(&r);
        if (digests_reserve(&cache->words, 1)) return false;
        int32_t known = cache->words.count, number = digests_place(&cache->words, term_digest(&word));
        if (number == known && !note_word(rules, cache, number, name_hash(&r))) return false;
        cache->list[cache->listed++] = number;
    }
    return true;
}

static name_meaning look_up(const feature_rules *rules, uint32_t hash) {
    name_meaning meaning = {.concepts = concepts_of(rules, hash)};
    for (uint32_t range = 0; range < NAME_RANGES; range++)
        meaning.weight[range] = rules->name_weights[range * TERM_BUCKETS + hash % TERM_BUCKETS];
    return meaning;
}

/* Add up the words of all elements. */
static bool add_names(const measured *m, const name_cache *cache, namings *n) {
    int32_t words = cache->words.count;
    name_meaning *meaning = pool_take(m->scratch, (size_t)words, sizeof *meaning);
    if (!meaning) return false;
    for (int32_t number = 0; number < words; number++) meaning[number] = look_up(m->rules, (uint32_t)cache->hash[number]);
    for (int32_t entry = 0; entry < n->known_count; entry++) {
        element_names *names = &n->elements[entry];
        word_range range = cache->range[entry];
        double near = 0, further = 0, far = 0;
        for (int32_t at = range.first; at < range.stop; at++) {
            const name_meaning *word = &meaning[cache->list[at]];
            names->called |= word->concepts;
            near += word->weight[0];
            further += word->weight[1];
            far += word->weight[2];
        }
        names->score[0] = near;
        names->score[1] = further;
        names->score[2] = far;
        names->words = range.stop - range.first;
    }
    return true;
}

static uint64_t naming_bits(const feature_rules *rules) {
    uint64_t bits = 0;
    for (int at = 0; at < NAMING_ATTRIBUTES; at++)
        if ((uint32_t)rules->naming[at] < 64) bits |= UINT64_C(1) << rules->naming[at];
    return bits;
}

static inline bool is_naming(const feature_rules *rules, const name_cache *cache, int32_t attribute) {
    if ((uint32_t)attribute < 64) return cache->naming >> attribute & 1;
    for (int at = 0; at < NAMING_ATTRIBUTES; at++)
        if (rules->naming[at] == attribute) return true;
    return false;
}

/* A new entry with some words. */
static int32_t new_entry(namings *n, name_cache *cache, word_range words) {
    n->elements[n->known_count].called = 0;
    cache->range[n->known_count] = words;
    return n->known_count++;
}

/* The entry of an attribute's value by its digest; -1: no memory. */
static int32_t entry_of_value(const feature_rules *rules, namings *n, name_cache *cache, uint64_t digest, const uint8_t *value,
                              int32_t length, int32_t readable) {
    int32_t number = digests_number(&cache->values, digest), first = cache->listed;
    if (number < cache->known) return number < 0 ? -1 : cache->entry[number];
    if (!read_name(rules, cache, value, length, readable)) return -1;
    return cache->entry[cache->known++] = new_entry(n, cache, (word_range){first, cache->listed});
}

/* Add the words of one more attribute: to the element's own entry, whose words are the last ones. -1: no memory. */
static int32_t add_value(const feature_rules *rules, namings *n, name_cache *cache, int32_t entry, bool own, const uint8_t *value,
                         int32_t length, int32_t readable) {
    word_range words = cache->range[entry];
    int32_t count = words.stop - words.first, first = cache->listed;
    if (!own) {
        if (!make_room(&cache->list, &cache->list_room, first, count)) return -1;
        if (count) memcpy(cache->list + first, cache->list + words.first, (size_t)count * sizeof *cache->list);
        cache->listed += count;
        entry = new_entry(n, cache, (word_range){first, cache->listed});
    }
    if (!read_name(rules, cache, value, length, readable)) return -1;
    cache->range[entry].stop = cache->listed;
    return entry;
}

/* Read the names of an element; elements with the same single attribute share an entry. False: no memory. */
static bool read_names(const measured *m, namings *n, name_cache *cache, int32_t row) {
    const node_view *nodes = &m->page->nodes;
    int32_t entry = 0, landmark = role_of_tag(m->rules, nodes->tag[row]) & FEATURE_ROLE_LANDMARK;
    bool own = false;
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++) {
        if (!is_naming(m->rules, cache, nodes->attr_name[at])) continue;
        int32_t start = nodes->attr_start[at], stop = nodes->attr_stop[at], readable = readable_at(nodes, start, stop);
        const uint8_t *value = node_bytes(nodes, start);
        if (!entry) {
            uint64_t digest = digest_bytes(value, stop - start, readable, false);
            if (nodes->attr_name[at] == m->rules->naming[NAMING_CLASS]) n->class[row] = digest;
            entry = entry_of_value(m->rules, n, cache, digest, value, stop - start, readable);
        } else {
            entry = add_value(m->rules, n, cache, entry, own, value, stop - start, readable);
            own = true;
        }
        if (entry < 0) return false;
    }
    if (landmark) {
        if (!own) entry = new_entry(n, cache, cache->range[entry]);
        n->elements[entry].called |= UINT64_C(1) << (CONCEPT_COLUMNS + landmark - 1);
    }
    n->known[row] = entry + 1;
    cache->read[row / 64] |= UINT64_C(1) << row % 64;
    return true;
}

static const element_names *names_at(const namings *n, int32_t row) { return &n->elements[n->known[row] - 1]; }

enum { BLOCKS_AHEAD = 8 };

/* The values lie far apart: those of the elements around a later block are fetched while the names before it are read. */
static void fetch_names(const measured *m, int32_t block) {
    const node_view *nodes = &m->page->nodes;
    if (block >= m->page->count) return;
    for (int32_t row = nodes->parent[m->page->first[block]], level = 0; row >= 0 && level < 2; row = nodes->parent[row], level++) {
        int32_t at = nodes->attr_first[row];
        if (at < nodes->attr_first[row + 1]) fetch_early(node_bytes(nodes, nodes->attr_start[at]));
    }
}

/* Read the names of all ancestors of blocks up to FAR_LEVELS, each element once. `reach`: by row, how many levels from it on are
 * known to be read, itself included; a climb ends where enough of them are. */
static bool read_all_names(const measured *m, namings *n, name_cache *cache, uint8_t *reach) {
    const int32_t *parent = m->page->nodes.parent;
    for (int32_t block = 0; block < m->page->count; block++) {
        int32_t start = parent[m->page->first[block]], row = start;
        int level = 0;
        fetch_names(m, block + BLOCKS_AHEAD);
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

/* Distances of an element from those of its parent, level by level. */
static void step_down(const uint8_t *restrict above, uint64_t called, uint8_t *restrict distance) {
    for (int name = 0; name < DISTANCES; name++) {
        uint8_t further = (uint8_t)(above[name] + 1);
        distance[name] = further < FAR_LEVELS ? further : FAR_LEVELS;
    }
    for (; called; called &= called - 1) distance[lowest_bit(called)] = 0;
}

/* The levels from each element that was read up to the nearest one of each name. An element above that was not read is far from
 * all blocks. */
static void find_distances(const measured *m, const uint64_t *read, namings *n) {
    const node_view *nodes = &m->page->nodes;
    int32_t used = 1;
    memset(n->distances[0], FAR_LEVELS, DISTANCES);
    for (int32_t from = 0; from < nodes->rows; from += 64) {
        for (uint64_t left = read[from / 64]; left; left &= left - 1) {
            int32_t row = from + lowest_bit(left), parent = nodes->parent[row];
            step_down(n->distances[parent < 0 ? 0 : n->distance[parent]], names_at(n, row)->called, n->distances[used]);
            n->distance[row] = used++;
        }
    }
}

static bool read_page_names(const measured *m, namings *n, int32_t most) {
    name_cache cache = {.naming = naming_bits(m->rules)};
    uint8_t *reach = pool_take_zeros(m->scratch, (size_t)m->page->nodes.rows, sizeof *reach);
    cache.read = pool_take_zeros(m->scratch, (size_t)m->page->nodes.rows / 64 + 1, sizeof *cache.read);
    cache.entry = pool_take(m->scratch, (size_t)most + 1, sizeof *cache.entry);
    cache.range = pool_take(m->scratch, 2 * (size_t)most + 2, sizeof *cache.range);
    int32_t expected = at_most(most / 4, 1024);
    bool ok = !no_memory(m) && !digests_init(&cache.values, expected) && !digests_init(&cache.words, expected);
    if (ok) {
        new_entry(n, &cache, (word_range){0, 0});
        ok = read_all_names(m, n, &cache, reach) && add_names(m, &cache, n);
        if (ok) find_distances(m, cache.read, n);
    }
    digests_free(&cache.values);
    digests_free(&cache.words);
    free(cache.hash);
    free(cache.list);
    return ok;
}

bool find_namings(const measured *m, namings *n) {
    size_t rows = (size_t)m->page->nodes.rows, count = (size_t)m->page->count;
    size_t most = rows < FAR_LEVELS * count ? rows : FAR_LEVELS * count;
    n->elements = pool_take(m->memory, 2 * most + 2, sizeof *n->elements); /* of values, and of elements with more than one */
    n->known = pool_take_zeros(m->memory, rows, sizeof *n->known);
    n->class = pool_take_zeros(m->memory, rows, sizeof *n->class);
    n->score = pool_take(m->memory, count, sizeof *n->score);
    n->distance = pool_take_zeros(m->memory, rows, sizeof *n->distance);
    n->distances = pool_take(m->memory, most + 1, sizeof *n->distances);
    n->known_count = 0;
    if (no_memory(m) || !read_page_names(m, n, (int32_t)most)) return false;
    for (int32_t block = 0; block < m->page->count; block++) n->score[block] = score_names(m, n, block);
    return true;
}

/* The families `concept` and `landmark`: levels up to the nearest ancestor with that name or tag. */
void put_naming(const measured *m, const namings *n, int32_t block, float *row) {
    const uint8_t *distance = n->distances[n->distance[m->page->nodes.parent[m->page->first[block]]]];
    for (int name = 0; name < CONCEPT_COLUMNS + LANDMARK_COLUMNS; name++) row[FIRST_CONCEPT + name] = (float)distance[name];
}
