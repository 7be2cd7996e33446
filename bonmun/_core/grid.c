#include "grid.h"

#include <stdlib.h>
#include <string.h>

#include "tags_table.h"

/* A part of a cell, or a row's first part. */
typedef struct {
    int32_t at, row; /* the row of its element, and its row of the outline */
} element_part;

typedef struct {
    int32_t cell, stop; /* the cell that spans into a column; -1: none; the line where it ends */
    bool first;         /* whether this is its first column */
} reaching_cell;

typedef struct {
    const writer_page *page;
    table_grid *out;
    element_part *kept, *cells; /* kept rows of the table, and the parts of cells, by the rows of their elements */
    int32_t kept_count, cell_count;
    reaching_cell *reaching; /* by column */
    int32_t reach_count, reach_room;
    int64_t room; /* places that spans may still fill */
    bool spans, failed;
} grid_state;

static bool fits(bool *failed, void **items, int32_t count, int32_t *room, size_t size) {
    if (count < *room) return true;
    int32_t wanted = *room < 16 ? 16 : *room + *room / 2;
    void *larger = wanted > *room ? realloc(*items, (size_t)wanted * size) : NULL;
    *failed = *failed || !larger;
    if (!larger) return false;
    *items = larger;
    *room = wanted;
    return true;
}

static int by_element(const void *one, const void *other) {
    const element_part *a = one, *b = other;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int by_place(const void *one, const void *other) {
    const element_part *a = one, *b = other;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* The first part of an element, or where it would be. */
static int32_t find(const element_part *parts, int32_t count, int32_t at) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (parts[middle].at < at) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool is_kept(const grid_state *s, int32_t row) {
    int32_t at = find(s->kept, s->kept_count, row);
    return at < s->kept_count && s->kept[at].at == row;
}

static bool is_cell(const node_view *nodes, int32_t row) { return nodes->tag[row] == TAG_TD || nodes->tag[row] == TAG_TH; }

static void sort(element_part *parts, int32_t count) {
    for (int32_t at = 1; at < count; at++)
        if (by_element(parts + at - 1, parts + at) > 0) { /* a caption that was moved; else they are in order */
            qsort(parts, (size_t)count, sizeof *parts, by_element);
            return;
        }
}

/* Gather the kept rows and the parts of the cells. */
static bool gather(grid_state *s, const outline *o, int32_t table) {
    int32_t rows = 0, cells = 0, stop = o->rows[table].stop, unique = 0;
    for (int32_t row = table + 1; row < stop; row = o->rows[row].stop)
        if (o->rows[row].kind == OUTLINE_ROW) {
            rows++;
            for (int32_t cell = row + 1; cell < o->rows[row].stop; cell = o->rows[cell].stop) cells++;
        }
    s->kept = malloc(((size_t)rows + 1) * sizeof *s->kept);
    s->cells = malloc(((size_t)cells + 1) * sizeof *s->cells);
    s->out->parts = malloc(((size_t)cells + 1) * sizeof *s->out->parts);
    if (!s->kept || !s->cells || !s->out->parts) return false;
    for (int32_t row = table + 1; row < stop; row = o->rows[row].stop)
        if (o->rows[row].kind == OUTLINE_ROW) {
            s->kept[s->kept_count++] = (element_part){o->rows[row].at, row};
            for (int32_t cell = row + 1; cell < o->rows[row].stop; cell = o->rows[cell].stop)
                s->cells[s->cell_count++] = (element_part){o->rows[cell].at, cell};
        }
    sort(s->kept, s->kept_count);
    sort(s->cells, s->cell_count);
    for (int32_t at = 0; at < s->kept_count; at++) /* text between two cells splits a row */
        if (!at || s->kept[at].at != s->kept[at - 1].at) s->kept[unique++] = s->kept[at];
    s->kept_count = unique;
    for (int32_t at = 0; at < s->cell_count; at++) s->out->parts[at] = s->cells[at].row;
    s->out->part_count = s->cell_count;
    return true;
}

static int32_t add_cell(grid_state *s, int32_t row, int32_t columns, bool kept) {
    table_grid *out = s->out;
    int32_t first = kept ? find(s->cells, s->cell_count, row) : 0, count = 0;
    while (kept && first + count < s->cell_count && s->cells[first + count].at == row) count++;
    if (!fits(&s->failed, (void **)&out->cells, out->cell_count, &out->cell_room, sizeof *out->cells)) return -1;
    out->cells[out->cell_count] = (grid_cell){columns, kept, first, count, s->page->nodes.tag[row] == TAG_TH};
    return out->cell_count++;
}

static void add_place(grid_state *s, int32_t cell) {
    table_grid *out = s->out;
    if (fits(&s->failed, (void **)&out->places, out->place_count, &out->place_room, sizeof *out->places))
        out->places[out->place_count++] = cell;
}

static void end_line(grid_state *s) {
    table_grid *out = s->out;
    if (fits(&s->failed, (void **)&out->starts, out->line_count + 1, &out->line_room, sizeof *out->starts))
        out->starts[++out->line_count] = out->place_count;
}

/* The lines on a page without spans. */
static void add_plain_lines(grid_state *s) {
    const node_view *nodes = &s->page->nodes;
    qsort(s->kept, (size_t)s->kept_count, sizeof *s->kept, by_place);
    for (int32_t at = 0; at < s->kept_count && !s->failed; at++) {
        int32_t row = s->kept[at].at;
        for (int32_t child = row + 1; child < nodes->end[row]; child = nodes->end[child])
            if (is_cell(nodes, child)) add_place(s, add_cell(s, child, 1, true));
        end_line(s);
    }
}

static int32_t span_of(const grid_state *s, int32_t row, int name) {
    int32_t span = s->spans ? writer_digits(writer_stripped(s->page, row, name), 6) : 1;
    return span < 1 ? 1 : span > GRID_SPAN ? GRID_SPAN : span;
}

static void reach(grid_state *s, int32_t column, reaching_cell cell) {
    while (s->reach_count <= column && !s->failed) {
        if (fits(&s->failed, (void **)&s->reaching, s->reach_count, &s->reach_room, sizeof *s->reaching))
            s->reaching[s->reach_count++].cell = -1;
    }
    if (!s->failed) s->reaching[column] = cell;
}

/* Fill the next columns that cells of earlier rows span into. */
static void pass_reaching(grid_state *s, int32_t start, int32_t number, bool kept) {
    table_grid *out = s->out;
    for (;;) {
        int32_t column = out->place_count - start;
        reaching_cell *reached = column < s->reach_count ? s->reaching + column : NULL;
        if (s->failed || !reached || reached->cell < 0) return;
        if (reached->stop <= number) {
            reached->cell = -1;
            return;
        }
        s->room--;
        grid_cell *cell = out->cells + reached->cell;
        add_place(s, kept && reached->first && !cell->rows ? reached->cell : -1);
        cell->rows += kept && reached->first;
    }
}

/* Place the cells of a row; false: its spans need more room. */
static bool add_line(grid_state *s, int32_t number, int32_t row) {
    const node_view *nodes = &s->page->nodes;
    bool kept = is_kept(s, row);
    int32_t start = s->out->place_count;
    for (int32_t child = row + 1; child < nodes->end[row] && !s->failed; child = nodes->end[child]) {
        if (!is_cell(nodes, child)) continue;
        pass_reaching(s, start, number, kept);
        int32_t columns = span_of(s, child, WRITER_NAME_COLSPAN), rows = span_of(s, child, WRITER_NAME_ROWSPAN);
        s->room -= columns;
        if (s->spans && s->room < 0) return false;
        int32_t cell = add_cell(s, child, columns, kept);
        for (int32_t offset = 0; offset < columns; offset++) {
            if (rows > 1) reach(s, s->out->place_count - start, (reaching_cell){cell, number + rows, offset == 0});
            add_place(s, offset ? -1 : cell);
        }
    }
    pass_reaching(s, start, number, kept);
    if (kept) end_line(s);
    else s->out->place_count = start;
    return true;
}

/* The next row of a table from `row` on, without those of tables inside it; the table's end: none. */
static int32_t next_row(const node_view *nodes, int32_t table, int32_t row) {
    while (row < nodes->end[table] && nodes->tag[row] != TAG_TR) row = nodes->tag[row] == TAG_TABLE ? nodes->end[row] : row + 1;
    return row < nodes->end[table] ? row : nodes->end[table];
}

static bool add_lines(grid_state *s, int32_t table, int64_t room) {
    const node_view *nodes = &s->page->nodes;
    s->room = room;
    s->spans = room > 0;
    s->out->cell_count = s->out->place_count = s->out->line_count = s->reach_count = 0;
    int32_t number = 0;
    for (int32_t row = next_row(nodes, table, table + 1); row < nodes->end[table] && !s->failed;
         row = next_row(nodes, table, row + 1))
        if (!add_line(s, number++, row)) return false;
    return true;
}

static int64_t count_cells(const node_view *nodes, int32_t table) {
    int64_t count = 0;
    for (int32_t row = next_row(nodes, table, table + 1); row < nodes->end[table]; row = next_row(nodes, table, row + 1))
        for (int32_t child = row + 1; child < nodes->end[row]; child = nodes->end[child]) count += is_cell(nodes, child);
    return count;
}

static bool list_columns(table_grid *out) {
    int32_t most = 0;
    for (int32_t line = 0; line < out->line_count; line++) {
        int32_t length = out->starts[line + 1] - out->starts[line];
        most = length > most ? length : most;
    }
    bool *filled = calloc((size_t)most + 1, sizeof *filled);
    out->columns = malloc(((size_t)most + 1) * sizeof *out->columns);
    for (int32_t line = 0; filled && line < out->line_count; line++)
        for (int32_t at = out->starts[line]; at < out->starts[line + 1]; at++)
            if (out->places[at] >= 0 && out->cells[out->places[at]].count) filled[at - out->starts[line]] = true;
    for (int32_t column = 0; filled && out->columns && column < most; column++)
        if (filled[column]) out->columns[out->column_count++] = column;
    free(filled);
    return filled && out->columns;
}

int table_grid_of(const writer_page *page, const outline *o, int32_t table, table_grid *out) {
    grid_state s = {.page = page, .out = out};
    *out = (table_grid){0};
    int32_t element = o->rows[table].at;
    if (!gather(&s, o, table) || !fits(&s.failed, (void **)&out->starts, 0, &out->line_room, sizeof *out->starts)) {
        s.failed = true;
    } else {
        out->starts[0] = 0;
        if (page->names[WRITER_NAME_COLSPAN] < 0 && page->names[WRITER_NAME_ROWSPAN] < 0) add_plain_lines(&s);
        /* Spans that multiply the size of a table are an attack or nonsense. */
        else if (!add_lines(&s, element, GRID_GROWTH * count_cells(&page->nodes, element) + GRID_SMALL)) add_lines(&s, element, 0);
        s.failed = s.failed || !list_columns(out);
    }
    free(s.kept);
    free(s.cells);
    free(s.reaching);
    return s.failed ? -1 : 0;
}

void table_grid_free(table_grid *grid) {
    free(grid->cells);
    free(grid->places);
    free(grid->starts);
    free(grid->parts);
    free(grid->columns);
}

static int collect_from_table(const writer_page *page, const outline *o, int32_t table, leaf_list *out);

int collect_leaves(const writer_page *page, const outline *o, int32_t first, int32_t stop, leaf_list *out) {
    bool failed = false;
    for (int32_t row = first; row < stop && !failed; row = o->rows[row].stop) {
        int32_t kind = o->rows[row].kind;
        if (kind == OUTLINE_TABLE) {
            failed = collect_from_table(page, o, row, out);
        } else if (kind == OUTLINE_LEAF) {
            if (fits(&failed, (void **)&out->rows, out->count, &out->room, sizeof *out->rows)) out->rows[out->count++] = row;
        } else {
            failed = collect_leaves(page, o, row + 1, o->rows[row].stop, out);
        }
    }
    return failed ? -1 : 0;
}

/* The leaves of a table above or below its rows. */
static int collect_beside(const writer_page *page, const outline *o, int32_t table, bool below, leaf_list *out) {
    bool passed = false;
    for (int32_t row = table + 1; row < o->rows[table].stop; row = o->rows[row].stop) {
        if (o->rows[row].kind == OUTLINE_ROW) passed = true;
        else if (passed == below && collect_leaves(page, o, row, o->rows[row].stop, out)) return -1;
    }
    return 0;
}

static int collect_from_table(const writer_page *page, const outline *o, int32_t table, leaf_list *out) {
    table_grid grid;
    int failed = table_grid_of(page, o, table, &grid) || collect_beside(page, o, table, false, out);
    for (int32_t at = 0; !failed && at < grid.place_count; at++) {
        if (grid.places[at] < 0) continue;
        const grid_cell *cell = grid.cells + grid.places[at];
        for (int32_t part = cell->first; part < cell->first + cell->count && !failed; part++)
            failed = collect_leaves(page, o, grid.parts[part] + 1, o->rows[grid.parts[part]].stop, out);
    }
    failed = failed || collect_beside(page, o, table, true, out);
    table_grid_free(&grid);
    return failed ? -1 : 0;
}
