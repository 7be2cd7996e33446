#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "compiler.h"

/* One allocation for all columns. The cells of a row are written together and should not fall into the same cache set: the
 * stride is an odd number of cache lines. */
enum { LINE = 64 / sizeof(int32_t) };

static size_t stride_for(int32_t room, int32_t extra) {
    return (((size_t)room + (size_t)extra + LINE - 1) / LINE | 1) * LINE;
}

/* The memory of a large page is remapped and its columns move apart in it, the last one first: old and new columns are never there
 * side by side. */
static bool grow(int32_t **homes[], int count, int32_t before, int32_t kept, size_t stride) {
    if (stride > SIZE_MAX / sizeof(int32_t) / (size_t)count) return false;
    int32_t *old = *homes[0] ? *homes[0] - before : NULL;
    size_t old_stride = old ? (size_t)(*homes[1] - *homes[0]) : 0;
    int32_t *memory = realloc(old, (size_t)count * stride * sizeof(int32_t));
    if (!memory) return false;
    for (int at = count - 1; at >= 0; at--) {
        int32_t *to = memory + (size_t)at * stride;
        if (old && at) memmove(to, memory + (size_t)at * old_stride, (size_t)(before + kept) * sizeof(int32_t));
        *homes[at] = to + before;
    }
    return true;
}

COLD bool row_columns_grow(row_columns *c, int32_t kept, int32_t room) {
    int32_t **homes[ROW_COLUMNS] = {
        [ROW_PARENT] = &c->parent, [ROW_TAG] = &c->tag, [ROW_DEPTH] = &c->depth, [ROW_END] = &c->end,
        [ROW_START] = &c->start, [ROW_STOP] = &c->stop, [ROW_CHARS] = &c->chars, [ROW_FLAGS] = &c->flags,
        [ROW_SOURCE_START] = &c->source_start, [ROW_SOURCE_STOP] = &c->source_stop, [ROW_ATTR_FIRST] = &c->attr_first};
    return grow(homes, ROW_COLUMNS, -DOCUMENT, kept, stride_for(room, 2));
}

COLD bool attribute_columns_grow(attribute_columns *c, int32_t kept, int32_t room) {
    int32_t **homes[ATTRIBUTE_COLUMNS] = {[ATTR_NAME] = &c->name, [ATTR_START] = &c->start, [ATTR_STOP] = &c->stop};
    return grow(homes, ATTRIBUTE_COLUMNS, 0, kept, stride_for(room, 0));
}

void row_columns_set_ends(const row_columns *c, int32_t rows) {
    for (int32_t row = rows - 1; row > 0; row--) {
        int32_t *above = &c->end[c->parent[row]];
        if (*above < c->end[row]) *above = c->end[row];
    }
}

void attribute_columns_move(const attribute_columns *from, int32_t at, const attribute_columns *to, int32_t where,
                            int32_t count) {
    size_t size = (size_t)count * sizeof(int32_t);
    memmove(to->name + where, from->name + at, size);
    memmove(to->start + where, from->start + at, size);
    memmove(to->stop + where, from->stop + at, size);
}

void row_columns_free(row_columns *c) {
    if (c->parent) free(c->parent + DOCUMENT);
    memset(c, 0, sizeof *c);
}

void attribute_columns_free(attribute_columns *c) {
    free(c->name);
    memset(c, 0, sizeof *c);
}
