#include "write_markdown.h"

#include "bytes.h"
#include "code_language.h"
#include "grid.h"
#include "inline_runs.h"
#include "markdown_chunks.h"

/* All chunks of a document, quote or item; no rule is the last one. */
static void add_content(markdown_state *s, int32_t first, int32_t stop) {
    int32_t base = s->chunk_count;
    add_markdown_rows(s, first, stop, base, 0);
    if (markdown_is_over(s) || s->chunk_count == base || !s->chunks[s->chunk_count - 1].rule) return;
    s->out->used = s->chunks[--s->chunk_count].from;
}

/* Replace the chunks from `mark` on by one, the output behind them. */
static void replace_chunks(markdown_state *s, int32_t mark, size_t tail) {
    if (markdown_is_over(s)) return;
    size_t from = s->chunks[mark].from;
    output_move_down(s->out, from, tail);
    s->chunk_count = mark;
    end_chunk(s, from, false);
}

static void add_quote(markdown_state *s, int32_t quote) {
    int32_t mark = s->chunk_count;
    add_content(s, quote + 1, s->plan->outline.rows[quote].stop);
    if (markdown_is_over(s) || s->chunk_count == mark) return;
    size_t tail = s->out->used;
    output_text(s->out, "> ");
    put_joined(s, mark, s->chunk_count, 2);
    prefix_lines(s->out, tail, "> ", 2, 1);
    replace_chunks(s, mark, tail);
}

/* Whether the title of a box says more than its kind. */
static bool is_labelled(markdown_state *s, int32_t first, int32_t stop, const char *kind) {
    const writer_page *page = s->plan->page;
    leaf_list leaves = {0};
    output_buffer text = {0};
    bool started = false;
    s->failed = s->failed || collect_leaves(page, &s->plan->outline, first, stop, &leaves);
    for (int32_t at = 0; at < leaves.count; at++) {
        const outline_row *leaf = s->plan->outline.rows + leaves.rows[at];
        for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) {
            int32_t index = s->plan->input.shown[place];
            if (index < 0 || s->plan->store.special[place]) s->is_pythons = true;
            if (started) output_byte(&text, ' ');
            if (index >= 0) output_put(&text, page->text + page->text_start[index], (size_t)(page->text_stop[index] - page->text_start[index]));
            started = true;
        }
    }
    s->failed = s->failed || text.failed;
    size_t from = 0, to = text.used, length = strlen(kind), same = 0;
    while (from < to && strchr(" :!.", text.bytes[from]) && text.bytes[from]) from++;
    while (from < to && strchr(" :!.", text.bytes[to - 1]) && text.bytes[to - 1]) to--;
    if (to - from == length)
        while (same < length && byte_lower(text.bytes[from + same]) == byte_lower((uint8_t)kind[same])) same++;
    bool labelled = text.used && same < length;
    free(text.bytes);
    free(leaves.rows);
    return labelled;
}

static void add_title(markdown_state *s, int32_t first, int32_t stop, int32_t base) {
    for (int32_t row = first; row < stop; row = s->plan->outline.rows[row].stop)
        add_markdown_rows(s, row + 1, s->plan->outline.rows[row].stop, base, MARK_STRONG);
}

/* A callout is an alert of GitHub: a quote whose first line is its kind. */
static void add_callout(markdown_state *s, int32_t box, int32_t title, const char *kind) {
    int32_t mark = s->chunk_count;
    if (title > box + 1 && is_labelled(s, box + 1, title, kind)) add_title(s, box + 1, title, mark);
    add_content(s, title, s->plan->outline.rows[box].stop);
    if (markdown_is_over(s) || s->chunk_count == mark) return;
    size_t tail = s->out->used;
    output_text(s->out, "> [!");
    output_text(s->out, kind);
    output_text(s->out, "]\n");
    size_t body = s->out->used;
    put_joined(s, mark, s->chunk_count, 2);
    if (s->out->failed) return;
    if (!s->chunks[mark].plain || underlines(s->out->bytes + body, s->out->used - body)) {
        s->out->used = body;
        output_byte(s->out, '\n');
        put_joined(s, mark, s->chunk_count, 2);
    }
    prefix_lines(s->out, tail, "> ", 2, 1);
    replace_chunks(s, mark, tail);
}

static void add_box(markdown_state *s, int32_t box, int32_t base) {
    static const char *const kinds[] = {BOX_NAMES};
    const outline *o = &s->plan->outline;
    int32_t kind = kind_of_box(s->plan, o->rows[box].at), title = outline_title_end(o, box);
    if (kind == BOX_DETAILS) {
        add_title(s, box + 1, title, base);
        add_markdown_rows(s, title, o->rows[box].stop, base, 0);
    } else {
        add_callout(s, box, title, kinds[kind]);
    }
}

static bool is_tight(const markdown_state *s, const markdown_item *items, int32_t count) {
    for (int32_t at = 0; at < count; at++) {
        const markdown_chunk *chunk = s->chunks + items[at].first;
        if (items[at].count == 1) continue;
        if (!chunk->plain) return false;
        for (int32_t other = 1; other < items[at].count; other++)
            if (!chunk[other].close) return false;
    }
    return true;
}

/* Append the items as one list behind all chunks. `before`: the marker of the list right before it, or 0. */
static void add_items(markdown_state *s, int32_t first, int32_t stop, bool ordered, uint8_t before) {
    static const char spaces[] = "                                ";
    const char *markers = ordered ? ".)" : "-*";
    uint8_t marker = (uint8_t)markers[before == (uint8_t)markers[0]];
    bool tight = is_tight(s, s->items + first, stop - first);
    size_t from = s->out->used;
    for (int32_t at = first; at < stop && !s->out->failed; at++) {
        const markdown_item *item = s->items + at;
        if (at > first) output_put(s->out, "\n\n", tight ? 1 : 2);
        size_t start = s->out->used;
        if (ordered) output_number(s->out, s->items[first].number + (at - first));
        output_byte(s->out, marker);
        output_byte(s->out, ' ');
        size_t width = s->out->used - start;
        if (item->checked != NOT_A_TASK && s->chunks[item->first].plain) output_text(s->out, item->checked ? "[x] " : "[ ] ");
        put_joined(s, item->first, item->first + item->count, tight ? 1 : 2);
        prefix_lines(s->out, start, spaces, width, 0);
    }
    push_chunk(s, (markdown_chunk){from, s->out->used, marker, false, tight && (!ordered || s->items[first].number == 1), false});
}

/* The items of a list with any content, behind those of the lists around it. */
static void gather_items(markdown_state *s, int32_t list, const list_marks *marks) {
    const outline *o = &s->plan->outline;
    int32_t before = s->item_count, at = 0;
    for (int32_t row = list + 1; row < o->rows[list].stop && !markdown_is_over(s); row = o->rows[row].stop, at++) {
        int32_t first = s->chunk_count;
        add_content(s, row + 1, o->rows[row].stop);
        if (markdown_is_over(s) || s->chunk_count == first) continue;
        if (!markdown_fits(s, (void **)&s->items, s->item_count, &s->item_room, sizeof *s->items)) return;
        int64_t number = marks->numbers ? marks->numbers[at] : s->item_count - before + (marks->ordered ? marks->start : 0);
        s->items[s->item_count++] = (markdown_item){first, s->chunk_count - first, number, marks->checked ? marks->checked[at] : NOT_A_TASK};
    }
}

/* Several lists if the numbers do not count up by one: Markdown has the first number only. */
static void add_list(markdown_state *s, int32_t list, int32_t base) {
    list_marks marks;
    int32_t mark = s->chunk_count, first = s->item_count;
    s->failed = list_marks_of(s->plan->page, &s->counted, &s->plan->outline, list, &marks) || s->failed;
    gather_items(s, list, &marks);
    int32_t stop = s->item_count, tail_chunk = s->chunk_count;
    size_t tail = s->out->used, from = stop > first && !markdown_is_over(s) ? s->chunks[mark].from : tail;
    uint8_t before = mark > base && !markdown_is_over(s) ? s->chunks[mark - 1].marker : 0;
    for (int32_t at = first + 1, start = first; at <= stop && !markdown_is_over(s); at++)
        if (at == stop || s->items[at].number != s->items[at - 1].number + 1) {
            add_items(s, start, at, marks.ordered, before);
            if (!markdown_is_over(s)) before = s->chunks[s->chunk_count - 1].marker;
            start = at;
        }
    s->item_count = first;
    if (!markdown_is_over(s) && stop > first) {
        output_move_down(s->out, from, tail);
        for (int32_t at = tail_chunk; at < s->chunk_count; at++) {
            s->chunks[mark + at - tail_chunk] = s->chunks[at];
            s->chunks[mark + at - tail_chunk].from -= tail - from;
            s->chunks[mark + at - tail_chunk].to -= tail - from;
        }
        s->chunk_count = mark + s->chunk_count - tail_chunk;
    }
    list_marks_free(&marks);
}

static void ask_for_leaf(markdown_state *s, const outline_row *leaf, uint32_t extra) {
    if (s->given) { /* asked for, but not given */
        s->is_pythons = true;
        return;
    }
    put_request(s, (int32_t)extra);
    put_request(s, leaf->count);
    for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) put_request(s, place);
}

static void add_given(markdown_state *s, const uint8_t *bytes, size_t length) {
    for (size_t at = 0; at < length; at++) {
        bool plain = bytes[at] == 'p';
        size_t from = s->out->used, start = ++at;
        while (at < length && bytes[at]) at++;
        output_put(s->out, bytes + start, at - start);
        end_chunk(s, from, plain);
    }
}

/* Write a paragraph; false: Python has to write a line of it. */
static bool write_paragraph(markdown_state *s, const outline_row *leaf, uint32_t extra) {
    line_store *store = &s->plan->store;
    int32_t tildes = 0, dollars = 0, number = 0;
    for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) {
        dollars += count_in_block(store, place, '$');
        if (leaf->count > 1) tildes += count_in_block(store, place, '~');
    }
    line_context context = {extra, tildes, dollars < 2 ? DOLLARS_HARMLESS : DOLLARS_OF_LINE, false};
    if (dollars > 1 && leaf->count > 1) {
        store->scratch.used = 0;
        for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) join_text(store, place);
        context.dollars = dollars_of_joined(store, false);
    }
    size_t start = s->out->used;
    for (int32_t place = leaf->at; place < leaf->at + leaf->count; place++) {
        const markdown_line *line = line_at(store, place, &context);
        if (!line) return false;
        const uint8_t *bytes = store->bytes.bytes + line->from;
        size_t length = line->to - line->from;
        for (; length && bytes[0] == ' '; bytes++) length--;
        while (length && bytes[length - 1] == ' ') length--;
        if (!length) continue;
        if (number) output_text(s->out, "\\\n");
        if (!put_paragraph_line(s->out, bytes, length, number++)) return false;
    }
    finish_paragraph(s->out, start);
    if (s->out->used > start) end_chunk(s, start, true);
    return true;
}

static bool write_heading(markdown_state *s, const outline_row *leaf) {
    line_store *store = &s->plan->store;
    int32_t level = s->plan->page->level[s->plan->input.shown[leaf->at]];
    line_context context = {0, 0, DOLLARS_OF_LINE, false};
    const markdown_line *line = line_at(store, leaf->at, &context);
    if (!line) return false;
    size_t start = s->out->used;
    for (int32_t at = 0; at < level; at++) output_byte(s->out, '#');
    output_byte(s->out, ' ');
    put_heading_line(s->out, store->bytes.bytes + line->from, line->to - line->from);
    end_chunk(s, start, true);
    return true;
}

/* The backticks around code: more than any run of them inside. */
static size_t fence_length(const uint8_t *code, size_t length) {
    size_t longest = 2, ticks = 0;
    for (size_t at = 0; at < length; at++) {
        ticks = code[at] == '`' ? ticks + 1 : 0;
        if (ticks > longest) longest = ticks;
    }
    return longest + 1;
}

static void put_fence(output_buffer *out, size_t length) {
    uint8_t *to = output_reserve(out, length);
    if (!to) return;
    memset(to, '`', length);
    out->used += length;
}

/* Append code with the line breaks of Unix. */
static void put_code(output_buffer *out, const uint8_t *code, size_t length) {
    size_t from = 0;
    for (size_t at = 0; at < length; at++) {
        if (code[at] != '\r') continue;
        output_put(out, code + from, at - from);
        if (at + 1 == length || code[at + 1] != '\n') output_byte(out, '\n');
        from = at + 1;
    }
    output_put(out, code + from, length - from);
}

/* Write a block of code; false: Python has to. */
static bool write_code(markdown_state *s, const outline_row *leaf, int32_t index) {
    const writer_page *page = s->plan->page;
    attribute_value language;
    if (leaf->count > 1 || !code_language(page, index, &language)) return false;
    const uint8_t *code = page->text + page->text_start[index];
    size_t start = s->out->used, length = (size_t)(page->text_stop[index] - page->text_start[index]);
    size_t fence = fence_length(code, length);
    put_fence(s->out, fence);
    output_put(s->out, language.bytes, (size_t)language.length);
    output_byte(s->out, '\n');
    put_code(s->out, code, length);
    output_byte(s->out, '\n');
    put_fence(s->out, fence);
    end_chunk(s, start, false);
    return true;
}

/* Write a leaf by its kind; false: Python has to. */
static bool write_leaf(markdown_state *s, const outline_row *leaf, uint32_t extra) {
    if (s->plan->store.special[leaf->at] & SHOWN_PYTHONS) return false;
    switch (kind_shown(&s->plan->store, leaf->at)) {
    case KIND_CODE: return write_code(s, leaf, s->plan->input.shown[leaf->at]);
    case KIND_HEADING: return write_heading(s, leaf);
    case KIND_CAPTION: return write_paragraph(s, leaf, MARK_EM);
    default: return write_paragraph(s, leaf, extra);
    }
}

static void add_leaf(markdown_state *s, const outline_row *leaf, uint32_t extra) {
    const uint8_t *bytes;
    size_t length, start = s->out->used;
    if (is_given(s->given, leaf->at, &bytes, &length)) {
        add_given(s, bytes, length);
        return;
    }
    if (write_leaf(s, leaf, extra)) return;
    s->out->used = start;
    ask_for_leaf(s, leaf, extra);
}

static void add_rule(markdown_state *s, int32_t base) {
    if (s->chunk_count == base || s->chunks[s->chunk_count - 1].rule) return;
    size_t from = s->out->used;
    output_text(s->out, "---");
    push_chunk(s, (markdown_chunk){.from = from, .to = s->out->used, .rule = true});
}

void add_markdown_rows(markdown_state *s, int32_t first, int32_t stop, int32_t base, uint32_t extra) {
    const outline *o = &s->plan->outline;
    for (int32_t row = first; row < stop && !markdown_is_over(s); row = o->rows[row].stop) {
        const outline_row *here = o->rows + row;
        switch (here->kind) {
        case OUTLINE_LEAF: add_leaf(s, here, extra); break;
        case OUTLINE_RULE: add_rule(s, base); break;
        case OUTLINE_LIST: add_list(s, row, base); break;
        case OUTLINE_QUOTE: add_quote(s, row); break;
        case OUTLINE_BOX: add_box(s, row, base); break;
        case OUTLINE_TABLE: add_markdown_table(s, row, base); break;
        case OUTLINE_TERM: add_markdown_rows(s, row + 1, here->stop, base, MARK_STRONG); break;
        default: add_markdown_rows(s, row + 1, here->stop, base, 0);
        }
    }
}

plan_result write_markdown(writer_plan *plan, const given_texts *given, output_buffer *out) {
    output_buffer pieces = {0};
    markdown_state s = {.plan = plan, .given = given, .out = &pieces};
    s.failed = !writer_plan_begin(plan);
    if (!s.failed) add_content(&s, 0, plan->outline.count);
    for (int32_t at = 0; at < s.chunk_count && !markdown_is_over(&s) && !(plan->request_count && !given); at++) {
        if (at) output_text(out, "\n\n");
        output_put(out, pieces.bytes + s.chunks[at].from, s.chunks[at].to - s.chunks[at].from);
    }
    s.failed = s.failed || pieces.failed || out->failed || plan->store.bytes.failed || plan->store.scratch.failed;
    free(pieces.bytes);
    free(s.chunks);
    free(s.items);
    counted_items_free(&s.counted);
    if (s.failed) return PLAN_NO_MEMORY;
    if (s.is_pythons) return PLAN_OTHER;
    return plan->request_count && !given ? PLAN_ASKS : PLAN_WRITTEN;
}
