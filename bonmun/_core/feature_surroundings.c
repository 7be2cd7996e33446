#include <string.h>

#include "digests.h"
#include "feature_table.h"
#include "groups.h"
#include "tags_table.h"

static const double core_share = 0.6; /* of the running text; what holds less is a part of the article */

static block_sums sums_in(const measured *m, int32_t row) {
    return sums_between(m, m->blocks_before[row], m->blocks_before[m->page->nodes.end[row]]);
}

static void look_at(const measured *m, int32_t row, container *made) {
    int32_t end = m->page->nodes.end[row], start = m->blocks_before[row], stop = m->blocks_before[end];
    int32_t count = stop - start, elements = m->elements_before[end] - m->elements_before[row];
    block_sums sums = sums_between(m, start, stop);
    float *to = made->figures;
    *to++ = magnitude(count);
    *to++ = (float)share(sums.size, m->total);
    *to++ = (float)share(sums.link, sums.size);
    *to++ = (float)share(sums.running, sums.size);
    *to++ = (float)share(sums.running, m->total_running);
    *to++ = magnitude(share(sums.size, count));
    *to++ = magnitude(share(sums.size, elements));
    *to++ = (float)share(sums.headings, count);
    *to++ = (float)share(sums.paragraphs, count);
    *to++ = (float)share(sums.marks, sums.size);
    *to++ = (float)share(sums.images, count);
    made->start = start;
    made->stop = stop;
}

/* Each element is looked at once: blocks share most of those around them. */
static const container *container_at(const measured *m, surroundings *found, int32_t row) {
    if (!found->known[row]) {
        look_at(m, row, &found->containers[found->known_count]);
        found->known[row] = ++found->known_count;
    }
    return &found->containers[found->known[row] - 1];
}

/* Of each row the nearest element around, or itself, that holds enough; the root where none does. An element holds no more
 * than its parent, so below one that does not hold enough nothing needs to be looked at. */
static void find_enough(const measured *m, bool of_running, double enough, int32_t *nearest) {
    const node_view *nodes = &m->page->nodes;
    for (int32_t row = 0; row < nodes->rows; row++) {
        int32_t parent = above(m, row);
        nearest[row] = row ? nearest[parent] : 0;
        if (nearest[row] != parent || nodes->tag[row] == TAG_TEXT) continue;
        block_sums sums = sums_in(m, row);
        double held = of_running ? share(sums.running, m->total_running) : share(sums.size, m->total);
        if (held >= enough) nearest[row] = row;
    }
}

/* The smallest element that holds most of the running text. */
static int32_t find_core(const measured *m) {
    const node_view *nodes = &m->page->nodes;
    int32_t core = 0;
    for (int32_t row = 1; row < nodes->end[core]; row = nodes->end[row])
        while (nodes->tag[row] != TAG_TEXT && share(sums_in(m, row).running, m->total_running) >= core_share) {
            core = row++;
            if (row >= nodes->end[core]) return core;
        }
    return core;
}

typedef struct {
    int32_t count, parents, last_parent;
    double size, link, running;
} group;

static void put_group(const measured *m, const group *g, float *to) {
    *to++ = magnitude(g->count);
    *to++ = (float)share(g->size, m->total);
    *to++ = magnitude(share(g->size, g->count));
    *to++ = (float)share(g->link, g->size);
    *to++ = (float)share(g->running, g->size);
    *to++ = magnitude(g->parents);
}

static float *figures_of_groups(const measured *m, const int32_t *number, int32_t known) {
    group *groups = pool_take_zeros(m->memory, (size_t)known, sizeof *groups);
    float *figures = pool_take(m->memory, (size_t)known * GROUP_FIGURES, sizeof *figures);
    if (m->memory->failed) return NULL;
    for (int32_t at = 0; at < m->page->count; at++) {
        group *g = &groups[number[at]];
        block_sums sums = sums_between(m, at, at + 1);
        int32_t parent = m->page->nodes.parent[m->page->element[at]];
        g->parents += !g->count || g->last_parent != parent; /* runs of one parent: nearly always as many as parents */
        g->last_parent = parent;
        g->count++;
        g->size += sums.size;
        g->link += sums.link;
        g->running += sums.running;
    }
    for (int32_t at = 0; at < known; at++) put_group(m, &groups[at], figures + (size_t)at * GROUP_FIGURES);
    return figures;
}

/* What stands for an element's class attribute; 0: it has none. */
static uint64_t digest_of_class(const measured *m, int32_t row) {
    const node_view *nodes = &m->page->nodes;
    int32_t wanted = m->rules->naming[NAMED_BY_CLASS];
    for (int32_t at = nodes->attr_first[row]; wanted >= 0 && at < nodes->attr_first[row + 1]; at++) {
        if (nodes->attr_name[at] != wanted) continue;
        return digest_bytes(node_bytes(nodes, nodes->attr_start[at]), nodes->attr_stop[at] - nodes->attr_start[at], false);
    }
    return 0;
}

enum { BY_PATH, BY_STYLE, BY_COLUMN };

static uint64_t group_key(const measured *m, const int32_t *path, int32_t at, int grouping) {
    int32_t element = m->page->element[at];
    if (grouping == BY_COLUMN) return (uint64_t)path[above(m, m->region[element])];
    if (grouping == BY_PATH) return (uint64_t)path[element];
    uint64_t classes = digest_pair(digest_of_class(m, element), digest_of_class(m, above(m, element)));
    return digest_pair(classes, (uint64_t)path[element]);
}

static bool find_groups(const measured *m, const int32_t *path, int grouping, surroundings *found) {
    int32_t *number = found->group[grouping];
    digests keys;
    if (digests_init(&keys, m->page->count)) return false;
    bool well = true;
    for (int32_t at = 0; well && at < m->page->count; at++) {
        number[at] = digests_number(&keys, group_key(m, path, at, grouping));
        well = number[at] >= 0;
    }
    found->group_figures[grouping] = well ? figures_of_groups(m, number, keys.count) : NULL;
    digests_free(&keys);
    return found->group_figures[grouping] != NULL;
}

bool find_surroundings(const measured *m, surroundings *found) {
    const node_view *nodes = &m->page->nodes;
    size_t count = (size_t)m->page->count, rows = (size_t)nodes->rows;
    found->containers = pool_take(m->memory, rows < 7 * count ? rows : 7 * count, sizeof *found->containers);
    found->known = pool_take_zeros(m->memory, rows, sizeof *found->known);
    found->known_count = 0;
    int32_t *path = pool_take(m->memory, rows, sizeof *path);
    for (int climb = 0; climb < CLIMBS; climb++) found->enough[climb] = pool_take(m->memory, rows, sizeof **found->enough);
    for (int at = 0; at < GROUPINGS; at++) found->group[at] = pool_take(m->memory, count, sizeof **found->group);
    if (m->memory->failed || number_paths(nodes->parent, nodes->tag, nodes->rows, path)) return false;
    find_enough(m, false, 0.5, found->enough[0]);
    find_enough(m, true, 0.5, found->enough[1]);
    find_enough(m, true, 0.85, found->enough[2]);
    found->core = find_core(m);
    for (int grouping = 0; grouping < GROUPINGS; grouping++)
        if (!find_groups(m, path, grouping, found)) return false;
    return true;
}

static float *put_container(const measured *m, surroundings *found, int32_t at, int32_t row, float *to) {
    const container *around = container_at(m, found, row);
    memcpy(to, around->figures, sizeof around->figures);
    to[CONTAINER_FIGURES] = (float)share(at - around->start, around->stop - around->start);
    return to + CONTAINER_FIGURES + 1;
}

float *put_containers(const measured *m, surroundings *found, int32_t at, float *to) {
    const feature_page *page = m->page;
    int32_t element = page->element[at], row = above(m, element);
    for (int step = 2; step <= 4; step++) {
        row = above(m, row);
        to = put_container(m, found, at, row, to);
    }
    row = m->region[element];
    for (int step = 0; step <= 3; step++) {
        to = put_container(m, found, at, row, to);
        row = above(m, row);
    }
    for (int climb = 0; climb < CLIMBS; climb++)
        *to++ = (float)(page->depth[element] - page->depth[found->enough[climb][element]]);
    *to++ = page->first[at] >= found->core && page->first[at] < page->nodes.end[found->core];
    *to++ = (float)share(sums_in(m, found->core).size, m->total);
    return to;
}

float *put_groups(const surroundings *found, int32_t at, float *to) {
    for (int grouping = 0; grouping < GROUPINGS; grouping++) {
        memcpy(to, found->group_figures[grouping] + (size_t)found->group[grouping][at] * GROUP_FIGURES,
               GROUP_FIGURES * sizeof(float));
        to += GROUP_FIGURES;
    }
    return to;
}
