#include "json_groups.h"

#include "grid.h"
#include "numbering.h"

typedef struct {
    writer_plan *plan;
    json_groups *out;
    output_buffer within; /* the open groups, separated by commas */
    counted_items counted;
    int32_t groups;
    bool after_rule, failed; /* whether a rule stands before the next block */
} groups_writer;

static const outline_row *row_at(const groups_writer *w, int32_t row) { return w->plan->outline.rows + row; }

/* Open a group and leave its fields open; return where it starts, for end_group. */
static size_t open_group(groups_writer *w, const char *role) {
    size_t from = w->within.used;
    output_text(&w->within, from ? ", {\"role\": \"" : "{\"role\": \"");
    output_text(&w->within, role);
    output_text(&w->within, "\", \"id\": ");
    output_number(&w->within, ++w->groups);
    return from;
}

static void put_fact(groups_writer *w, const char *name, int64_t number) {
    output_text(&w->within, ", \"");
    output_text(&w->within, name);
    output_text(&w->within, "\": ");
    output_number(&w->within, number);
}

static void put_true(groups_writer *w, const char *name, bool value) {
    output_text(&w->within, ", \"");
    output_text(&w->within, name);
    output_text(&w->within, value ? "\": true" : "\": false");
}

static void end_facts(groups_writer *w) { output_byte(&w->within, '}'); }

static void end_group(groups_writer *w, size_t from) { w->within.used = from; }

static void add_rows(groups_writer *w, int32_t first, int32_t stop);

/* The content of a row of the outline in a group without facts. */
static void add_group(groups_writer *w, int32_t row, const char *role) {
    size_t from = open_group(w, role);
    end_facts(w);
    add_rows(w, row + 1, row_at(w, row)->stop);
    end_group(w, from);
}

static void add_leaf(groups_writer *w, const outline_row *leaf) {
    json_groups *out = w->out;
    for (int32_t at = 0; at < leaf->count && out->count < w->plan->input.count; at++) {
        if (w->within.used) {
            output_text(&out->texts, ", \"within\": [");
            output_put(&out->texts, w->within.bytes, w->within.used);
            output_byte(&out->texts, ']');
        }
        if (w->after_rule) output_text(&out->texts, ", \"after_rule\": true");
        w->after_rule = false;
        out->places[out->count] = leaf->at + at;
        out->continues[out->count] = at > 0;
        out->stops[out->count++] = (int64_t)out->texts.used;
    }
}

static void add_list(groups_writer *w, int32_t list) {
    list_marks marks;
    w->failed = list_marks_of(w->plan->page, &w->counted, &w->plan->outline, list, &marks) || w->failed;
    size_t from = open_group(w, "list");
    if (marks.ordered) put_fact(w, "start", marks.start);
    if (marks.style) {
        output_text(&w->within, ", \"style\": \"");
        output_byte(&w->within, marks.style);
        output_byte(&w->within, '"');
    }
    if (marks.reversed) put_true(w, "reversed", true);
    end_facts(w);
    int32_t at = 0;
    for (int32_t row = list + 1; row < row_at(w, list)->stop && !w->failed; row = row_at(w, row)->stop, at++) {
        size_t start = open_group(w, "item");
        if (marks.numbers) put_fact(w, "number", marks.numbers[at]);
        if (marks.checked && marks.checked[at] != NOT_A_TASK) put_true(w, "checked", marks.checked[at]);
        end_facts(w);
        add_rows(w, row + 1, row_at(w, row)->stop);
        end_group(w, start);
    }
    end_group(w, from);
    list_marks_free(&marks);
}

static void add_definitions(groups_writer *w, int32_t list) {
    size_t from = open_group(w, "definitions");
    end_facts(w);
    for (int32_t row = list + 1; row < row_at(w, list)->stop; row = row_at(w, row)->stop)
        add_group(w, row, row_at(w, row)->kind == OUTLINE_TERM ? "term" : "definition");
    end_group(w, from);
}

static void add_box(groups_writer *w, int32_t box) {
    static const char *const kinds[] = {BOX_NAMES};
    int32_t kind = kind_of_box(w->plan, row_at(w, box)->at), title = outline_title_end(&w->plan->outline, box);
    bool details = kind == BOX_DETAILS;
    size_t from = open_group(w, details ? "details" : "callout");
    if (!details) {
        output_text(&w->within, ", \"kind\": \"");
        for (const char *letter = kinds[kind]; *letter; letter++) output_byte(&w->within, (uint8_t)(*letter | 0x20));
        output_byte(&w->within, '"');
    }
    end_facts(w);
    if (title > box + 1) {
        size_t start = open_group(w, details ? "summary" : "title");
        end_facts(w);
        add_rows(w, box + 1, title);
        end_group(w, start);
    }
    add_rows(w, title, row_at(w, box)->stop);
    end_group(w, from);
}

/* The content of a table above or below its rows. */
static void add_beside(groups_writer *w, int32_t table, bool below) {
    bool passed = false;
    for (int32_t row = table + 1; row < row_at(w, table)->stop; row = row_at(w, row)->stop) {
        if (row_at(w, row)->kind == OUTLINE_ROW) passed = true;
        else if (passed == below) add_rows(w, row, row_at(w, row)->stop);
    }
}

static void add_cell(groups_writer *w, const table_grid *grid, const grid_cell *cell, int32_t line, int32_t column) {
    size_t from = open_group(w, "cell");
    put_fact(w, "row", line);
    put_fact(w, "column", column);
    if (cell->header) put_true(w, "header", true);
    if (cell->rows > 1) put_fact(w, "rows", cell->rows);
    if (cell->columns > 1) put_fact(w, "columns", cell->columns);
    end_facts(w);
    for (int32_t part = cell->first; part < cell->first + cell->count; part++)
        add_rows(w, grid->parts[part] + 1, row_at(w, grid->parts[part])->stop);
    end_group(w, from);
}

static void add_table(groups_writer *w, int32_t table) {
    table_grid grid;
    w->failed = table_grid_of(w->plan->page, &w->plan->outline, table, &grid) || w->failed;
    size_t from = open_group(w, "table");
    end_facts(w);
    add_beside(w, table, false);
    for (int32_t line = 0; line < grid.line_count && !w->failed; line++)
        for (int32_t at = grid.starts[line]; at < grid.starts[line + 1]; at++)
            if (grid.places[at] >= 0 && grid.cells[grid.places[at]].count)
                add_cell(w, &grid, grid.cells + grid.places[at], line, at - grid.starts[line]);
    add_beside(w, table, true);
    end_group(w, from);
    table_grid_free(&grid);
}

static void add_rows(groups_writer *w, int32_t first, int32_t stop) {
    for (int32_t row = first; row < stop && !w->failed; row = row_at(w, row)->stop) {
        const outline_row *here = row_at(w, row);
        switch (here->kind) {
        case OUTLINE_LEAF: add_leaf(w, here); break;
        case OUTLINE_RULE: w->after_rule = true; break;
        case OUTLINE_LIST: add_list(w, row); break;
        case OUTLINE_QUOTE: add_group(w, row, "quote"); break;
        case OUTLINE_BOX: add_box(w, row); break;
        case OUTLINE_TABLE: add_table(w, row); break;
        case OUTLINE_DEFINITIONS: add_definitions(w, row); break;
        default: add_rows(w, row + 1, here->stop); /* a title */
        }
    }
}

plan_result json_groups_of(writer_plan *plan, json_groups *out) {
    groups_writer w = {.plan = plan, .out = out};
    size_t room = (size_t)plan->input.count + 1;
    *out = (json_groups){malloc(room * sizeof *out->places), malloc(room), malloc(room * sizeof *out->stops), {0}, 0};
    w.failed = !out->places || !out->continues || !out->stops || !writer_plan_begin(plan);
    if (!w.failed) add_rows(&w, 0, plan->outline.count);
    w.failed = w.failed || w.within.failed || out->texts.failed;
    free(w.within.bytes);
    counted_items_free(&w.counted);
    return w.failed ? PLAN_NO_MEMORY : PLAN_WRITTEN;
}

void json_groups_free(json_groups *groups) {
    free(groups->places);
    free(groups->continues);
    free(groups->stops);
    free(groups->texts.bytes);
}
