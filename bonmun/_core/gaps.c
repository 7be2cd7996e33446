#include "gaps.h"

#include "bytes.h"
#include "constants_table.h"
#include "tags_table.h"

/* The length of a letter or digit of a script written with spaces; 0: another character. */
static int32_t spaced_letter(const uint8_t *text, int32_t left) {
    if (byte_is(text[0], LETTER | DIGIT)) return 1;
    return left > 1 && text[0] >= 0xC3 && text[0] <= 0xDF ? 2 : 0;
}

static bool starts_word(const uint8_t *text, int32_t length) {
    int32_t first = length > 1 ? spaced_letter(text, length) : 0;
    return first && first < length && spaced_letter(text + first, length - first);
}

static bool ends_word(const uint8_t *text, int32_t length) {
    for (int letters = 0; letters < 2; letters++) {
        int32_t last = length > 0 && text[length - 1] >= 0x80 ? 2 : 1;
        if (length < last || spaced_letter(text + length - last, last) != last) return false;
        length -= last;
    }
    return true;
}

static bool emphasises(int32_t tag) {
    switch (tag) {
    case TAG_B: case TAG_STRONG: case TAG_I: case TAG_EM: case TAG_U: case TAG_S: case TAG_DEL: case TAG_INS:
    case TAG_MARK: case TAG_SMALL: return true;
    default: return false;
    }
}

static bool in_code(const node_view *nodes, int32_t row) {
    int level = 0; /* not all ancestors: a hostile page may be very deep */
    for (row = nodes->parent[row]; row >= 0 && level < CODE_ANCESTORS; row = nodes->parent[row], level++) {
        switch (nodes->tag[row]) {
        case TAG_CODE: case TAG_KBD: case TAG_SAMP: case TAG_TT: case TAG_VAR: case TAG_SUB: case TAG_SUP: return true;
        default: break;
        }
    }
    return false;
}

bool parted(const node_view *nodes, int32_t before, int32_t row) {
    if (nodes->end[nodes->parent[before]] > row || nodes->parent[row] <= before) return false;
    if (emphasises(nodes->tag[nodes->parent[before]]) && emphasises(nodes->tag[nodes->parent[row]])) return false;
    if (!ends_word(bytes_at(nodes, nodes->start[before]), nodes->stop[before] - nodes->start[before])) return false;
    if (!starts_word(bytes_at(nodes, nodes->start[row]), nodes->stop[row] - nodes->start[row])) return false;
    for (int32_t between = before + 1; between < row; between++)
        if (nodes->tag[between] == TAG_WBR) return false;
    return !in_code(nodes, before) && !in_code(nodes, row);
}

static bool is_ascii_word(const uint8_t *text, const char *word, int32_t length) {
    for (int32_t at = 0; at < length; at++)
        if ((text[at] | (byte_is(text[at], LETTER) ? 32 : 0)) != (uint8_t)word[at]) return false;
    return true;
}

/* Whether a style contains "display:block" or "display: block", in either case. */
static bool displays_block(const uint8_t *style, int32_t length) {
    static const char property[] = "display:", value[] = "block";
    const int32_t before = sizeof property - 1, after = sizeof value - 1;
    for (int32_t at = 0; at + before + after <= length; at++) {
        if ((style[at] | 32) != 'd' || !is_ascii_word(style + at, property, before)) continue;
        int32_t from = at + before;
        from += style[from] == ' ';
        if (from + after <= length && is_ascii_word(style + from, value, after)) return true;
    }
    return false;
}

static bool is_displayed_as_block(const node_view *nodes, const segment_rules *rules, int32_t element) {
    if (role_of(rules, nodes->tag[element]) & ROLE_BLOCK) return true;
    int32_t style = rules->names[NAME_STYLE];
    for (int32_t at = nodes->attr_first[element]; style >= 0 && at < nodes->attr_first[element + 1]; at++)
        if (nodes->attr_name[at] == style)
            return displays_block(bytes_at(nodes, nodes->attr_start[at]), nodes->attr_stop[at] - nodes->attr_start[at]);
    return false;
}

bool on_separate_lines(const node_view *nodes, const segment_rules *rules, int32_t before, int32_t row) {
    int32_t above = nodes->parent[before];
    for (int level = 0; above >= 0 && nodes->end[above] <= row && level < CODE_ANCESTORS; above = nodes->parent[above], level++)
        if (is_displayed_as_block(nodes, rules, above)) return true;
    above = nodes->parent[row];
    for (int level = 0; above > before && level < CODE_ANCESTORS; above = nodes->parent[above], level++)
        if (is_displayed_as_block(nodes, rules, above)) return true;
    return false;
}
