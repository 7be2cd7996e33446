#include "formula_rows.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "simd.h"
#include "tags_table.h"

static bool starts_with(const uint8_t *text, int32_t length, const char *word) {
    size_t size = strlen(word);
    return (size_t)length >= size && memcmp(text, word, size) == 0;
}

bool names_renderer(const uint8_t *text, int32_t length) {
    static const char *const renderers[] = {FORMULA_CLASSES};
    for (size_t at = 0; at < sizeof renderers / sizeof *renderers; at++) {
        if (*text != (uint8_t)*renderers[at]) continue;
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

/* Whether "tex" or "math" starts in 32 bytes, but for the last three. */
static inline bool starts_tex(const uint8_t *at) {
    simd_bytes one = simd_load(at), other = simd_load(at + SIMD_WIDTH);
#define ALL_OF(letter) (simd_mask(simd_equal(one, letter)) | simd_mask(simd_equal(other, letter)) << SIMD_WIDTH)
    uint32_t t = ALL_OF('t'), tex = t & ALL_OF('e') >> 1 & ALL_OF('x') >> 2;
    return tex | (ALL_OF('m') & ALL_OF('a') >> 1 & t >> 2 & ALL_OF('h') >> 3);
#undef ALL_OF
}

bool mentions_tex(const uint8_t *text, int32_t length) {
    enum { SEARCHED = 2 * SIMD_WIDTH - 3 };
    uint8_t rest[2 * SIMD_WIDTH] = {0};
    if (length > FORMULA_IMAGE_BYTES) length = FORMULA_IMAGE_BYTES;
    for (; length >= 2 * SIMD_WIDTH; text += SEARCHED, length -= SEARCHED)
        if (starts_tex(text)) return true;
    if (length) memcpy(rest, text, (size_t)length);
    return starts_tex(rest);
}

static bool is_image_class(const uint8_t *word, int32_t length) {
    static const char *const known[] = {FORMULA_IMAGE_CLASSES};
    for (size_t at = 0; at < sizeof known / sizeof *known; at++)
        if ((size_t)length == strlen(known[at]) && memcmp(word, known[at], (size_t)length) == 0) return true;
    return starts_with(word, length, FORMULA_IMAGE_CLASS_START);
}

/* All bytes but those of ASCII words separate here. */
static bool has_image_class(const uint8_t *text, int32_t length) {
    for (int32_t at = 0, stop; at < length; at = stop + 1) {
        for (stop = at; stop < length && text[stop] > ' ' && text[stop] < 0x80; stop++) continue;
        if (stop > at && is_image_class(text + at, stop - at)) return true;
    }
    return false;
}

static bool contains(const uint8_t *text, int32_t length, const char *word) {
    const uint8_t *stop = text + length;
    for (const uint8_t *at = text; at < stop && (at = memchr(at, word[0], (size_t)(stop - at))) != NULL; at++)
        if (starts_with(at, (int32_t)(stop - at), word)) return true;
    return false;
}

static bool has_image_source(const uint8_t *text, int32_t length) {
    static const char *const known[] = {FORMULA_IMAGE_SOURCES};
    for (size_t at = 0; at < sizeof known / sizeof *known; at++)
        if (contains(text, length, known[at])) return true;
    return false;
}

bool is_other_image(const node_view *nodes, const formula_rules *rules, int32_t row) {
    if (nodes->tag[row] != TAG_IMG) return false;
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++) {
        int32_t name = nodes->attr_name[at], length = nodes->attr_stop[at] - nodes->attr_start[at];
        const uint8_t *value = bytes_at(nodes, nodes->attr_start[at]);
        if (name == rules->names[FORMULA_NAME_CLASS] && has_image_class(value, length)) return false;
        if (name == rules->names[FORMULA_NAME_SRC] && has_image_source(value, length)) return false;
    }
    return true;
}

static bool attribute_tells(const node_view *nodes, const formula_rules *rules, int32_t tag, int32_t at) {
    int32_t name = nodes->attr_name[at], length = nodes->attr_stop[at] - nodes->attr_start[at];
    const int32_t *names = rules->names;
    const uint8_t *value = bytes_at(nodes, nodes->attr_start[at]);
    if (name == names[FORMULA_NAME_CLASS] && tag != TAG_IMG) return may_name_renderer(value, length);
    if (name == names[FORMULA_NAME_DATA_LATEX] || name == names[FORMULA_NAME_DATA_TEX]) return true;
    if (tag == TAG_IMG && (name == names[FORMULA_NAME_CLASS] || name == names[FORMULA_NAME_SRC]))
        return mentions_tex(value, length);
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
        int32_t tag = nodes->tag[row];
        if (rules->only_images ? tag != TAG_IMG : tag == TAG_TEXT) continue;
        if (!may_be_formula(nodes, rules, row)) continue;
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
