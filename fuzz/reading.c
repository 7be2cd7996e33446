#include "reading.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measuring.h"

enum { ALL_COLUMNS = ROW_COLUMNS + ATTRIBUTE_COLUMNS };

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
    const row_columns *c = &p->c->row;
    int32_t parent = c->parent[row], last = row - 1;
    PROMISE(c->end[row] > row && c->end[row] <= p->c->rows, row);
    PROMISE(row ? parent >= 0 && parent < row : parent == -1, row);
    if (!row) return;
    PROMISE(c->end[row] <= c->end[parent], row);
    for (; last > parent; last = c->parent[last]) PROMISE(c->end[last] == row, row); /* what stands between has ended */
    PROMISE(last == parent && c->tag[parent] != TAG_TEXT, row);
    PROMISE(c->depth[row] == c->depth[parent] + 1 && c->depth[row] <= p->most_depth + 1, row);
    PROMISE((c->flags[row] & c->flags[parent]) == c->flags[parent], row);
}

static void check_content(const promises *p, int32_t row) {
    const row_columns *c = &p->c->row;
    const attribute_columns *a = &p->c->attribute;
    PROMISE(c->tag[row] >= 0 && c->tag[row] < p->tags, row);
    check_span(p, c->start[row], c->stop[row], row);
    PROMISE(c->tag[row] == TAG_TEXT ? c->stop[row] > c->start[row] : c->stop[row] == c->start[row], row);
    PROMISE(c->chars[row] >= 0 && c->chars[row] <= c->stop[row] - c->start[row], row);
    PROMISE(c->source_start[row] < 0 ||
                (c->source_start[row] <= c->source_stop[row] && c->source_stop[row] <= p->s->length), row);
    PROMISE(c->attr_first[row] <= c->attr_first[row + 1] && c->attr_first[row + 1] <= p->c->attributes, row);
    PROMISE(c->tag[row] != TAG_TEXT || c->attr_first[row] == c->attr_first[row + 1], row);
    for (int32_t at = c->attr_first[row]; at < c->attr_first[row + 1]; at++) {
        PROMISE(a->name[at] >= 0 && a->name[at] < p->attribute_names, row);
        check_span(p, a->start[at], a->stop[at], row);
    }
}

static void check(const promises *p) {
    PROMISE(p->c->rows > 0 && p->c->row.attr_first[0] == 0, 0);
    PROMISE(p->c->row.attr_first[p->c->rows] == p->c->attributes, 0);
    for (int32_t row = 0; row < p->c->rows; row++) {
        check_place(p, row);
        check_content(p, row);
    }
}

static size_t cells_of(const columns *c, int column) {
    return (size_t)(column < ROW_COLUMNS ? c->rows + (column == ROW_COLUMNS - 1) : c->attributes);
}

static void list_columns(const columns *c, int32_t **homes) {
    const row_columns *r = &c->row;
    const attribute_columns *a = &c->attribute;
    int32_t *all[ALL_COLUMNS] = {r->parent, r->tag, r->depth, r->end, r->start, r->stop, r->chars, r->flags,
                                 r->source_start, r->source_stop, r->attr_first, a->name, a->start, a->stop};
    memcpy(homes, all, sizeof all);
}

/* Every column in memory of its own and of just its size, so that a look beyond it is seen. */
static bool copy_columns(const columns *c, columns *to, int32_t **made) {
    int32_t *from[ALL_COLUMNS];
    list_columns(c, from);
    for (int at = 0; at < ALL_COLUMNS; at++) {
        size_t cells = cells_of(c, at);
        made[at] = malloc(cells ? cells * sizeof(int32_t) : 1);
        if (!made[at]) return false;
        memcpy(made[at], from[at], cells * sizeof(int32_t));
    }
    *to = (columns){{made[0], made[1], made[2], made[3], made[4], made[5], made[6], made[7], made[8], made[9], made[10]},
                    {made[11], made[12], made[13]}, c->rows, c->attributes};
    return true;
}

/* The rows of a regular page are as they were made; following the links, with the flags as they were, has to give the same. */
static void check_order(tree *t, const columns *c, int32_t **made, const int32_t *flags) {
    columns again;
    int32_t *linked[ALL_COLUMNS];
    memcpy(t->rows.flags, flags, (size_t)t->count * sizeof(int32_t));
    if (!tree_link(t) || !tree_order(t, &again)) return;
    PROMISE(again.rows == c->rows && again.attributes == c->attributes, again.rows);
    list_columns(&again, linked);
    for (int at = 0; at < ALL_COLUMNS; at++)
        PROMISE(memcmp(made[at], linked[at], cells_of(c, at) * sizeof(int32_t)) == 0, at);
}

static void look_through(tree *t, const columns *given, const int32_t *flags, limits most) {
    columns c;
    int32_t *made[ALL_COLUMNS] = {NULL};
    if (copy_columns(given, &c, made)) {
        bool utf8 = is_utf8(t->store->source, t->store->length), regular = !t->irregular;
        check(&(promises){&c, t->store, t->tags.count, t->attribute_names.count, most.depth, utf8});
        if (regular) check_order(t, &c, made, flags);
        measuring_run(&c, t->store);
    }
    for (int at = 0; at < ALL_COLUMNS; at++) free(made[at]);
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
        if (report.result == READ_WELL) report.result = tree_finish(&t, &c);
        report.cpu_seconds += cpu_now() - started;
        if (report.result == READ_WELL && flags) look_through(&t, &c, flags, most);
        free(flags);
    }
    tree_free(&t);
    tree_tables_free(&tables);
    store_free(&kept);
    return report;
}
