#include "recipe_signs.h"

#include <string.h>

#include "bytes.h"

static const char json_type[] = "+json", recipe[] = "\"Recipe\"", item_recipe[] = "/recipe";

static bool starts(const uint8_t *text, const char *word, size_t length) {
    for (size_t at = 0; at < length; at++)
        if (byte_lower(text[at]) != (uint8_t)word[at]) return false;
    return true;
}

/* Whether a value has a word, without regard to ASCII case: one that starts with a sign, which is rare in such values. */
static bool has_word(const uint8_t *text, const uint8_t *stop, const char *word, size_t length) {
    for (; (size_t)(stop - text) >= length && (text = memchr(text, word[0], (size_t)(stop - text) - length + 1)); text++)
        if (starts(text, word, length)) return true;
    return false;
}

/* Whether a script mentions the type: the capital R is rarer than the quotation mark. */
static bool mentions_recipe(const uint8_t *text, const uint8_t *stop) {
    const size_t length = sizeof recipe - 1;
    for (; (size_t)(stop - text) >= length; text++) {
        const uint8_t *capital = memchr(text + 1, recipe[1], (size_t)(stop - text) - length + 1);
        if (!capital) return false;
        text = capital - 1;
        if (!memcmp(text, recipe, length)) return true;
    }
    return false;
}

static bool script_mentions_recipe(const node_view *nodes, int32_t row) {
    if (nodes->end[row] <= row + 1 || row + 1 >= nodes->rows) return false;
    int32_t start = nodes->start[row + 1], stop = nodes->stop[row + 1];
    if (start < 0 || stop <= start) return false;
    const uint8_t *text = bytes_at(nodes, start);
    return mentions_recipe(text, text + (stop - start));
}

typedef struct {
    const uint8_t *start, *stop;
} value;

static value value_at(const node_view *nodes, int32_t at) {
    const uint8_t *start = bytes_at(nodes, nodes->attr_start[at]);
    return (value){start, start + (nodes->attr_stop[at] - nodes->attr_start[at])};
}

bool may_be_recipe(const node_view *nodes, int32_t type, int32_t item_type) {
    int32_t stop = nodes->attr_first[nodes->rows], row = 0;
    for (int32_t at = 0; at < stop; at++) {
        int32_t name = nodes->attr_name[at];
        if (name != type && name != item_type) continue;
        value v = value_at(nodes, at);
        if (name == item_type) {
            if (has_word(v.start, v.stop, item_recipe, sizeof item_recipe - 1)) return true;
        } else if (has_word(v.start, v.stop, json_type, sizeof json_type - 1)) {
            while (nodes->attr_first[row + 1] <= at) row++;
            if (script_mentions_recipe(nodes, row)) return true;
        }
    }
    return false;
}
