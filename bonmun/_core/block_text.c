#include "block_text.h"

#include "constants_table.h"
#include "gaps.h"
#include "scripts.h"
#include "tags_table.h"

static bool is_cell(int32_t tag) { return tag == TAG_TD || tag == TAG_TH; }

static bool is_script(int32_t tag) { return tag == TAG_SUP || tag == TAG_SUB; }

/* The outermost sup or sub around a row, inside its block-level element; -1: none. */
static int32_t script_around(const block_rows *s, int32_t row) {
    int32_t script = -1;
    row = s->nodes->parent[row];
    for (int level = 0; row >= 0 && level < INLINE_ANCESTORS; row = s->nodes->parent[row], level++) {
        if (role_of(s->rules, s->nodes->tag[row]) & ROLE_BLOCK) break;
        if (is_script(s->nodes->tag[row])) script = row;
    }
    return script;
}

/* A text node, or an element that stands for a formula. */
static bool is_text(const node_view *nodes, int32_t row) {
    return nodes->tag[row] == TAG_TEXT || nodes->chars[row];
}

static int32_t link_chars(const node_view *nodes, int32_t row) {
    return nodes->flags[row] & FLAG_LINK ? nodes->chars[row] : 0;
}

/* Write the text of a sup or sub; false: nothing is written, it stays as it is. bonmun/model/scripts.py is the twin. */
static bool write_script(const block_rows *s, text_writer *w, int32_t script) {
    const node_view *nodes = s->nodes;
    uint8_t core[MAX_SCRIPT + 1], form[MAX_FORM];
    text_writer inside = {core, core, 0, true, false, false}; /* started: leading white space is written */
    int32_t stop = nodes->end[script] < s->stop ? nodes->end[script] : s->stop, left = MAX_SCRIPT;
    uint8_t marker = 0;
    for (int32_t row = script + 1; row < stop; row++) {
        int32_t tag = nodes->tag[row];
        if (is_script(tag)) marker = script_marker(tag == TAG_SUP);
        if (row < s->first || nodes->flags[row] & s->skipped) continue;
        if (tag == TAG_BR) return false;
        if (tag != TAG_TEXT && nodes->chars[row]) return false; /* a formula */
        if (tag != TAG_TEXT) continue;
        int32_t length = nodes->stop[row] - nodes->start[row];
        left -= length + (marker != 0);
        if (left < 0) return false;
        if (marker) write_collapsed(&inside, &marker, 1, 1);
        write_collapsed(&inside, bytes_at(nodes, nodes->start[row]), length, length);
        marker = 0;
    }
    if (!inside.solid) return false;
    bool leading = core[0] == ' ', gap = leading || w->gap;
    int32_t length = script_form(nodes->tag[script] == TAG_SUP, core + leading, (int32_t)(inside.to - core) - leading,
                                 w->from, gap ? 0 : (int32_t)(w->to - w->from), form);
    if (!length) return false;
    if (leading) w->gap = w->started;
    write_collapsed(w, form, length, length);
    if (inside.gap) w->gap = true;
    return true;
}

/* The element of a row's line of code: block-level and no cell. */
static int32_t line_of(const block_rows *s, int32_t row) {
    for (row = s->nodes->parent[row]; row >= 0; row = s->nodes->parent[row])
        if (role_of(s->rules, s->nodes->tag[row]) & ROLE_BLOCK && !is_cell(s->nodes->tag[row])) return row;
    return -1;
}

/* Whether a text is white space between the elements of two lines of code. */
static bool separates_lines(const block_rows *s, int32_t row) {
    const node_view *nodes = s->nodes;
    return !nodes->chars[row] && row + 1 < nodes->rows && nodes->parent[row + 1] == nodes->parent[row] &&
           role_of(s->rules, nodes->tag[row + 1]) & ROLE_BLOCK;
}

/* The bytes of the empty lines at the start. */
static int32_t blank_lines(const uint8_t *text, int32_t length) {
    int32_t blank = 0;
    for (int32_t at = 0; at < length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'); at++)
        if (text[at] == '\n') blank = at + 1;
    return blank;
}

/* Code without the empty lines at either end; code_text in bonmun/model/code.py is the twin. Counts its characters. */
static void trim_code(text_writer *w) {
    int32_t length = (int32_t)(w->to - w->from), blank = blank_lines(w->from, length);
    length -= blank;
    if (blank) memmove(w->from, w->from + blank, (size_t)length);
    for (int32_t space; length && (space = space_length_before(w->from, length)) > 0;) length -= space;
    w->to = w->from + length;
    w->chars = 0;
    for (int32_t at = 0; at < length; at++) w->chars += (w->from[at] & 0xC0) != 0x80;
}

int32_t write_code(const block_rows *s, text_writer *w) {
    const node_view *nodes = s->nodes;
    int32_t line = -1, linked = 0;
    for (int32_t row = s->first; row < s->stop; row++) {
        int32_t tag = nodes->tag[row];
        if (nodes->flags[row] & s->skipped || (tag != TAG_BR && !is_text(nodes, row))) continue;
        if (tag == TAG_TEXT && separates_lines(s, row)) continue;
        linked += link_chars(nodes, row);
        int32_t here = line_of(s, row);
        if (here != line && w->to > w->from && w->to[-1] != '\n') write_verbatim(w, (const uint8_t *)"\n", 1);
        line = here;
        if (tag == TAG_BR) write_verbatim(w, (const uint8_t *)"\n", 1);
        else write_verbatim(w, bytes_at(nodes, nodes->start[row]), nodes->stop[row] - nodes->start[row]);
    }
    trim_code(w);
    return linked;
}

static bool is_gap(const block_rows *s, int32_t before, int32_t row) {
    return parted(s->nodes, before, row) || (s->is_heading && on_separate_lines(s->nodes, s->rules, before, row));
}

static void write_node(const node_view *nodes, int32_t row, text_writer *w) {
    int32_t start = nodes->start[row], length = nodes->stop[row] - start;
    write_collapsed(w, bytes_at(nodes, start), length, start < nodes->buffer_length ? nodes->buffer_length - start : length);
}

int32_t write_rows(const block_rows *s, text_writer *w) {
    const node_view *nodes = s->nodes;
    int32_t script = script_around(s, s->first);
    int32_t script_end = s->first; /* no script starts before the end of the latest one */
    int32_t before = -1;           /* the previous text node */
    int32_t linked = 0;
    bool formed = false;           /* whether the latest script is written */
    for (int32_t row = s->first; row < s->stop; row++) {
        if (row >= script_end && is_script(nodes->tag[row])) script = row;
        if (script >= 0) {
            formed = write_script(s, w, script);
            script_end = nodes->end[script];
            script = -1;
        }
        if (nodes->flags[row] & s->skipped) continue;
        if (nodes->tag[row] == TAG_BR) {
            write_collapsed(w, (const uint8_t *)"\n", 1, 1);
            before = -1;
        } else if (is_text(nodes, row)) {
            if (!formed || row >= script_end) {
                if (before >= 0 && is_gap(s, before, row)) w->gap = w->started;
                write_node(nodes, row, w);
            }
            before = row;
            linked += link_chars(nodes, row);
        }
    }
    return linked;
}
