#include "reading.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measuring.h"

enum { ALL_COLUMNS = ROW_COLUMNS + ATTRIBUTE_COLUMNS };

#define CHECK(condition, row) \
    ((condition) ? (void)0 : (fprintf(stderr, "violated at row %d: %s\n", (int)(row), #condition), abort()))

static double cpu_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool is_utf8(const uint8_t *at, int32_t length) {
    const uint8_t *stop = at + length;
    while (at < stop) {
        int32_t more = *at < 0x80 ? 0 : *at < 0xC2 ? -1 : *at < 0xE0 ? 1 : *at < 0xF0 ? 2 : *at < 0xF5 ? 3 : -1;
        if (more < 0 || more > stop - at - 1) return false;
        if (more > 1) {
            uint8_t least = *at == 0xE0 ? 0xA0 : *at == 0xF0 ? 0x90 : 0x80, most = *at == 0xED ? 0x9F : *at == 0xF4 ? 0x8F : 0xBF;
            if (at[1] < least || at[1] > most) return false;
        }
        for (at++; more > 0; more--, at++)
            if ((*at & 0xC0) != 0x80) return false;
    }
    return true;
}

typedef struct {
    const columns *c;
    const store *s;
    int32_t tags, attribute_names, most_depth;
    bool utf8; /* the source is valid UTF-8, so every span must be */
} checked_page;

static void check_span(const checked_page *p, int32_t start, int32_t stop, int32_t row) {
    CHECK(start >= 0 && start <= stop && stop <= p->s->length + p->s->spilled, row);
    CHECK(start == stop || (start < p->s->length) == (stop <= p->s->length), row);
    if (p->utf8 && start < stop) CHECK(is_utf8(store_at(p->s, start), stop - start), row);
}

static void check_place(const checked_page *p, int32_t row) {
    const row_columns *c = &p->c->row;
    int32_t parent = c->parent[row], last = row - 1;
    CHECK(c->end[row] > row && c->end[row] <= p->c->rows, row);
    CHECK(row ? parent >= 0 && parent < row : parent == -1, row);
    if (!row) return;
    CHECK(c->end[row] <= c->end[parent], row);
    for (; last > parent; last = c->parent[last]) CHECK(c->end[last] == row, row); /* the elements in between have ended */
    CHECK(last == parent && c->tag[parent] != TAG_TEXT, row);
    CHECK(c->depth[row] == c->depth[parent] + 1 && c->depth[row] <= p->most_depth + 1, row);
    CHECK((c->flags[row] & c->flags[parent]) == c->flags[parent], row);
}

static void check_content(const checked_page *p, int32_t row) {
    const row_columns *c = &p->c->row;
    const attribute_columns *a = &p->c->attribute;
    CHECK(c->tag[row] >= 0 && c->tag[row] < p->tags, row);
    check_span(p, c->start[row], c->stop[row], row);
    CHECK(c->tag[row] == TAG_TEXT ? c->stop[row] > c->start[row] : c->stop[row] == c->start[row], row);
    CHECK(c->chars[row] >= 0 && c->chars[row] <= c->stop[row] - c->start[row], row);
    CHECK(c->source_start[row] < 0 ||
                (c->source_start[row] <= c->source_stop[row] && c->source_stop[row] <= p->s->length), row);
    CHECK(c->attr_first[row] <= c->attr_first[row + 1] && c->attr_first[row + 1] <= p->c->attributes, row);
    CHECK(c->tag[row] != TAG_TEXT || c->attr_first[row] == c->attr_first[row + 1], row);
    for (int32_t at = c->attr_first[row]; at < c->attr_first[row + 1]; at++) {
        CHECK(a->name[at] >= 0 && a->name[at] < p->attribute_names, row);
        check_span(p, a->start[at], a->stop[at], row);
    }
}

static void check(const checked_page *p) {
    CHECK(p->c->rows > 0 && p->c->row.attr_first[0] == 0, 0);
    CHECK(p->c->row.attr_first[p->c->rows] == p->c->attributes, 0);
    for (int32_t row = 0; row < p->c->rows; row++) {
        check_place(p, row);
        check_content(p, row);
    }
}

static size_t cells_of(const columns *c, int column) {
    return (size_t)(column < ROW_COLUMNS ? c->rows + (column == ROW_ATTR_FIRST) : c->attributes);
}

static void list_columns(const columns *c, int32_t **cells) {
    const row_columns *r = &c->row;
    const attribute_columns *a = &c->attribute;
    int32_t *all[ALL_COLUMNS] = {
        [ROW_PARENT] = r->parent, [ROW_TAG] = r->tag, [ROW_DEPTH] = r->depth, [ROW_END] = r->end, [ROW_START] = r->start,
        [ROW_STOP] = r->stop, [ROW_CHARS] = r->chars, [ROW_FLAGS] = r->flags, [ROW_SOURCE_START] = r->source_start,
        [ROW_SOURCE_STOP] = r->source_stop, [ROW_ATTR_FIRST] = r->attr_first,
        [ROW_COLUMNS + ATTR_NAME] = a->name, [ROW_COLUMNS + ATTR_START] = a->start, [ROW_COLUMNS + ATTR_STOP] = a->stop};
    memcpy(cells, all, sizeof all);
}

/* Each column in an allocation of exactly its size, so that the sanitizer sees overruns. */
static bool copy_columns(const columns *c, columns *to, int32_t **memory) {
    int32_t *from[ALL_COLUMNS], **attributes = memory + ROW_COLUMNS;
    list_columns(c, from);
    for (int at = 0; at < ALL_COLUMNS; at++) {
        size_t cells = cells_of(c, at);
        memory[at] = malloc(cells ? cells * sizeof(int32_t) : 1);
        if (!memory[at]) return false;
        memcpy(memory[at], from[at], cells * sizeof(int32_t));
    }
    row_columns row = {
        .parent = memory[ROW_PARENT], .tag = memory[ROW_TAG], .depth = memory[ROW_DEPTH], .end = memory[ROW_END],
        .start = memory[ROW_START], .stop = memory[ROW_STOP], .chars = memory[ROW_CHARS], .flags = memory[ROW_FLAGS],
        .source_start = memory[ROW_SOURCE_START], .source_stop = memory[ROW_SOURCE_STOP],
        .attr_first = memory[ROW_ATTR_FIRST]};
    attribute_columns attribute = {
        .name = attributes[ATTR_NAME], .start = attributes[ATTR_START], .stop = attributes[ATTR_STOP]};
    *to = (columns){row, attribute, c->rows, c->attributes};
    return true;
}

/* The rows of a regular page must equal those that order.c gives, after linking and with the flags of construction. */
static void check_order(tree *t, const columns *c, int32_t **memory, const int32_t *flags) {
    columns again;
    int32_t *linked[ALL_COLUMNS];
    memcpy(t->rows.flags, flags, (size_t)t->count * sizeof(int32_t));
    if (!tree_link(t) || !tree_order(t, &again)) return;
    CHECK(again.rows == c->rows && again.attributes == c->attributes, again.rows);
    list_columns(&again, linked);
    for (int at = 0; at < ALL_COLUMNS; at++)
        CHECK(memcmp(memory[at], linked[at], cells_of(c, at) * sizeof(int32_t)) == 0, at);
}

static void check_page(tree *t, const columns *given, const int32_t *flags, limits most) {
    columns c;
    int32_t *memory[ALL_COLUMNS] = {NULL};
    if (copy_columns(given, &c, memory)) {
        bool utf8 = is_utf8(t->store->source, t->store->length), regular = !t->irregular;
        check(&(checked_page){&c, t->store, t->tags.count, t->attribute_names.count, most.depth, utf8});
        if (regular) check_order(t, &c, memory, flags);
        measuring_run(&c, t->store);
    }
    for (int at = 0; at < ALL_COLUMNS; at++) free(memory[at]);
}

reading_report reading_run(const uint8_t *source, int32_t length, limits most) {
    reading_report report = {READ_NO_MEMORY, 0};
    store kept;
    tree_tables tables;
    tree t;
    columns c;
    uint8_t flags_of_tag[TAG_COUNT];
    for (int tag = 0; tag < TAG_COUNT; tag++) flags_of_tag[tag] = (uint8_t)(tag & 15);
    column_rules rules = {flags_of_tag, TAG_COUNT, most.depth};
    memset(&t, 0, sizeof t);
    double started = cpu_now();
    store_init(&kept, source, length);
    if (!tree_tables_init(&tables) && !tree_init(&t, &kept, &tables, rules, most.nodes, most.attributes)) {
        report.result = tree_build(&t, most.seconds);
        report.cpu_seconds = cpu_now() - started;
        int32_t *flags = malloc((size_t)t.count * sizeof(int32_t) + 1);
        if (flags) memcpy(flags, t.rows.flags, (size_t)t.count * sizeof(int32_t));
        started = cpu_now();
        if (report.result == READ_OK) report.result = tree_finish(&t, &c);
        report.cpu_seconds += cpu_now() - started;
        if (report.result == READ_OK && flags) check_page(&t, &c, flags, most);
        free(flags);
    }
    tree_free(&t);
    tree_tables_free(&tables);
    store_free(&kept);
    return report;
}
