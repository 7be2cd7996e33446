#include "part_texts.h"

#include <stdlib.h>

#include "block_text.h"
#include "tags_table.h"

static bool is_text(const node_view *nodes, int32_t row) {
    return nodes->tag[row] == TAG_TEXT || nodes->tag[row] == TAG_BR || nodes->chars[row];
}

static bool rows_fit(const text_parts *parts, int32_t start, int32_t stop) {
    for (int32_t at = start, least = 0; at < stop; least = parts->rows[at++] + 1)
        if (parts->rows[at] < least || parts->rows[at] >= parts->nodes->rows || !is_text(parts->nodes, parts->rows[at])) return false;
    return start < stop;
}

bool parts_fit(const text_parts *parts, int32_t rows) {
    const int32_t *starts = parts->starts;
    if (starts[0] || starts[parts->count] != rows) return false;
    for (int32_t at = 0; at < parts->count; at++)
        if (starts[at] > starts[at + 1] || starts[at + 1] > rows || !rows_fit(parts, starts[at], starts[at + 1])) return false;
    return true;
}

/* Room for a text: three bytes for each byte of a script, parentheses, and those that are copied at once. */
static bool reserve_text(const node_view *nodes, const int32_t *rows, int32_t count, output_buffer *out) {
    int64_t most = SIMD_WIDTH;
    for (int32_t at = 0; at < count; at++) most += 3 * (int64_t)(nodes->stop[rows[at]] - nodes->start[rows[at]]) + 6;
    return output_reserve(out, (size_t)most) != NULL;
}

static void set_flags(int32_t *flags, const text_parts *parts, int32_t part, int32_t to) {
    for (int32_t at = parts->starts[part]; at < parts->starts[part + 1]; at++) flags[parts->rows[at]] = to;
}

/* Write a text with all rows flagged but its own. */
static bool write_part(const node_view *flagged, const text_parts *parts, int32_t part, output_buffer *out) {
    const int32_t *rows = parts->rows + parts->starts[part];
    int32_t count = parts->starts[part + 1] - parts->starts[part];
    if (!reserve_text(flagged, rows, count, out)) return false;
    uint8_t *from = out->bytes + out->used;
    text_writer w = {from, from, 0, false, false, false};
    block_rows all = {flagged, parts->rules, rows[0], rows[count - 1] + 1, FLAG_UNRENDERED, parts->kinds[part] == KIND_HEADING};
    if (parts->kinds[part] == KIND_CODE) write_code(&all, &w);
    else write_rows(&all, &w);
    if (w.solid) out->used += (size_t)(w.to - from);
    return true;
}

int part_texts(const text_parts *parts, output_buffer *out, int32_t *stops) {
    node_view flagged = *parts->nodes;
    int32_t *flags = malloc((size_t)flagged.rows * sizeof *flags + 1);
    bool enough = flags != NULL;
    for (int32_t row = 0; enough && row < flagged.rows; row++) flags[row] = FLAG_UNRENDERED;
    flagged.flags = flags;
    for (int32_t part = 0; enough && part < parts->count; part++) {
        set_flags(flags, parts, part, 0);
        enough = write_part(&flagged, parts, part, out);
        set_flags(flags, parts, part, FLAG_UNRENDERED);
        stops[part] = (int32_t)out->used;
    }
    free(flags);
    return enough ? 0 : -1;
}
