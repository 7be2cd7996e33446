#include "mark_rows.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "tags_table.h"

enum { MOST_LETTERS = MARK_CHARS };

/* The letters of a label in lower case. */
typedef struct {
    char letter[MOST_LETTERS + 1];
    int32_t count;
    bool roman; /* all may be digits of a Roman number */
} label_letters;

typedef enum { NO_LABEL, MAY_BE_LABEL, READ } label_kind;

/* Read the letters of a text: a character that is not ASCII may be any letter, few others stand in a label. */
static label_kind read_letters(const uint8_t *at, const uint8_t *stop, label_letters *letters) {
    for (; at < stop; at++) {
        if (*at >= 0x80) return MAY_BE_LABEL;
        if (!byte_is(*at, LETTER | DIGIT | SPACE) && !byte_in(*at, "()[].:*") && *at >= ' ') return NO_LABEL;
        if (!byte_is(*at, LETTER)) continue;
        if (letters->count == MOST_LETTERS) return NO_LABEL;
        letters->roman &= byte_in(*at, "ivxl");
        letters->letter[letters->count++] = (char)byte_lower(*at);
    }
    return READ;
}

/* Whether letters are those of a number: two at most, or a small Roman one. They may stand behind a word for notes. */
static bool are_of_label(label_letters *letters) {
    static const char *const words[] = {"footnote", "note", "fn", "nb"};
    int32_t left = letters->count;
    letters->letter[letters->count] = 0;
    if (letters->roman) return true;
    for (size_t at = 0; at < sizeof words / sizeof *words; at++) {
        size_t length = strlen(words[at]);
        if (!strncmp(letters->letter, words[at], length)) left = letters->count - (int32_t)length;
    }
    if (left <= 2) return true;
    for (int32_t at = letters->count - left; at < letters->count; at++)
        if (!byte_in((uint8_t)letters->letter[at], "ivxl")) return false;
    return true;
}

static bool may_be_label(const node_view *nodes, int32_t element) {
    label_letters letters = {.roman = true};
    for (int32_t row = element; row < nodes->end[element]; row++) {
        if (nodes->tag[row] != TAG_TEXT) {
            if (nodes->chars[row]) return true; /* a formula */
            continue;
        }
        const uint8_t *text = bytes_at(nodes, nodes->start[row]);
        label_kind kind = read_letters(text, text + (nodes->stop[row] - nodes->start[row]), &letters);
        if (kind != READ) return kind == MAY_BE_LABEL;
    }
    return are_of_label(&letters);
}

static bool is_short_link(const node_view *nodes, int32_t row) {
    int32_t stop = nodes->end[row];
    if (stop - row > MARK_ROWS || nodes->flags[row] & (FLAG_UNRENDERED | FLAG_HIDDEN)) return false;
    int64_t chars = 0;
    for (int32_t inside = row; inside < stop; inside++) chars += nodes->chars[inside];
    return chars > 0 && chars <= MARK_CHARS;
}

/* Whether an address may lead to another place of the same page. White space that is not ASCII may be around it. */
static bool may_stay(const uint8_t *at, const uint8_t *stop, const mark_rules *rules) {
    while (at < stop && (*at <= ' ' || *at >= 0x7F)) at++;
    while (at < stop && stop[-1] <= ' ') stop--;
    if (at < stop && *at == '#') return stop - at > 1;
    ptrdiff_t length = rules->url_length;
    return length && stop - at > length + 1 && at[length] == '#' && !memcmp(at, rules->url, (size_t)length);
}

typedef struct {
    const uint8_t *start, *stop;
} link_address;

static link_address address_at(const node_view *nodes, int32_t at) {
    const uint8_t *start = bytes_at(nodes, nodes->attr_start[at]);
    return (link_address){start, start + (nodes->attr_stop[at] - nodes->attr_start[at])};
}

/* Links that may be marks, each with the index of its address. */
typedef struct {
    int32_t *rows, *addresses, count, room;
} found_links;

static bool append(found_links *found, int32_t row, int32_t address) {
    if (found->count == found->room) {
        int32_t room = found->room ? 2 * found->room : 16;
        int32_t *rows = realloc(found->rows, 2 * (size_t)room * sizeof *rows);
        if (!rows) return false;
        memmove(rows + room, rows + found->room, (size_t)found->count * sizeof *rows);
        found->rows = rows;
        found->addresses = rows + room;
        found->room = room;
    }
    found->rows[found->count] = row;
    found->addresses[found->count++] = address;
    return true;
}

/* Few addresses stay on the page: they are looked at before the links. */
static bool find_links(const node_view *nodes, const mark_rules *rules, found_links *found) {
    int32_t stop = nodes->attr_first[nodes->rows];
    for (int32_t at = 0, row = 0; at < stop; at++) {
        if (nodes->attr_name[at] != rules->href) continue;
        link_address to = address_at(nodes, at);
        if (!may_stay(to.start, to.stop, rules)) continue;
        while (nodes->attr_first[row + 1] <= at) row++;
        bool is_mark = nodes->tag[row] == TAG_A && is_short_link(nodes, row) && may_be_label(nodes, row);
        if (is_mark && !append(found, row, at)) return false;
    }
    return true;
}

/* Drop the links whose address has none of the targets. */
static int32_t keep_targets(const node_view *nodes, const mark_rules *rules, const found_links *found) {
    int32_t kept = 0;
    sign_list targets;
    if (!signs_list(rules->targets, rules->targets_length, &targets)) return 0;
    for (int32_t at = 0; at < found->count; at++) {
        link_address to = address_at(nodes, found->addresses[at]);
        if (signs_in(&targets, to.start, (int32_t)(to.stop - to.start))) found->rows[kept++] = found->rows[at];
    }
    return kept;
}

static bool has_superscript(const node_view *nodes) {
    for (int32_t row = 0; row < nodes->rows; row++)
        if (nodes->tag[row] == TAG_SUP) return true;
    return false;
}

int32_t *mark_rows(const node_view *nodes, const mark_rules *rules, int32_t *count) {
    found_links found = {0};
    if (!find_links(nodes, rules, &found)) {
        free(found.rows);
        *count = -1;
        return NULL;
    }
    *count = found.count && !has_superscript(nodes) ? keep_targets(nodes, rules, &found) : found.count;
    return found.rows;
}
