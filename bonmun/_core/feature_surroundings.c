#include <string.h>

#include "digests.h"
#include "feature_table.h"

static block_sums sums_in(const measured *m, int32_t row) {
    return sums_between(m, m->blocks_before[row], m->blocks_before[m->page->nodes.end[row]]);
}

_Static_assert(CONTAINER_COLUMNS == 12, "measure_container and put_container write all columns of a container");

static void measure_container(const measured *m, int32_t row, container *c) {
    int32_t end = m->page->nodes.end[row], start = m->blocks_before[row], stop = m->blocks_before[end];
    int32_t count = stop - start, elements = m->elements_before[end] - m->elements_before[row];
    block_sums sums = sums_between(m, start, stop);
    c->cells[CONTAINER_BLOCKS] = magnitude_of(count);
    c->cells[CONTAINER_SHARE] = (float)share(sums.size, m->total);
    c->cells[CONTAINER_LINK] = (float)share(sums.link, sums.size);
    c->cells[CONTAINER_LONG] = (float)share(sums.running, sums.size);
    c->cells[CONTAINER_OF_LONG] = (float)share(sums.running, m->total_running);
    c->cells[CONTAINER_MEAN] = magnitude_of_mean(sums.size, count);
    c->cells[CONTAINER_DENSITY] = magnitude_of_mean(sums.size, elements);
    c->cells[CONTAINER_HEADINGS] = (float)share(sums.headings, count);
    c->cells[CONTAINER_PARAGRAPHS] = (float)share(sums.paragraphs, count);
    c->cells[CONTAINER_PUNCTUATION] = (float)share(sums.marks, sums.size);
    c->cells[CONTAINER_IMAGES] = (float)share(sums.images, count);
    c->cells[CONTAINER_PLACE] = 0;
    c->start = start;
    c->stop = stop;
}

/* Elements of several blocks are measured once: blocks share most of their ancestors. */
static const container *container_at(const measured *m, surroundings *s, int32_t row, container *own) {
    if (!s->known[row]) {
        if (m->blocks_before[m->page->nodes.end[row]] - m->blocks_before[row] < 2) {
            measure_container(m, row, own);
            return own;
        }
        measure_container(m, row, &s->containers[s->known_count]);
        s->known[row] = ++s->known_count;
    }
    return &s->containers[s->known[row] - 1];
}

enum { TO_HALF, TO_HALF_LONG, TO_MOST_LONG };

/* Whether an element's share of the text, or of the running text, reaches a threshold. */
static bool holds(const measured *m, int32_t row, int climb) {
    block_sums sums = sums_in(m, row);
    if (climb == TO_HALF) return share(sums.size, m->total) >= HALF_SHARE;
    return share(sums.running, m->total_running) >= (climb == TO_HALF_LONG ? HALF_SHARE : MOST_SHARE);
}

/* For each block the levels up to the nearest element that holds enough; the root if none does. An element holds no more than its
 * parent: below one that fails, its parent is the nearest. A block's element is around its first row; if it is around the failing
 * one too, it holds enough itself. */
static void find_enough(const measured *m, int climb, int32_t *levels) {
    const feature_page *page = m->page;
    const node_view *nodes = &page->nodes;
    for (int32_t row = 1, block = 0; block < page->count;) {
        bool enough = nodes->tag[row] != TAG_TEXT && holds(m, row, climb);
        int32_t nearest = enough ? row : above(m, row), stop = enough ? row + 1 : nodes->end[row];
        for (; block < page->count && page->first[block] < stop; block++) {
            int32_t element = page->element[block];
            levels[block] = page->depth[element] - page->depth[at_most(element, nearest)];
        }
        row = stop;
    }
}

/* The smallest element that holds most of the running text. */
static int32_t find_core(const measured *m) {
    const node_view *nodes = &m->page->nodes;
    int32_t core = 0;
    for (int32_t row = 1; row < nodes->end[core]; row = nodes->end[row])
        while (nodes->tag[row] != TAG_TEXT && share(sums_in(m, row).running, m->total_running) >= CORE_SHARE) {
            core = row++;
            if (row >= nodes->end[core]) return core;
        }
    return core;
}

typedef struct {
    int32_t count, parents, last_parent;
    double size, link, running;
} group;

_Static_assert(GROUP_COLUMNS == 6, "put_group writes all columns of a group");

static void put_group(const measured *m, const group *g, float *cells) {
    cells[GROUP_COUNT] = magnitude_of(g->count);
    cells[GROUP_SHARE] = (float)share(g->size, m->total);
    cells[GROUP_MEAN] = g->count == 1 ? magnitude_of((int32_t)g->size) : magnitude(share(g->size, g->count));
    cells[GROUP_LINK] = (float)share(g->link, g->size);
    cells[GROUP_LONG] = (float)share(g->running, g->size);
    cells[GROUP_PARENTS] = magnitude_of(g->parents);
}

static float *cells_of_groups(const measured *m, const int32_t *number, int32_t count) {
    group *groups = pool_take_zeros(m->scratch, (size_t)count, sizeof *groups);
    float *cells = pool_take(m->memory, (size_t)count * GROUP_COLUMNS, sizeof *cells);
    if (no_memory(m)) return NULL;
    for (int32_t block = 0; block < m->page->count; block++) {
        group *g = &groups[number[block]];
        block_sums sums = sums_between(m, block, block + 1);
        int32_t parent = m->page->nodes.parent[m->page->element[block]];
        g->parents += !g->count || g->last_parent != parent; /* runs of one parent: nearly always as many as parents */
        g->last_parent = parent;
        g->count++;
        g->size += sums.size;
        g->link += sums.link;
        g->running += sums.running;
    }
    for (int32_t at = 0; at < count; at++) put_group(m, &groups[at], cells + (size_t)at * GROUP_COLUMNS);
    return cells;
}

/* Digest of an element's class attribute; 0: it has none. */
static uint64_t digest_of_class(const measured *m, const namings *n, int32_t row) {
    const node_view *nodes = &m->page->nodes;
    if (n->class[row]) return n->class[row];
    int32_t wanted = m->rules->naming[NAMING_CLASS];
    for (int32_t at = nodes->attr_first[row]; wanted >= 0 && at < nodes->attr_first[row + 1]; at++) {
        if (nodes->attr_name[at] != wanted) continue;
        int32_t start = nodes->attr_start[at];
        int32_t stop = nodes->attr_stop[at];
        return digest_bytes(node_bytes(nodes, start), stop - start, readable_at(nodes, start, stop), false);
    }
    return 0;
}

enum { BY_PATH, BY_STYLE, BY_COLUMN };
static const int32_t first_of_grouping[] = {
    [BY_PATH] = FIRST_GROUP_PATH, [BY_STYLE] = FIRST_GROUP_STYLE, [BY_COLUMN] = FIRST_GROUP_COLUMN};
_Static_assert(sizeof first_of_grouping == GROUPS * sizeof(int32_t), "put_groups writes all members of the family");

/* The class of the last parent: most blocks follow a sibling. */
typedef struct {
    int32_t row;
    uint64_t digest;
} last_parent;

static uint64_t group_key(const measured *m, const namings *n, int32_t block, int grouping, last_parent *last) {
    int32_t element = m->page->element[block], parent = above(m, element);
    if (grouping == BY_COLUMN) return m->path[above(m, m->region[element])];
    if (grouping == BY_PATH) return m->path[element];
    if (last->row != parent) *last = (last_parent){parent, digest_of_class(m, n, parent)};
    return digest_pair(digest_pair(digest_of_class(m, n, element), last->digest), m->path[element]);
}

static bool find_groups(const measured *m, const namings *n, int grouping, surroundings *s) {
    int32_t *number = s->group[grouping];
    digests keys;
    last_parent last = {-1, 0};
    if (digests_init(&keys, m->page->count)) return false;
    for (int32_t block = 0; block < m->page->count; block++)
        number[block] = digests_place(&keys, group_key(m, n, block, grouping, &last));
    s->group_cells[grouping] = cells_of_groups(m, number, keys.count);
    digests_free(&keys);
    return s->group_cells[grouping] != NULL;
}

bool find_surroundings(const measured *m, const namings *n, surroundings *s) {
    size_t count = (size_t)m->page->count, rows = (size_t)m->page->nodes.rows;
    s->containers = pool_take(m->memory, rows < CONTAINERS * count ? rows : CONTAINERS * count, sizeof *s->containers);
    s->known = pool_take_zeros(m->memory, rows, sizeof *s->known);
    s->known_count = 0;
    for (int climb = 0; climb < CLIMBS; climb++) s->enough[climb] = pool_take(m->memory, count, sizeof **s->enough);
    for (int grouping = 0; grouping < GROUPS; grouping++) s->group[grouping] = pool_take(m->memory, count, sizeof **s->group);
    if (no_memory(m)) return false;
    for (int climb = 0; climb < CLIMBS; climb++) find_enough(m, climb, s->enough[climb]);
    s->core = find_core(m);
    for (int grouping = 0; grouping < GROUPS; grouping++)
        if (!find_groups(m, n, grouping, s)) return false;
    return true;
}

static void put_container(const measured *m, surroundings *s, int32_t block, int32_t element, float *cells) {
    container own;
    const container *around = container_at(m, s, element, &own);
    memcpy(cells, around->cells, sizeof around->cells);
    cells[CONTAINER_PLACE] = (float)share(block - around->start, around->stop - around->start);
}

void put_containers(const measured *m, surroundings *s, int32_t block, float *row) {
    static const int32_t ups[] = {FIRST_CONTAINER_UP2, FIRST_CONTAINER_UP3, FIRST_CONTAINER_UP4};
    static const int32_t regions[] = {FIRST_CONTAINER_REGION, FIRST_CONTAINER_REGION1, FIRST_CONTAINER_REGION2,
                                      FIRST_CONTAINER_REGION3};
    _Static_assert(sizeof ups + sizeof regions == CONTAINERS * sizeof(int32_t), "all members of the family are written");
    int32_t element = m->page->element[block], up = above(m, element), region = m->region[element];
    for (int step = 0; step < 3; step++) {
        up = above(m, up);
        put_container(m, s, block, up, row + ups[step]);
    }
    for (int step = 0; step < 4; step++) {
        put_container(m, s, block, region, row + regions[step]);
        region = above(m, region);
    }
}

_Static_assert(CORE_COLUMNS == 5, "put_core writes all columns of the family");

/* Levels up to the nearest element that holds enough, and the element that holds most of the running text. */
void put_core(const measured *m, const surroundings *s, int32_t block, float *row) {
    const feature_page *page = m->page;
    int32_t first = page->first[block];
    row[COLUMN_TO_HALF] = (float)s->enough[TO_HALF][block];
    row[COLUMN_TO_HALF_LONG] = (float)s->enough[TO_HALF_LONG][block];
    row[COLUMN_TO_MOST_LONG] = (float)s->enough[TO_MOST_LONG][block];
    row[COLUMN_IN_CORE] = first >= s->core && first < page->nodes.end[s->core];
    row[COLUMN_CORE_SHARE] = (float)share(sums_in(m, s->core).size, m->total);
}

void put_groups(const surroundings *s, int32_t block, float *row) {
    for (int grouping = 0; grouping < GROUPS; grouping++)
        memcpy(row + first_of_grouping[grouping], s->group_cells[grouping] + (size_t)s->group[grouping][block] * GROUP_COLUMNS,
               GROUP_COLUMNS * sizeof(float));
}
