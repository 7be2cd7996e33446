#include "segment.h"

#include <stdlib.h>
#include <string.h>

#include "block_text.h"
#include "constants_table.h"
#include "tags_table.h"
#include "whitespace.h"

enum { MAX_PIECES = 2 }; /* mean pieces of content in a data table's cell; segment_reference.py gives the reason */

typedef struct {
    const node_view *nodes;
    const segment_rules *rules;
    block_list *out;
    int32_t *element, *structure; /* by row of an element, -1 too: nearest block-level element; nearest element that gives a kind */
    uint8_t *is_data;             /* by row: whether it is a data table */
    int32_t at, first, stop, within; /* the current run: its element, rows and structure */
    int32_t breaks;                  /* line breaks since the last block; 2: other block boundary */
    bool shows, hides, pictures;
    int32_t latest;                   /* the latest table; -1: none */
    int32_t list, lists;              /* the parent of the latest item, and how many lists it is in */
    int32_t lines_stop, heading_stop; /* the ends of the latest pre and heading of lines */
} run_state;

static bool grow(void **array, int32_t *room, int64_t needed, size_t size) {
    if (needed <= *room) return true;
    int64_t wanted = *room ? *room : 64;
    while (wanted < needed) wanted *= 2;
    if (wanted > INT32_MAX) return false;
    void *grown = realloc(*array, (size_t)wanted * size);
    if (!grown) return false;
    *array = grown;
    *room = (int32_t)wanted;
    return true;
}

/* The value of an attribute; NULL: missing. */
static const uint8_t *value_of(const node_view *nodes, int32_t row, int32_t name, int32_t *length) {
    *length = 0;
    if (name < 0) return NULL;
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++) {
        if (nodes->attr_name[at] != name) continue;
        *length = nodes->attr_stop[at] - nodes->attr_start[at];
        return bytes_at(nodes, nodes->attr_start[at]);
    }
    return NULL;
}

static bool is_word(const uint8_t *text, int32_t length, const char *word) {
    return length == (int32_t)strlen(word) && memcmp(text, word, (size_t)length) == 0;
}

static void strip(const uint8_t **text, int32_t *length) {
    while (*length) {
        int32_t space = space_length(*text, *length);
        if (!space) break;
        *text += space;
        *length -= space;
    }
    while (*length) {
        int32_t space = space_length_before(*text, *length);
        if (!space) break;
        *length -= space;
    }
}

/* A side of 0 or 1 pixel: a tracking pixel. */
static bool is_thin(const run_state *s, int32_t row, int32_t name) {
    int32_t length;
    const uint8_t *side = value_of(s->nodes, row, s->rules->names[name], &length);
    if (!side) return false;
    strip(&side, &length);
    if (length > 2 && memcmp(side + length - 2, "px", 2) == 0) length -= 2;
    return length == 1 && (side[0] == '0' || side[0] == '1');
}

static bool is_address(const uint8_t *text, int32_t length, bool is_set) {
    if (!text) return false;
    strip(&text, &length);
    if (is_set) { /* the first candidate of a srcset */
        const uint8_t *gap = memchr(text, ' ', (size_t)length);
        if (gap) length = (int32_t)(gap - text);
        while (length && text[length - 1] == ',') length--;
    }
    return length > 0 && !(length >= 5 && memcmp(text, "data:", 5) == 0);
}

/* Whether an img shows a picture; is_picture in bonmun/model/pictures.py is the twin. */
static bool is_picture(const run_state *s, int32_t row) {
    if (is_thin(s, row, NAME_WIDTH) || is_thin(s, row, NAME_HEIGHT)) return false;
    for (int32_t name = NAME_SRC; name < NAME_COUNT; name++) {
        int32_t length;
        const uint8_t *value = value_of(s->nodes, row, s->rules->names[name], &length);
        if (is_address(value, length, name >= NAME_SRCSET)) return true;
    }
    return false;
}

static bool is_cell(int32_t tag) { return tag == TAG_TD || tag == TAG_TH; }

/* Whether an element separates two pieces of content in a cell; list items are one piece. */
static bool separates(const run_state *s, int32_t tag) {
    switch (tag) {
    case TAG_UL: case TAG_OL: case TAG_MENU: case TAG_DIR: case TAG_LI: case TAG_DL: case TAG_DT: case TAG_DD: return false;
    default: return (role_of(s->rules, tag) & ROLE_BLOCK) != 0;
    }
}

/* Counts over a table's own content, without that of tables inside it. */
typedef struct {
    int32_t row, cells, rows, filled, pieces; /* `filled`: cells with text; `pieces`: separate texts in cells */
    bool headed, nested, is_new_cell, is_new_piece;
} table_counts;

typedef struct {
    table_counts *items;
    int32_t count, room;
} table_list;

static void count_row(const run_state *s, table_counts *table, int32_t row) {
    int32_t tag = s->nodes->tag[row];
    if (tag == TAG_TEXT) {
        if (!s->nodes->chars[row] || s->nodes->flags[row] & FLAG_UNRENDERED) return;
        table->filled += table->is_new_cell;
        table->pieces += table->is_new_piece;
        table->is_new_cell = table->is_new_piece = false;
    } else if (is_cell(tag)) {
        table->cells++;
        table->is_new_cell = table->is_new_piece = true;
    } else if (separates(s, tag)) {
        table->is_new_piece = true;
    }
    table->rows += tag == TAG_TR;
    table->headed = table->headed || tag == TAG_TH || tag == TAG_CAPTION || tag == TAG_THEAD;
}

/* Count an outermost table and those inside it in one pass; `structure` is still free to hold each row's table. */
static bool count_tables(run_state *s, int32_t outermost, table_list *list) {
    const node_view *nodes = s->nodes;
    int32_t *table_of = s->structure;
    for (int32_t row = outermost; row < nodes->end[outermost]; row++) {
        if (row > outermost) {
            table_of[row] = table_of[nodes->parent[row]];
            count_row(s, &list->items[table_of[row]], row);
        }
        if (nodes->tag[row] != TAG_TABLE) continue;
        if (row > outermost) list->items[table_of[row]].nested = true;
        if (!grow((void **)&list->items, &list->room, list->count + 1, sizeof(table_counts))) return false;
        list->items[list->count] = (table_counts){row, 0, 0, 0, 0, false, false, false, false};
        table_of[row] = list->count++;
    }
    return true;
}

/* segment_reference.py gives the reasons. */
static bool holds_data(const run_state *s, const table_counts *table) {
    int32_t length;
    const uint8_t *role = value_of(s->nodes, table->row, s->rules->names[NAME_ROLE], &length);
    if (role && (is_word(role, length, "presentation") || is_word(role, length, "none"))) return false;
    if (table->cells < 2) return false;
    bool is_plain = table->pieces <= MAX_PIECES * table->filled;
    if (table->headed) return is_plain || !table->nested;
    return is_plain && !table->nested && table->rows > 1 && table->cells >= 2 * table->rows;
}

static bool add_data_table(run_state *s, int32_t row) {
    block_list *out = s->out;
    s->is_data[row] = 1;
    if (!grow((void **)&out->tables, &out->table_room, out->table_count + 1, sizeof(int32_t))) return false;
    out->tables[out->table_count++] = row;
    return true;
}

static bool find_data_tables(run_state *s) {
    table_list list = {NULL, 0, 0};
    bool ok = true;
    for (int32_t row = 0; ok && row < s->nodes->rows; row++) {
        if (s->nodes->tag[row] != TAG_TABLE) continue;
        ok = count_tables(s, row, &list);
        row = s->nodes->end[row] - 1;
    }
    for (int32_t at = 0; ok && at < list.count; at++)
        if (holds_data(s, &list.items[at])) ok = add_data_table(s, list.items[at].row);
    free(list.items);
    return ok;
}

static int32_t table_around(const run_state *s, int32_t row) {
    for (row = s->nodes->parent[row]; row >= 0; row = s->nodes->parent[row])
        if (s->nodes->tag[row] == TAG_TABLE) return row;
    return -1;
}

/* Whether all block-level elements in a pre are lines of its code. */
static bool holds_lines(const run_state *s, int32_t pre) {
    bool any = false;
    for (int32_t row = pre + 1; row < s->nodes->end[pre]; row++) {
        int32_t tag = s->nodes->tag[row];
        if (!(role_of(s->rules, tag) & ROLE_BLOCK) || tag == TAG_BUTTON) continue;
        if (!(role_of(s->rules, tag) & ROLE_LINE)) return false;
        any = true;
    }
    return any;
}

/* The nearest div around a row of a heading; the heading itself if there is none. */
static int32_t heading_line(const run_state *s, int32_t heading, int32_t row) {
    do row = s->nodes->parent[row];
    while (row != heading && s->nodes->tag[row] != TAG_DIV);
    return row;
}

/* Whether the texts of a heading are in several divs; segment_reference.py gives the reasons. */
static bool has_lines(const run_state *s, int32_t heading) {
    const node_view *nodes = s->nodes;
    int32_t stop = nodes->end[heading], line = -1, chars = 0;
    bool any = false, several = false;
    if (stop - heading > HEADING_ROWS) return false;
    for (int32_t row = heading + 1; row < stop; row++) {
        int32_t tag = nodes->tag[row];
        if (tag == TAG_IMG || (tag != TAG_DIV && role_of(s->rules, tag) & ROLE_BLOCK)) return false;
        any = any || tag == TAG_DIV;
        if (!nodes->chars[row] || nodes->flags[row] & (FLAG_UNRENDERED | FLAG_HIDDEN)) continue;
        int32_t here = heading_line(s, heading, row);
        several = several || (line >= 0 && here != line);
        line = here;
        chars += nodes->chars[row];
    }
    return any && several && chars <= HEADING_CHARACTERS;
}

/* Find the row's nearest elements; rows come in order. */
static inline void find_ancestry(run_state *s, int32_t row) {
    const node_view *nodes = s->nodes;
    int32_t parent = nodes->parent[row], tag = nodes->tag[row];
    uint8_t role = role_of(s->rules, tag);
    int32_t is_block = -((role & ROLE_BLOCK) != 0); /* all bits: hard to predict */
    s->element[row] = (row & is_block) | (s->element[parent] & ~is_block);
    s->structure[row] = s->structure[parent];
    if (tag == TAG_TABLE) s->latest = row;
    if (row < s->lines_stop && role & ROLE_LINE) {
        s->element[row] = s->element[parent];
        return;
    }
    if (row < s->heading_stop && tag == TAG_DIV) s->element[row] = s->element[parent];
    if (!(role & ROLE_KIND)) return;
    if ((role & ROLE_KIND) == KIND_HEADING + 1 && has_lines(s, row)) s->heading_stop = nodes->end[row];
    if ((role & ROLE_KIND) == KIND_CODE + 1 && holds_lines(s, row)) s->lines_stop = nodes->end[row];
    if (is_cell(tag)) {
        int32_t table = s->latest >= 0 && row < nodes->end[s->latest] ? s->latest : table_around(s, row);
        if (table < 0 || !s->is_data[table]) return;
    }
    s->structure[row] = row;
}

static int32_t kind_of_structure(const run_state *s, int32_t row) {
    return row < 0 ? KIND_PARAGRAPH : (role_of(s->rules, s->nodes->tag[row]) & ROLE_KIND) - 1;
}

/* The lists or quotations from a row upwards. */
static int32_t count_around(const run_state *s, int32_t kind, int32_t row) {
    const node_view *nodes = s->nodes;
    int32_t count = 0;
    for (; row >= 0; row = nodes->parent[row])
        count += kind == KIND_ITEM ? (role_of(s->rules, nodes->tag[row]) & ROLE_LIST) != 0 : nodes->tag[row] == TAG_BLOCKQUOTE;
    return count;
}

static int32_t level_of(run_state *s, int32_t kind) {
    if (kind == KIND_HEADING) return s->nodes->tag[s->within] - TAG_H1 + 1;
    if (kind != KIND_ITEM && kind != KIND_QUOTE) return 0;
    int32_t parent = s->nodes->parent[s->within];
    if (kind == KIND_QUOTE) return 1 + count_around(s, kind, parent);
    if (s->list != parent) { /* most items follow another of their list */
        s->list = parent;
        s->lists = count_around(s, kind, parent);
    }
    return s->lists ? s->lists : 1;
}

/* Room for the text of the run's rows; the form of a script has up to three bytes per byte, and parentheses. Plain words are
 * copied SIMD_WIDTH bytes at once. */
static bool reserve_text(const run_state *s) {
    const node_view *nodes = s->nodes;
    int64_t most = s->out->text_used + SIMD_WIDTH;
    for (int32_t row = s->first; row < s->stop; row++) most += 3 * (int64_t)(nodes->stop[row] - nodes->start[row]) + 6;
    return grow((void **)&s->out->text, &s->out->text_room, most, 1);
}

/* Append the text of the run's rows; sets the block's text fields and link_chars. */
static bool write_text(run_state *s, block *b, bool hidden) {
    if (!reserve_text(s)) return false;
    block_list *out = s->out;
    uint8_t *from = out->text + out->text_used;
    text_writer w = {from, from, 0, false, false, false};
    int32_t skipped = hidden ? FLAG_UNRENDERED : FLAG_UNRENDERED | FLAG_HIDDEN;
    block_rows rows = {s->nodes, s->rules, s->first, s->stop, skipped, b->kind == KIND_HEADING};
    b->link_chars = b->kind == KIND_CODE ? write_code(&rows, &w) : write_rows(&rows, &w);
    b->text_start = out->text_used;
    if (w.solid) {
        out->text_used = (int32_t)(w.to - out->text);
        b->chars = w.chars;
    }
    b->text_stop = out->text_used;
    return true;
}

static bool append_block(run_state *s) {
    block_list *out = s->out;
    bool hidden = s->hides && !s->shows;
    int32_t kind = kind_of_structure(s, s->within);
    block b = {kind, level_of(s, kind), s->at, s->first, s->stop, s->breaks == 1, 0, 0, 0, 0, 0};
    b.flags = (hidden ? FLAG_HIDDEN : 0) | (s->nodes->flags[s->first] & FLAG_CONTROL);
    if (!write_text(s, &b, hidden)) return false;
    if (b.text_start == b.text_stop) {
        if (!s->pictures) return true;
        b.kind = KIND_IMAGE;
    }
    if (!grow((void **)&out->blocks, &out->room, out->count + 1, sizeof(block))) return false;
    out->blocks[out->count++] = b;
    s->breaks = 0;
    return true;
}

static bool end_run(run_state *s) {
    bool ok = !(s->shows || s->hides || s->pictures) || append_block(s);
    s->first = -1;
    s->shows = s->hides = s->pictures = false;
    return ok;
}

static bool close_run(run_state *s) {
    bool ok = end_run(s);
    s->breaks = 2;
    return ok;
}

/* `element`: the row, or the element of a text. */
static inline bool extend(run_state *s, int32_t row, int32_t element) {
    if (s->element[element] != s->at) {
        if (!close_run(s)) return false;
        s->at = s->element[element];
    }
    if (s->first < 0) {
        s->within = s->structure[element];
        s->first = row;
    }
    s->stop = row + 1;
    return true;
}

static bool lines_stay_together(const run_state *s, int32_t structure) {
    int32_t kind = kind_of_structure(s, structure);
    return kind == KIND_HEADING || kind == KIND_CODE || kind == KIND_CAPTION;
}

static inline bool visit_text(run_state *s, int32_t row) {
    int32_t flags = s->nodes->flags[row];
    if (!s->nodes->chars[row] || flags & FLAG_UNRENDERED) return true;
    if (!extend(s, row, s->nodes->parent[row])) return false;
    *(flags & FLAG_HIDDEN ? &s->hides : &s->shows) = true;
    return true;
}

static inline bool visit_element(run_state *s, int32_t row) {
    find_ancestry(s, row);
    int32_t tag = s->nodes->tag[row], flags = s->nodes->flags[row];
    if (flags & FLAG_UNRENDERED) return true;
    if (s->nodes->chars[row]) { /* it stands for a formula */
        if (role_of(s->rules, tag) & ROLE_BLOCK && !close_run(s)) return false;
        if (!extend(s, row, row)) return false;
        *(flags & FLAG_HIDDEN ? &s->hides : &s->shows) = true;
    } else if (tag == TAG_IMG) {
        if (flags & FLAG_HIDDEN || !is_picture(s, row)) return true;
        if (!extend(s, row, row)) return false;
        s->pictures = true;
    } else if (tag == TAG_BR) {
        if (lines_stay_together(s, s->structure[row])) return true;
        if (!end_run(s)) return false;
        s->breaks++;
    } else if (s->element[row] == row) {
        return close_run(s);
    }
    return true;
}

/* Room for blocks and texts at first, enough for most pages; untouched room costs nothing. */
enum { ROWS_PER_BLOCK = 8, BYTES_PER_TEXT = 8 };

static bool make_room(const node_view *nodes, block_list *out) {
    return grow((void **)&out->blocks, &out->room, nodes->rows / ROWS_PER_BLOCK + 1, sizeof(block)) &&
           grow((void **)&out->text, &out->text_room, nodes->buffer_length / BYTES_PER_TEXT + 1, 1);
}

int segment(const node_view *nodes, const segment_rules *rules, block_list *out) {
    memset(out, 0, sizeof(*out));
    run_state s = {nodes, rules, out, NULL, NULL, NULL, -1, -1, -1, -1, 0, false, false, false, -1, -1, 0, 0, 0};
    size_t rows = (size_t)nodes->rows + 1;
    int32_t *nearest = malloc(2 * rows * sizeof *nearest);
    s.is_data = calloc(rows, 1);
    bool ok = nearest && s.is_data;
    if (ok) {
        s.element = nearest + 1;
        s.structure = s.element + rows;
        s.element[-1] = s.structure[-1] = -1;
    }
    ok = ok && make_room(nodes, out) && find_data_tables(&s);
    for (int32_t row = 0; ok && row < nodes->rows && out->count <= rules->most_blocks; row++) {
        ok = nodes->tag[row] == TAG_TEXT ? visit_text(&s, row) : visit_element(&s, row);
    }
    ok = ok && close_run(&s);
    free(nearest);
    free(s.is_data);
    return ok ? 0 : -1;
}

void block_list_free(block_list *list) {
    free(list->blocks);
    free(list->text);
    free(list->tables);
}
