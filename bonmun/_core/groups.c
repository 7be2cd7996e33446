#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "constants_table.h"
#include "tags_table.h"

typedef struct {
    int32_t above, tag, number; /* number < 0: a free slot */
} slot;

static uint32_t hash(int32_t above, int32_t tag) {
    uint64_t key = ((uint64_t)(uint32_t)above << 32) | (uint32_t)tag;
    return (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 33);
}

static slot *find(slot *table, uint32_t mask, int32_t above, int32_t tag) {
    uint32_t at = hash(above, tag) & mask;
    while (table[at].number >= 0 && (table[at].above != above || table[at].tag != tag)) at = (at + 1) & mask;
    return &table[at];
}

static slot *make_table(uint32_t size) {
    slot *table = malloc(size * sizeof(slot));
    for (uint32_t at = 0; table && at < size; at++) table[at].number = -1;
    return table;
}

/* Double the size and rehash; frees the old table, also on failure. */
static slot *grow_table(slot *old, uint32_t *mask) {
    uint32_t size = 2 * (*mask + 1);
    slot *table = make_table(size);
    for (uint32_t at = 0; table && at <= *mask; at++)
        if (old[at].number >= 0) *find(table, size - 1, old[at].above, old[at].tag) = old[at];
    free(old);
    *mask = size - 1;
    return table;
}

int number_paths(const int32_t *parent, const int32_t *tag, int32_t rows, int32_t *path) {
    uint32_t mask = 255;
    slot *table = make_table(mask + 1);
    int32_t known = 0;
    for (int32_t row = 0; table && row < rows; row++) {
        int32_t above = parent[row] >= 0 ? path[parent[row]] : -1;
        if (tag[row] == TAG_TEXT) {
            path[row] = above;
            continue;
        }
        slot *here = find(table, mask, above, tag[row]);
        if (here->number < 0) *here = (slot){above, tag[row], known++};
        path[row] = here->number;
        if ((uint32_t)known * 2 > mask) table = grow_table(table, &mask);
    }
    free(table);
    return table ? 0 : -1;
}

int group_texts(const int32_t *chars, const int32_t *flags, const int32_t *path, int32_t rows, group_list *out) {
    memset(out, 0, sizeof(*out));
    out->longest = -1;
    size_t most = (size_t)rows + 1;
    out->nodes = malloc(most * sizeof(int32_t));
    out->first = malloc(most * sizeof(int32_t));
    out->path = malloc(most * sizeof(int32_t));
    out->length = malloc(most * sizeof(int64_t));
    if (!out->nodes || !out->first || !out->path || !out->length) return -1;
    for (int32_t row = 0; row < rows; row++) {
        if (!chars[row] || flags[row] & FLAG_UNRENDERED) continue;
        if (!out->group_count || out->path[out->group_count - 1] != path[row]) {
            out->first[out->group_count] = out->node_count;
            out->path[out->group_count] = path[row];
            out->length[out->group_count++] = 0;
        }
        out->length[out->group_count - 1] += chars[row];
        out->nodes[out->node_count++] = row;
    }
    for (int32_t at = 0; at < out->group_count; at++)
        if (out->longest < 0 || out->length[at] > out->length[out->longest]) out->longest = at;
    return 0;
}

void group_list_free(group_list *list) {
    free(list->nodes);
    free(list->first);
    free(list->path);
    free(list->length);
}
