#include "page_steps.h"

#include <string.h>


/* The value of an attribute; NULL: missing. */
static const uint8_t *value_of(const node_view *nodes, int32_t row, int32_t name, int32_t *length) {
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++) {
        if (nodes->attr_name[at] != name) continue;
        *length = nodes->attr_stop[at] - nodes->attr_start[at];
        return bytes_at(nodes, nodes->attr_start[at]);
    }
    *length = 0;
    return NULL;
}

static bool is_place(const node_view *nodes, int32_t row, int32_t id) {
    int32_t length;
    const uint8_t *value = value_of(nodes, row, id, &length);
    return length >= 2 && memcmp(value, "B:", 2) == 0;
}

static bool is_text_of(const node_view *nodes, int32_t row, int32_t parent) {
    return nodes->tag[row] == TAG_TEXT && nodes->chars[row] && nodes->parent[row] == parent;
}

/* Whether a button is between two texts of a sentence; bonmun/read/sentence_buttons.py looks closer. */
static bool is_in_sentence(const node_view *nodes, int32_t row) {
    int32_t parent = nodes->parent[row], behind = nodes->end[row];
    if (!is_text_of(nodes, row - 1, parent) || behind >= nodes->end[parent] || !is_text_of(nodes, behind, parent)) return false;
    switch (nodes->tag[parent]) {
    case TAG_P: case TAG_LI: case TAG_DD: case TAG_TD: case TAG_BLOCKQUOTE: case TAG_FIGCAPTION: return true;
    default: return false;
    }
}

static bool is_code(int32_t tag) { return tag == TAG_PRE || tag == TAG_LISTING || tag == TAG_PLAINTEXT || tag == TAG_XMP; }

static bool is_line_name(const uint8_t *word, int32_t length) {
    static const char *const known[] = {CODE_LINE_NAMES};
    for (size_t at = 0; at < sizeof known / sizeof *known; at++)
        if (*word == (uint8_t)*known[at] && (size_t)length == strlen(known[at]) && !memcmp(word, known[at], (size_t)length)) return true;
    return false;
}

/* Whether a class may name a line of code or its number. All bytes but those of ASCII words separate here. */
static bool names_line(const uint8_t *text, int32_t length) {
    for (int32_t at = 0, stop; at < length; at = stop + 1) {
        for (stop = at; stop < length && text[stop] > ' ' && text[stop] < 0x80; stop++) continue;
        if (stop > at && is_line_name(text + at, stop - at)) return true;
    }
    return false;
}

/* Whether the first text shown in code is white space, so that it may be an indentation. */
static bool starts_blank(const node_view *nodes, int32_t code) {
    for (int32_t row = code + 1; row < nodes->end[code]; row++)
        if (nodes->tag[row] == TAG_TEXT && !(nodes->flags[row] & FLAG_UNRENDERED)) return !nodes->chars[row];
    return false;
}

/* Whether code, or a table around it, has elements named like lines, or starts with an indentation; bonmun/read/code_lines.py and
 * line_numbers.py look closer. */
static bool may_have_lines(const node_view *nodes, int32_t class) {
    int32_t table = 0, table_stop = 0, pre_stop = 0; /* the latest outermost table, the end of the latest outermost pre */
    for (int32_t row = 0; row < nodes->rows; row++) {
        if (row >= table_stop && nodes->tag[row] == TAG_TABLE) {
            table = row;
            table_stop = nodes->end[row];
        }
        if (!is_code(nodes->tag[row])) continue;
        int32_t from = row < table_stop ? table : row, stop = row < table_stop ? table_stop : nodes->end[row], length;
        for (row = from; row < stop; row++) {
            const uint8_t *value = value_of(nodes, row, class, &length);
            if (names_line(value, length)) return true;
            if (row < pre_stop || nodes->tag[row] != TAG_PRE) continue;
            if (starts_blank(nodes, row)) return true;
            pre_stop = nodes->end[row];
        }
        row = stop - 1;
    }
    return false;
}

/* Steps by single rows: buttons and places of late parts. */
static int32_t steps_of_rows(const node_view *nodes, int32_t id) {
    int32_t steps = 0;
    for (int32_t row = 1; row < nodes->rows; row++) {
        if (nodes->tag[row] == TAG_BUTTON && is_in_sentence(nodes, row)) steps |= STEP_BUTTONS;
        if (nodes->tag[row] == TAG_TEMPLATE && is_place(nodes, row, id)) steps |= STEP_PLACES;
    }
    return steps;
}

int32_t page_steps(const tree *t, const node_view *nodes, const page_facts *facts) {
    const store *s = t->store;
    int32_t steps = 0;
    if (!s->is_valid || s->refers_to_forbidden) steps |= STEP_VALID;
    if (t->seen[TAG_PRE] && (facts->names[KNOWN_LINE_NUMBER] >= 0 || may_have_lines(nodes, facts->names[KNOWN_CLASS])))
        steps |= STEP_CODE;
    if (t->seen[TAG_Q]) steps |= STEP_QUOTATIONS;
    if (t->seen[TAG_BUTTON] || t->seen[TAG_TEMPLATE]) steps |= steps_of_rows(nodes, facts->names[KNOWN_ID]);
    if (facts->may_have_formulas) steps |= STEP_FORMULAS;
    for (int32_t at = 0; at < facts->role_count && !(steps & STEP_ROLES); at++)
        if (facts->roles[at].role >= ARIA_FIRST_OF_TABLE) steps |= STEP_ROLES;
    return steps;
}
