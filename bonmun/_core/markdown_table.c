#include "grid.h"
#include "markdown_chunks.h"

/* Whether a cell holds what a GFM table cannot: lines of code or another table. */
static bool needs_html(const markdown_state *s, int32_t first, int32_t stop) {
    const writer_page *page = s->plan->page;
    for (int32_t row = first; row < stop; row++) {
        const outline_row *here = s->plan->outline.rows + row;
        if (here->kind == OUTLINE_TABLE) return true;
        int32_t index = here->kind == OUTLINE_LEAF ? s->plan->input.shown[here->at] : -1;
        if (index < 0 || page->kind[index] != KIND_CODE) continue;
        if (memchr(page->text + page->text_start[index], '\n', (size_t)(page->text_stop[index] - page->text_start[index]))) return true;
    }
    return false;
}

/* Write the lines of a cell; false: Python has to write it. */
static bool write_cell_lines(markdown_state *s, const leaf_list *leaves) {
    line_store *store = &s->plan->store;
    int32_t blocks = 0, tildes = 0, dollars = 0;
    store->scratch.used = 0;
    for (int32_t at = 0; at < leaves->count; at++) {
        const outline_row *leaf = s->plan->outline.rows + leaves->rows[at];
        for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++, blocks++) {
            int32_t index = s->plan->input.shown[place];
            if (index >= 0 && s->plan->page->kind[index] == KIND_CODE) return false;
            tildes += count_in_block(store, place, '~');
            dollars += count_in_block(store, place, '$');
            if (dollars) join_text(store, place);
        }
    }
    line_context context = {0, blocks > 1 ? tildes : 0, dollars < 2 ? DOLLARS_HARMLESS : DOLLARS_OF_LINE, true};
    if (dollars > 1 && blocks > 1) context.dollars = dollars_of_joined(store, true);
    size_t start = s->out->used;
    for (int32_t at = 0; at < leaves->count; at++) {
        const outline_row *leaf = s->plan->outline.rows + leaves->rows[at];
        for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) {
            const markdown_line *line = line_at(store, place, &context);
            if (!line) return false;
            if (line->to > line->from && s->out->used > start) output_text(s->out, "<br>");
            output_put(s->out, store->bytes.bytes + line->from, line->to - line->from);
        }
    }
    return true;
}

static void ask_for_cell(markdown_state *s, const leaf_list *leaves) {
    const outline *o = &s->plan->outline;
    int32_t blocks = 0;
    for (int32_t at = 0; at < leaves->count; at++) blocks += o->rows[leaves->rows[at]].count;
    if (s->given) s->is_pythons = true;
    put_request(s, ASKS_FOR_CELL);
    put_request(s, blocks);
    for (int32_t at = 0; at < leaves->count; at++) {
        const outline_row *leaf = o->rows + leaves->rows[at];
        for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) put_request(s, place);
    }
}

static void write_cell(markdown_state *s, const table_grid *grid, const grid_cell *cell) {
    const outline *o = &s->plan->outline;
    leaf_list leaves = {0};
    const uint8_t *bytes;
    size_t length, start = s->out->used;
    for (int32_t part = cell->first; part < cell->first + cell->count; part++) {
        int32_t row = grid->parts[part];
        if (needs_html(s, row + 1, o->rows[row].stop)) s->is_pythons = true;
        s->failed = s->failed || collect_leaves(s->plan->page, o, row + 1, o->rows[row].stop, &leaves);
    }
    if (!markdown_is_over(s) && leaves.count) {
        if (is_given(s->given, o->rows[leaves.rows[0]].at, &bytes, &length)) {
            output_put(s->out, bytes, length);
        } else if (!write_cell_lines(s, &leaves)) {
            s->out->used = start;
            ask_for_cell(s, &leaves);
        }
    }
    free(leaves.rows);
}

/* Write a row of a table; whether any of its cells has text. */
static bool write_row(markdown_state *s, const table_grid *grid, int32_t line) {
    int32_t length = grid->starts[line + 1] - grid->starts[line];
    bool any = false;
    output_text(s->out, "|");
    for (int32_t at = 0; at < grid->column_count && !markdown_is_over(s); at++) {
        int32_t cell = grid->columns[at] < length ? grid->places[grid->starts[line] + grid->columns[at]] : -1;
        output_byte(s->out, ' ');
        size_t start = s->out->used;
        if (cell >= 0) write_cell(s, grid, grid->cells + cell);
        any = any || s->out->used > start;
        output_text(s->out, " |");
    }
    return any;
}

static void write_lines(markdown_state *s, const table_grid *grid) {
    size_t start = s->out->used;
    bool headed = false;
    if ((int64_t)grid->line_count * grid->column_count > MARKDOWN_PADDED) s->is_pythons = true;
    for (int32_t line = 0; line < grid->line_count && !markdown_is_over(s); line++) {
        size_t before = s->out->used;
        if (headed) output_byte(s->out, '\n');
        if (!write_row(s, grid, line)) {
            s->out->used = before;
            continue;
        }
        if (headed) continue;
        output_text(s->out, "\n|");
        for (int32_t at = 0; at < grid->column_count; at++) output_text(s->out, " --- |");
        headed = true;
    }
    if (headed) end_chunk(s, start, false);
}

/* The content of a table above or below its rows. */
static void add_beside(markdown_state *s, int32_t table, bool below, int32_t base) {
    const outline *o = &s->plan->outline;
    bool passed = false;
    for (int32_t row = table + 1; row < o->rows[table].stop; row = o->rows[row].stop) {
        if (o->rows[row].kind == OUTLINE_ROW) passed = true;
        else if (passed == below) add_markdown_rows(s, row, o->rows[row].stop, base, 0);
    }
}

void add_markdown_table(markdown_state *s, int32_t table, int32_t base) {
    table_grid grid;
    s->failed = table_grid_of(s->plan->page, &s->plan->outline, table, &grid) || s->failed;
    add_beside(s, table, false, base);
    if (!markdown_is_over(s)) write_lines(s, &grid);
    add_beside(s, table, true, base);
    table_grid_free(&grid);
}
