#include "formula_rows.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "tags_table.h"

static bool starts_with(const uint8_t *text, int32_t length, const char *word) {
    size_t size = strlen(word);
    return (size_t)length >= size && memcmp(text, word, size) == 0;
}

/* Whether a class starts with the name of a renderer, and not only with its letters, as "text" does with "tex". */
static bool names_renderer(const uint8_t *text, int32_t length) {
    static const char *const renderers[] = {FORMULA_CLASSES};
    for (size_t at = 0; at < sizeof renderers / sizeof *renderers; at++) {
        int32_t size = (int32_t)strlen(renderers[at]);
        if (starts_with(text, length, renderers[at]) && (length == size || !byte_is(text[size], LETTER))) return true;
    }
    return false;
}

static inline bool may_name_renderer(const uint8_t *text, int32_t length) {
    if (!length) return false;
    switch (text[0]) {
    FORMULA_CLASS_STARTS: return names_renderer(text, length);
    default: return false;
    }
}

static bool mentions_tex(const uint8_t *text, int32_t length) {
    for (int32_t at = 0; at < length; at++) {
        if (text[at] == 't' && starts_with(text + at, length - at, "tex")) return true;
        if (text[at] == 'm' && starts_with(text + at, length - at, "math")) return true;
    }
    return false;
}

static bool attribute_tells(const node_view *nodes, const formula_rules *rules, int32_t tag, int32_t at) {
    int32_t name = nodes->attr_name[at], length = nodes->attr_stop[at] - nodes->attr_start[at];
    const int32_t *names = rules->names;
    const uint8_t *value = bytes_at(nodes, nodes->attr_start[at]);
    if (name == names[FORMULA_NAME_CLASS] && tag != TAG_IMG) return may_name_renderer(value, length);
    if (name == names[FORMULA_NAME_DATA_LATEX] || name == names[FORMULA_NAME_DATA_TEX]) return true;
    if (tag == TAG_IMG && (name == names[FORMULA_NAME_CLASS] || name == names[FORMULA_NAME_SRC]))
        return mentions_tex(value, length < FORMULA_IMAGE_BYTES ? length : FORMULA_IMAGE_BYTES);
    return tag == TAG_SCRIPT && name == names[FORMULA_NAME_TYPE] && starts_with(value, length, "math/");
}

static bool may_be_formula(const node_view *nodes, const formula_rules *rules, int32_t row) {
    int32_t tag = nodes->tag[row];
    if (tag == TAG_MATH) return true;
    for (int at = 0; at < FORMULA_TAGS; at++)
        if (tag == rules->tags[at]) return true;
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++)
        if (attribute_tells(nodes, rules, tag, at)) return true;
    return false;
}

int32_t *formula_rows(const node_view *nodes, const formula_rules *rules, int32_t *count) {
    int32_t *rows = NULL, room = 0;
    *count = 0;
    for (int32_t row = 0; row < nodes->rows; row++) {
        if (nodes->tag[row] == TAG_TEXT || !may_be_formula(nodes, rules, row)) continue;
        if (*count == room) {
            room = room ? 2 * room : 16;
            int32_t *grown = realloc(rows, (size_t)room * sizeof *rows);
            if (!grown) {
                free(rows);
                *count = -1;
                return NULL;
            }
            rows = grown;
        }
        rows[(*count)++] = row;
    }
    return rows;
}
