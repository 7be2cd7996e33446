#include "write_html.h"

#include "code_language.h"
#include "grid.h"
#include "inline_html.h"
#include "numbering.h"

#define FIGURE "<figure>"
#define FIGURE_END "</figure>"
#define CAPTION_END "</figcaption></figure>"

typedef enum { PART_OTHER, PART_FIGURE, PART_CAPTIONED } part_kind;

typedef struct {
    size_t from, to;
    part_kind kind;
} html_part;

typedef struct {
    writer_plan *plan;
    const given_texts *given; /* NULL in the first pass */
    output_buffer *out;
    html_part *parts; /* of the open levels */
    counted_items counted;
    int32_t part_count, part_room;
    bool failed, is_pythons;
} html_writer;

static bool is_over(const html_writer *w) { return w->failed || w->is_pythons || w->out->failed; }

/* The output from `from` on is a part. */
static void end_part(html_writer *w, size_t from, part_kind kind) {
    if (w->part_count == w->part_room) {
        int32_t room = w->part_room < 32 ? 32 : w->part_room + w->part_room / 2;
        html_part *larger = room > w->part_room ? realloc(w->parts, (size_t)room * sizeof *larger) : NULL;
        w->failed = w->failed || !larger;
        if (!larger) return;
        w->parts = larger;
        w->part_room = room;
    }
    w->parts[w->part_count++] = (html_part){from, w->out->used, kind};
}

static const outline_row *row_at(const html_writer *w, int32_t row) { return w->plan->outline.rows + row; }

static int32_t count_children(const html_writer *w, int32_t row) {
    int32_t count = 0;
    for (int32_t child = row + 1; child < row_at(w, row)->stop; child = row_at(w, child)->stop) count++;
    return count;
}

static void add_rows(html_writer *w, int32_t first, int32_t stop, int32_t base, bool bare);

/* Append rows without separators; whether there was anything. The parts are forgotten. */
static bool put_rows(html_writer *w, int32_t first, int32_t stop, bool bare) {
    int32_t base = w->part_count;
    add_rows(w, first, stop, base, bare);
    bool any = w->part_count > base;
    w->part_count = base;
    return any;
}

static void put_tag(html_writer *w, const char *before, const char *name) {
    output_text(w->out, before);
    output_text(w->out, name);
    output_byte(w->out, '>');
}

/* An element around the content of a group; nothing if there is none. */
static void add_element(html_writer *w, int32_t row, const char *tag, bool bare) {
    size_t from = w->out->used;
    put_tag(w, "<", tag);
    if (!put_rows(w, row + 1, row_at(w, row)->stop, bare)) {
        w->out->used = from;
        return;
    }
    put_tag(w, "</", tag);
    end_part(w, from, PART_OTHER);
}

/* Put a caption, the output from `from` on, into the figure before it, which may be several pictures or have a caption already. */
static void add_caption(html_writer *w, size_t from, int32_t base, int32_t pictures) {
    output_buffer *out = w->out, lines = {0};
    int32_t last = w->part_count - 1, wanted = pictures > 1 ? pictures : 1;
    part_kind kind = last >= base ? w->parts[last].kind : PART_OTHER;
    output_put(&lines, out->bytes + from, out->used - from);
    out->used = from;
    if (kind == PART_CAPTIONED && pictures) {
        from = w->parts[last].from;
        out->used -= strlen(CAPTION_END);
        output_text(out, "<br>");
        w->part_count--;
    } else if (kind != PART_FIGURE) {
        output_text(out, FIGURE "<figcaption>");
    } else {
        while (last > base && w->part_count - last < wanted && w->parts[last - 1].kind == PART_FIGURE) last--;
        from = w->parts[last].from;
        size_t to = from + strlen(FIGURE);
        for (int32_t at = last; at < w->part_count; at++) {
            size_t start = w->parts[at].from + strlen(FIGURE), stop = w->parts[at].to - strlen(FIGURE_END);
            memmove(out->bytes + to, out->bytes + start, stop - start);
            to += stop - start;
        }
        out->used = to;
        output_text(out, "<figcaption>");
        w->part_count = last;
    }
    output_put(out, lines.bytes, lines.used);
    output_text(out, CAPTION_END);
    w->failed = w->failed || lines.failed;
    free(lines.bytes);
    if (!w->failed) end_part(w, from, PART_CAPTIONED);
}

static int32_t kind_at(const html_writer *w, int32_t place) { return kind_shown(&w->plan->store, place); }

/* Write the content of a leaf; false: Python has to. */
static bool put_lines(html_writer *w, const outline_row *leaf) {
    size_t start = w->out->used;
    for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) {
        int32_t index = w->plan->input.shown[place];
        if (w->plan->store.special[place] & SHOWN_PYTHONS) return false;
        size_t before = w->out->used;
        if (before > start) output_text(w->out, "<br>");
        size_t from = w->out->used;
        inline_result result = index < 0 ? inline_html_picture(w->plan->page, &w->plan->bases, ~index, w->out)
                                         : inline_html(w->plan->page, &w->plan->bases, index, w->out);
        w->failed = w->failed || result == INLINE_NO_MEMORY;
        if (result != INLINE_OK) return false;
        if (w->out->used == from) w->out->used = before;
    }
    return true;
}

static void ask(html_writer *w, const outline_row *leaf) {
    if (w->given) w->is_pythons = true; /* asked for, but not given */
    bool asked = writer_plan_ask(w->plan, 0) && writer_plan_ask(w->plan, leaf->count);
    for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) asked = asked && writer_plan_ask(w->plan, place);
    w->failed = w->failed || !asked;
}

static void add_given_code(html_writer *w, const uint8_t *bytes, size_t length) {
    for (size_t at = 0; at < length; at++) {
        part_kind kind = bytes[at] == 'f' ? PART_FIGURE : PART_OTHER;
        size_t from = w->out->used, start = ++at;
        while (at < length && bytes[at]) at++;
        output_put(w->out, bytes + start, at - start);
        end_part(w, from, kind);
    }
}

/* Write a block of code; false: Python has to. */
static bool add_code(html_writer *w, const outline_row *leaf) {
    const writer_page *page = w->plan->page;
    int32_t index = w->plan->input.shown[leaf->at];
    attribute_value language;
    if (leaf->count > 1 || (w->plan->store.special[leaf->at] & SHOWN_PYTHONS) || !code_language(page, index, &language)) return false;
    size_t from = w->out->used;
    output_text(w->out, "<pre><code");
    if (language.length) {
        output_text(w->out, " class=\"language-");
        output_put(w->out, language.bytes, (size_t)language.length);
        output_byte(w->out, '"');
    }
    output_byte(w->out, '>');
    put_html_text(w->out, page->text + page->text_start[index], (size_t)(page->text_stop[index] - page->text_start[index]), false);
    output_text(w->out, "</code></pre>");
    end_part(w, from, PART_OTHER);
    return true;
}

/* Wrap the lines of a leaf, the output from `from` on. */
static void wrap(html_writer *w, const outline_row *leaf, size_t from, int32_t base, bool bare) {
    output_buffer *out = w->out;
    int32_t kind = kind_at(w, leaf->at);
    char tag[] = "h1";
    const char *around = "p";
    bool figure = kind == KIND_IMAGE;
    for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) figure = figure && kind_at(w, place) == KIND_IMAGE;
    if (kind == KIND_HEADING) {
        tag[1] = (char)('0' + w->plan->page->level[w->plan->input.shown[leaf->at]]);
        around = tag;
    } else if (bare) {
        end_part(w, from, PART_OTHER);
        return;
    } else if (kind == KIND_CAPTION) {
        add_caption(w, from, base, w->plan->store.special[leaf->at] & SHOWN_PICTURES);
        return;
    } else if (figure) {
        around = "figure";
    }
    size_t length = strlen(around) + 2;
    if (!output_reserve(out, length)) return;
    memmove(out->bytes + from + length, out->bytes + from, out->used - from);
    out->bytes[from] = '<';
    memcpy(out->bytes + from + 1, around, length - 2);
    out->bytes[from + length - 1] = '>';
    out->used += length;
    put_tag(w, "</", around);
    end_part(w, from, figure && kind == KIND_IMAGE ? PART_FIGURE : PART_OTHER);
}

static void add_leaf(html_writer *w, const outline_row *leaf, int32_t base, bool bare) {
    const uint8_t *bytes;
    size_t length, from = w->out->used;
    bool code = kind_at(w, leaf->at) == KIND_CODE, given = is_given(w->given, leaf->at, &bytes, &length);
    if (given && code) {
        add_given_code(w, bytes, length);
        return;
    }
    if (code && add_code(w, leaf)) return;
    if (given) {
        output_put(w->out, bytes, length);
    } else if (code || !put_lines(w, leaf)) {
        w->out->used = from;
        ask(w, leaf);
        return;
    }
    if (w->out->used > from && !is_over(w)) wrap(w, leaf, from, base, bare);
}

static void put_item(html_writer *w, int32_t row, const list_marks *marks, int32_t at, int64_t *expected, bool *any) {
    size_t from = w->out->used;
    int64_t number = marks->numbers ? marks->numbers[at] : (int64_t)marks->start + at;
    int32_t leaves = 0;
    for (int32_t child = row + 1; child < row_at(w, row)->stop; child = row_at(w, child)->stop)
        leaves += row_at(w, child)->kind == OUTLINE_LEAF;
    output_text(w->out, "<li");
    if (marks->numbers && number != *expected) {
        output_text(w->out, " value=\"");
        output_number(w->out, number);
        output_byte(w->out, '"');
    }
    output_byte(w->out, '>');
    if (marks->checked && marks->checked[at] != NOT_A_TASK)
        output_text(w->out, marks->checked[at] ? "<input type=\"checkbox\" disabled checked> " : "<input type=\"checkbox\" disabled> ");
    if (!put_rows(w, row + 1, row_at(w, row)->stop, leaves == 1)) {
        w->out->used = from;
        return;
    }
    output_text(w->out, "</li>");
    *expected = number + (marks->reversed ? -1 : 1);
    *any = true;
}

static void add_list(html_writer *w, int32_t list) {
    list_marks marks;
    w->failed = list_marks_of(w->plan->page, &w->counted, &w->plan->outline, list, &marks) || w->failed;
    size_t from = w->out->used;
    output_text(w->out, marks.ordered ? "<ol" : "<ul");
    if (marks.ordered && marks.start != 1) {
        output_text(w->out, " start=\"");
        output_number(w->out, marks.start);
        output_byte(w->out, '"');
    }
    if (marks.style) {
        output_text(w->out, " type=\"");
        output_byte(w->out, marks.style);
        output_byte(w->out, '"');
    }
    output_text(w->out, marks.reversed ? " reversed>" : ">");
    int32_t at = 0;
    int64_t expected = marks.start;
    bool any = false;
    for (int32_t row = list + 1; row < row_at(w, list)->stop && !is_over(w); row = row_at(w, row)->stop)
        put_item(w, row, &marks, at++, &expected, &any);
    output_text(w->out, marks.ordered ? "</ol>" : "</ul>");
    if (any) end_part(w, from, PART_OTHER);
    else w->out->used = from;
    list_marks_free(&marks);
}

static void add_definitions(html_writer *w, int32_t list) {
    size_t from = w->out->used;
    int32_t base = w->part_count;
    output_text(w->out, "<dl>");
    for (int32_t row = list + 1; row < row_at(w, list)->stop && !is_over(w); row = row_at(w, row)->stop)
        add_element(w, row, row_at(w, row)->kind == OUTLINE_TERM ? "dt" : "dd", count_children(w, row) == 1);
    bool any = w->part_count > base;
    w->part_count = base;
    output_text(w->out, "</dl>");
    if (any) end_part(w, from, PART_OTHER);
    else w->out->used = from;
}

/* Write the title of a box behind its tag; whether there was anything. */
static bool put_title(html_writer *w, int32_t first, int32_t stop, const char *opening, const char *closing) {
    size_t from = w->out->used;
    int32_t base = w->part_count, children = 0;
    for (int32_t row = first; row < stop; row = row_at(w, row)->stop) children += count_children(w, row);
    output_text(w->out, opening);
    for (int32_t row = first; row < stop; row = row_at(w, row)->stop)
        add_rows(w, row + 1, row_at(w, row)->stop, base, children == 1);
    bool any = w->part_count > base;
    w->part_count = base;
    if (any) output_text(w->out, closing);
    else w->out->used = from;
    return any;
}

static void add_box(html_writer *w, int32_t box) {
    static const char *const kinds[] = {BOX_NAMES};
    const outline *o = &w->plan->outline;
    int32_t kind = kind_of_box(w->plan, o->rows[box].at), title = outline_title_end(o, box);
    bool details = kind == BOX_DETAILS;
    size_t from = w->out->used;
    output_text(w->out, details ? "<details>" : "<aside role=\"note\" class=\"callout ");
    for (const char *letter = details ? "" : kinds[kind]; *letter; letter++) output_byte(w->out, (uint8_t)(*letter | 0x20));
    if (!details) output_text(w->out, "\">");
    bool any = details ? put_title(w, box + 1, title, "<summary>", "</summary>")
                       : put_title(w, box + 1, title, "<div class=\"callout-title\">", "</div>");
    any = put_rows(w, title, o->rows[box].stop, false) || any;
    output_text(w->out, details ? "</details>" : "</aside>");
    if (any) end_part(w, from, PART_OTHER);
    else w->out->used = from;
}

static void put_span(html_writer *w, const char *name, int32_t count) {
    if (count < 2) return;
    output_byte(w->out, ' ');
    output_text(w->out, name);
    output_text(w->out, "=\"");
    output_number(w->out, count);
    output_byte(w->out, '"');
}

static void put_cell(html_writer *w, const table_grid *grid, const grid_cell *cell) {
    int32_t children = 0, base = w->part_count;
    output_text(w->out, cell->header ? "<th" : "<td");
    put_span(w, "colspan", cell->columns);
    put_span(w, "rowspan", cell->rows);
    output_byte(w->out, '>');
    for (int32_t part = cell->first; part < cell->first + cell->count; part++) children += count_children(w, grid->parts[part]);
    for (int32_t part = cell->first; part < cell->first + cell->count; part++)
        add_rows(w, grid->parts[part] + 1, row_at(w, grid->parts[part])->stop, base, children == 1);
    w->part_count = base;
    output_text(w->out, cell->header ? "</th>" : "</td>");
}

/* The content of a table above or below its rows. */
static void add_beside(html_writer *w, int32_t table, bool below, bool bare) {
    int32_t base = w->part_count;
    bool passed = false;
    for (int32_t row = table + 1; row < row_at(w, table)->stop; row = row_at(w, row)->stop) {
        if (row_at(w, row)->kind == OUTLINE_ROW) passed = true;
        else if (passed == below) add_rows(w, row, row_at(w, row)->stop, base, bare);
    }
}

static void put_table_caption(html_writer *w, int32_t table) {
    size_t from = w->out->used;
    int32_t base = w->part_count, above = 0;
    for (int32_t row = table + 1; row < row_at(w, table)->stop && row_at(w, row)->kind != OUTLINE_ROW; row = row_at(w, row)->stop) above++;
    output_text(w->out, "<caption>");
    add_beside(w, table, false, above == 1);
    bool any = w->part_count > base;
    w->part_count = base;
    if (any) output_text(w->out, "</caption>");
    else w->out->used = from;
}

static void add_table(html_writer *w, int32_t table) {
    table_grid grid;
    size_t from = w->out->used;
    w->failed = table_grid_of(w->plan->page, &w->plan->outline, table, &grid) || w->failed;
    output_text(w->out, "<table>");
    put_table_caption(w, table);
    for (int32_t line = 0; line < grid.line_count && !is_over(w); line++) {
        output_text(w->out, "<tr>");
        for (int32_t at = grid.starts[line]; at < grid.starts[line + 1]; at++)
            if (grid.places[at] >= 0) put_cell(w, &grid, grid.cells + grid.places[at]);
        output_text(w->out, "</tr>");
    }
    output_text(w->out, "</table>");
    end_part(w, from, PART_OTHER);
    add_beside(w, table, true, false);
    table_grid_free(&grid);
}

static void add_rule(html_writer *w) {
    size_t from = w->out->used;
    output_text(w->out, "<hr>");
    end_part(w, from, PART_OTHER);
}

/* Append rows as parts behind those from `base` on; `bare` leaves out the tags of paragraphs. */
static void add_rows(html_writer *w, int32_t first, int32_t stop, int32_t base, bool bare) {
    for (int32_t row = first; row < stop && !is_over(w); row = row_at(w, row)->stop) {
        const outline_row *here = row_at(w, row);
        switch (here->kind) {
        case OUTLINE_LEAF: add_leaf(w, here, base, bare); break;
        case OUTLINE_RULE: add_rule(w); break;
        case OUTLINE_LIST: add_list(w, row); break;
        case OUTLINE_QUOTE: add_element(w, row, "blockquote", false); break;
        case OUTLINE_BOX: add_box(w, row); break;
        case OUTLINE_TABLE: add_table(w, row); break;
        case OUTLINE_DEFINITIONS: add_definitions(w, row); break;
        default: add_rows(w, row + 1, here->stop, base, bare); /* a title below other content */
        }
    }
}

plan_result write_html(writer_plan *plan, const given_texts *given, output_buffer *out) {
    output_buffer pieces = {0};
    html_writer w = {.plan = plan, .given = given, .out = &pieces};
    w.failed = !writer_plan_begin(plan);
    if (!w.failed) add_rows(&w, 0, plan->outline.count, 0, false);
    bool asks = plan->request_count && !given;
    for (int32_t at = 0; at < w.part_count && !is_over(&w) && !asks; at++) {
        if (at) output_byte(out, '\n');
        output_put(out, pieces.bytes + w.parts[at].from, w.parts[at].to - w.parts[at].from);
    }
    w.failed = w.failed || pieces.failed || out->failed;
    free(pieces.bytes);
    free(w.parts);
    counted_items_free(&w.counted);
    if (w.failed) return PLAN_NO_MEMORY;
    if (w.is_pythons) return PLAN_OTHER;
    return asks ? PLAN_ASKS : PLAN_WRITTEN;
}
