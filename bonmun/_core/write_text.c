#include "write_text.h"

#include "grid.h"
#include "numbering.h"
#include "whitespace.h"

typedef struct {
    const writer_page *page;
    const outline_input *input;
    const given_texts *given;
    output_buffer *out;
    outline outline;
    counted_items counted;
    leaf_list leaves; /* of the current cell */
    bool failed;
} text_state;

typedef struct {
    const uint8_t *bytes;
    int32_t length;
} text_range;

int32_t given_at(const given_texts *given, int32_t place) {
    int32_t low = 0, high = given->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (given->places[middle] < place) low = middle + 1;
        else high = middle;
    }
    return low < given->count && given->places[low] == place ? low : -1;
}

static text_range text_at(const text_state *s, int32_t place) {
    const writer_page *page = s->page;
    int32_t index = s->input->shown[place], known = s->given->count ? given_at(s->given, place) : -1;
    if (known >= 0)
        return (text_range){s->given->bytes + s->given->starts[known], s->given->starts[known + 1] - s->given->starts[known]};
    if (index < 0) return (text_range){NULL, 0};
    return (text_range){page->text + page->text_start[index], page->text_stop[index] - page->text_start[index]};
}

/* The texts of rows with any, separated by line breaks, written behind those from `start` on. */
typedef struct {
    size_t start;
    int breaks;
} text_level;

static void begin(text_state *s, text_level level) {
    if (s->out->used > level.start) output_put(s->out, "\n\n", (size_t)level.breaks);
}

static void write_leaf(text_state *s, const outline_row *leaf, text_level level) {
    bool started = false;
    for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) {
        text_range text = text_at(s, place);
        if (!text.length) continue;
        if (started) output_byte(s->out, '\n');
        else begin(s, level);
        output_put(s->out, text.bytes, (size_t)text.length);
        started = true;
    }
}

/* Indent the lines behind the first one of all text from `start` on; empty lines stay empty. */
static void indent_rest(output_buffer *out, size_t start) {
    size_t lines = 0;
    for (size_t at = start; at + 1 < out->used; at++) lines += out->bytes[at] == '\n' && out->bytes[at + 1] != '\n';
    if (!lines || !output_reserve(out, 2 * lines)) return;
    size_t from = out->used, to = out->used + 2 * lines;
    out->used = to;
    while (to > from) { /* from the end on, until nothing moves */
        uint8_t byte = out->bytes[--from];
        if (byte == '\n' && from + 1 < out->used && to < out->used && out->bytes[to] != '\n') {
            out->bytes[--to] = ' ';
            out->bytes[--to] = ' ';
        }
        out->bytes[--to] = byte;
    }
}

static void write_rows(text_state *s, int32_t first, int32_t stop, text_level level);

static void write_marker(text_state *s, const list_marks *marks, int32_t item, int32_t written) {
    if (!marks->ordered) {
        output_byte(s->out, '-');
    } else {
        output_number(s->out, marks->numbers ? marks->numbers[item] : (int64_t)marks->start + written);
        output_byte(s->out, '.');
    }
    if (marks->checked && marks->checked[item] != NOT_A_TASK) output_text(s->out, marks->checked[item] ? " [x]" : " [ ]");
    output_byte(s->out, ' ');
}

static void write_list(text_state *s, int32_t list, text_level level) {
    list_marks marks;
    s->failed = list_marks_of(s->page, &s->counted, &s->outline, list, &marks) || s->failed;
    int32_t item = 0, written = 0;
    for (int32_t row = list + 1; row < s->outline.rows[list].stop && !s->failed; row = s->outline.rows[row].stop, item++) {
        size_t before = s->out->used;
        if (written) output_byte(s->out, '\n');
        else begin(s, level);
        write_marker(s, &marks, item, written);
        size_t start = s->out->used;
        write_rows(s, row + 1, s->outline.rows[row].stop, (text_level){start, 1});
        if (s->out->used == start) {
            s->out->used = before;
            continue;
        }
        indent_rest(s->out, start);
        written++;
    }
    list_marks_free(&marks);
}

/* Text on one line, as `" ".join(text.split())`. */
static void write_collapsed_line(output_buffer *out, text_range text, bool *gap, size_t start) {
    for (int32_t at = 0; at < text.length;) {
        int32_t space = space_length(text.bytes + at, text.length - at), from = at;
        if (space) {
            *gap = out->used > start;
            at += space;
            continue;
        }
        while (at < text.length && !space_length(text.bytes + at, text.length - at)) at++;
        if (*gap) output_byte(out, ' ');
        *gap = false;
        output_put(out, text.bytes + from, (size_t)(at - from));
    }
}

static void write_cell(text_state *s, const table_grid *grid, const grid_cell *cell) {
    s->leaves.count = 0;
    for (int32_t part = cell->first; part < cell->first + cell->count && !s->failed; part++) {
        int32_t row = grid->parts[part];
        s->failed = collect_leaves(s->page, &s->outline, row + 1, s->outline.rows[row].stop, &s->leaves) != 0;
    }
    for (int32_t at = 0; at < s->leaves.count && !s->failed; at++) {
        const outline_row *leaf = s->outline.rows + s->leaves.rows[at];
        if (at) output_byte(s->out, ' ');
        size_t start = s->out->used;
        bool gap = false;
        for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) {
            write_collapsed_line(s->out, text_at(s, place), &gap, start);
            gap = s->out->used > start; /* a line break between two blocks */
        }
    }
}

static void write_lines(text_state *s, const table_grid *grid, text_level level) {
    bool started = false;
    for (int32_t line = 0; line < grid->line_count && !s->failed; line++) {
        int32_t length = grid->starts[line + 1] - grid->starts[line];
        size_t before = s->out->used;
        if (started) output_byte(s->out, '\n');
        else begin(s, level);
        size_t start = s->out->used;
        for (int32_t at = 0; at < grid->column_count && grid->columns[at] < length; at++) {
            int32_t cell = grid->places[grid->starts[line] + grid->columns[at]];
            if (at) output_byte(s->out, '\t');
            if (cell >= 0) write_cell(s, grid, grid->cells + cell);
        }
        while (s->out->used > start && (s->out->bytes[s->out->used - 1] == '\t' || s->out->bytes[s->out->used - 1] == ' ')) s->out->used--;
        if (s->out->used == start) s->out->used = before;
        else started = true;
    }
}

/* The content of a table above or below its rows. */
static void write_beside(text_state *s, int32_t table, bool below, text_level level) {
    bool passed = false;
    for (int32_t row = table + 1; row < s->outline.rows[table].stop; row = s->outline.rows[row].stop) {
        if (s->outline.rows[row].kind == OUTLINE_ROW) passed = true;
        else if (passed == below) write_rows(s, row, s->outline.rows[row].stop, level);
    }
}

static void write_table(text_state *s, int32_t table, text_level level) {
    table_grid grid;
    s->failed = table_grid_of(s->page, &s->outline, table, &grid) || s->failed;
    write_beside(s, table, false, level);
    if (!s->failed) write_lines(s, &grid, level);
    write_beside(s, table, true, level);
    table_grid_free(&grid);
}

static void write_rows(text_state *s, int32_t first, int32_t stop, text_level level) {
    for (int32_t row = first; row < stop && !s->failed; row = s->outline.rows[row].stop) {
        const outline_row *here = s->outline.rows + row;
        switch (here->kind) {
        case OUTLINE_LEAF: write_leaf(s, here, level); break;
        case OUTLINE_RULE: break;
        case OUTLINE_LIST: write_list(s, row, level); break;
        case OUTLINE_TABLE: write_table(s, row, level); break;
        default: write_rows(s, row + 1, here->stop, level);
        }
    }
}

/* Paragraphs alone need no outline: most articles have little else. */
static bool is_flat(const writer_page *page, const outline_input *input) {
    for (int32_t place = 0; place < input->count; place++)
        if (input->shown[place] < 0 || page->kind[input->shown[place]] != KIND_PARAGRAPH) return false;
    return true;
}

static void write_paragraphs(text_state *s) {
    for (int32_t place = 0; place < s->input->count; place++) {
        text_range text = text_at(s, place);
        if (place) output_put(s->out, "\n\n", s->page->continues[s->input->shown[place]] ? 1 : 2);
        output_put(s->out, text.bytes, (size_t)text.length);
    }
}

int write_text(const writer_page *page, const outline_input *input, const given_texts *given, output_buffer *out) {
    text_state s = {.page = page, .input = input, .given = given, .out = out};
    if (is_flat(page, input)) {
        write_paragraphs(&s);
    } else {
        s.failed = outline_build(page, input, &s.outline) != 0;
        write_rows(&s, 0, s.outline.count, (text_level){out->used, 2});
    }
    outline_free(&s.outline);
    counted_items_free(&s.counted);
    free(s.leaves.rows);
    return s.failed || out->failed ? -1 : 0;
}
