#include "reading.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attributes.h"
#include "measuring.h"

static const char *const ATTRIBUTES[] = ATTRIBUTE_NAMES;

enum { ROW_COLUMNS = 11, ALL_COLUMNS = 14 };

#define PROMISE(holds, row) \
    ((holds) ? (void)0 : (fprintf(stderr, "broken promise at row %d: %s\n", (int)(row), #holds), abort()))

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
    bool utf8; /* the source is valid, so every span has to be */
} promises;

static void check_span(const promises *p, int32_t start, int32_t stop, int32_t row) {
    PROMISE(start >= 0 && start <= stop && stop <= p->s->length + p->s->spilled, row);
    PROMISE(start == stop || (start < p->s->length) == (stop <= p->s->length), row);
    if (p->utf8 && start < stop) PROMISE(is_utf8(store_at(p->s, start), stop - start), row);
}

static void check_place(const promises *p, int32_t row) {
    const columns *c = p->c;
    int32_t parent = c->parent[row], last = row - 1;
    PROMISE(c->end[row] > row && c->end[row] <= c->rows, row);
    PROMISE(row ? parent >= 0 && parent < row : parent == -1, row);
    if (!row) return;
    PROMISE(c->end[row] <= c->end[parent], row);
    for (; last > parent; last = c->parent[last]) PROMISE(c->end[last] == row, row); /* what stands between has ended */
    PROMISE(last == parent && c->tag[parent] != TAG_TEXT, row);
    PROMISE(c->depth[row] == c->depth[parent] + 1 && c->depth[row] <= p->most_depth + 1, row);
    PROMISE((c->flags[row] & c->flags[parent]) == c->flags[parent], row);
}

static void check_content(const promises *p, int32_t row) {
    const columns *c = p->c;
    PROMISE(c->tag[row] >= 0 && c->tag[row] < p->tags, row);
    check_span(p, c->start[row], c->stop[row], row);
    PROMISE(c->tag[row] == TAG_TEXT ? c->stop[row] > c->start[row] : c->stop[row] == c->start[row], row);
    PROMISE(c->chars[row] >= 0 && c->chars[row] <= c->stop[row] - c->start[row], row);
    PROMISE(c->source_start[row] < 0 ||
                (c->source_start[row] <= c->source_stop[row] && c->source_stop[row] <= p->s->length), row);
    PROMISE(c->attr_first[row] <= c->attr_first[row + 1] && c->attr_first[row + 1] <= c->attributes, row);
    PROMISE(c->tag[row] != TAG_TEXT || c->attr_first[row] == c->attr_first[row + 1], row);
    for (int32_t at = c->attr_first[row]; at < c->attr_first[row + 1]; at++) {
        PROMISE(c->attr_name[at] >= 0 && c->attr_name[at] < p->attribute_names, row);
        check_span(p, c->attr_start[at], c->attr_stop[at], row);
    }
}

static void check(const promises *p) {
    PROMISE(p->c->rows > 0 && p->c->attr_first[0] == 0, 0);
    for (int32_t row = 0; row < p->c->rows; row++) {
        check_place(p, row);
        check_content(p, row);
    }
}

/* Every column in memory of its own and of just the size that is promised to be enough, so that a cell too many is seen. */
static bool make_columns(const tree *t, columns *c, int32_t **made) {
    int32_t **homes[] = {&c->parent, &c->tag, &c->depth, &c->end, &c->start, &c->stop, &c->chars, &c->flags,
                         &c->source_start, &c->source_stop, &c->attr_first, &c->attr_name, &c->attr_start, &c->attr_stop};
    for (int at = 0; at < ALL_COLUMNS; at++) {
        size_t cells = (size_t)(at < ROW_COLUMNS ? t->count + (at == ROW_COLUMNS - 1) : t->attribute_total);
        *homes[at] = made[at] = malloc(cells ? cells * sizeof(int32_t) : 1);
        if (!made[at]) return false;
    }
    return true;
}

/* A page in which nothing moved is read as it was made; following the links has to give the same. */
static void check_order(tree *t, column_rules rules, int32_t **made, int32_t rows) {
    columns linked;
    int32_t *again[ALL_COLUMNS] = {NULL};
    memset(&linked, 0, sizeof linked);
    t->moved = true;
    if (make_columns(t, &linked, again)) {
        columns_fill(t, &rules, &linked);
        PROMISE(linked.rows == rows, rows);
        for (int at = 0; at < ALL_COLUMNS; at++) {
            size_t cells = (size_t)(at < ROW_COLUMNS ? rows : linked.attributes);
            PROMISE(memcmp(made[at], again[at], cells * sizeof(int32_t)) == 0, at);
        }
    }
    for (int at = 0; at < ALL_COLUMNS; at++) free(again[at]);
}

static void fill(tree *t, const names *tags, const names *attributes, limits most, reading_report *report) {
    uint8_t flags_of_tag[TAG_COUNT];
    for (int tag = 0; tag < TAG_COUNT; tag++) flags_of_tag[tag] = (uint8_t)(tag & 15);
    column_rules rules = {.flags_of_tag = flags_of_tag, .known = TAG_COUNT, .most_depth = most.depth};
    columns filled;
    int32_t *made[ALL_COLUMNS] = {NULL};
    memset(&filled, 0, sizeof filled);
    double started = cpu_now();
    if (make_columns(t, &filled, made)) {
        columns_fill(t, &rules, &filled);
        report->cpu_seconds += cpu_now() - started;
        bool utf8 = is_utf8(t->store->source, t->store->length);
        check(&(promises){&filled, t->store, tags->count, attributes->count, most.depth, utf8});
        if (!t->moved) check_order(t, rules, made, filled.rows);
        measuring_run(&filled, t->store);
    }
    for (int at = 0; at < ALL_COLUMNS; at++) free(made[at]);
}

reading_report reading_run(const uint8_t *source, int32_t length, limits most) {
    reading_report report = {READ_NO_MEMORY, 0};
    store kept;
    names tags = {0}, attributes = {0};
    tree t;
    memset(&t, 0, sizeof t);
    double started = cpu_now();
    store_init(&kept, source, length);
    if (!names_init(&tags, tag_names, TAG_COUNT) && !names_init(&attributes, ATTRIBUTES, ATTRIBUTE_COUNT) &&
        !tree_init(&t, &kept, &tags, &attributes, most.nodes, most.attributes)) {
        report.result = tree_build(&t, most.seconds);
        report.cpu_seconds = cpu_now() - started;
        if (report.result == READ_WELL) fill(&t, &tags, &attributes, most, &report);
    }
    tree_free(&t);
    names_free(&tags);
    names_free(&attributes);
    store_free(&kept);
    return report;
}
