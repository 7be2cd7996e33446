#include "measuring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribute_rows.h"
#include "feature_table.h"
#include "formula_rows.h"
#include "terms.h"

#define CHECK(condition, block) \
    ((condition) ? (void)0 : (fprintf(stderr, "violated at block %d: %s\n", (int)(block), #condition), abort()))

enum { BLOCK_FIELDS = 10 };

/* Arbitrary roles, not those of Python: every role occurs. */
static void mix_roles(uint8_t *for_blocks, uint8_t *for_features) {
    for (int tag = 0; tag < TAG_COUNT; tag++) {
        for_blocks[tag] = (uint8_t)(tag % KIND_COUNT | (tag % 3 ? ROLE_BLOCK : 0) | (tag % 5 ? 0 : ROLE_LIST));
        for_features[tag] = (uint8_t)(tag * 37);
    }
    for_blocks[TAG_HTML] |= ROLE_BLOCK; /* every block is in a block-level element */
}

static void check_blocks(const block_list *list, int32_t rows) {
    int32_t last = 0;
    for (int32_t at = 0; at < list->count; at++) {
        const block *b = &list->blocks[at];
        CHECK(b->first > last && b->first < b->stop && b->stop <= rows, at);
        CHECK(b->element >= 0 && b->element < b->first, at);
        CHECK(b->kind >= 0 && b->kind < KIND_COUNT, at);
        CHECK(b->text_start >= 0 && b->text_start <= b->text_stop && b->text_stop <= list->text_used, at);
        last = b->first;
    }
}

/* The blocks as columns, each in an allocation of exactly its size, so that the sanitizer sees overruns. */
static bool split(const block_list *list, feature_page *page, int32_t **memory) {
    const int32_t **homes[BLOCK_FIELDS] = {&page->kind, &page->level, &page->element, &page->first, &page->stop,
                                           &page->link_chars, &page->flags, &page->chars, &page->text_start, &page->text_stop};
    for (int field = 0; field < BLOCK_FIELDS; field++) {
        *homes[field] = memory[field] = malloc((size_t)list->count * sizeof(int32_t) + 1);
        if (!memory[field]) return false;
    }
    for (int32_t at = 0; at < list->count; at++) {
        const block *b = &list->blocks[at];
        const int32_t values[BLOCK_FIELDS] = {b->kind, b->level, b->element, b->first, b->stop,
                                              b->link_chars, b->flags, b->chars, b->text_start, b->text_stop};
        for (int field = 0; field < BLOCK_FIELDS; field++) memory[field][at] = values[field];
    }
    return true;
}

static void check_features(const feature_page *page, const uint8_t *roles) {
    static const float weights[NAME_RANGES * TERM_BUCKETS]; /* all 0 */
    static const concept_slot concepts[2] = {{HASH_START, 0x3FFFFFFF}, {0, 0}};
    static const int32_t naming[NAMING_ATTRIBUTES] = {0, 1, 2, 10, -1};
    feature_rules rules = {roles, TAG_COUNT, naming, concepts, 1, weights, weights};
    float row[COLUMN_COUNT];
    feature_state *state = features_measure(page, &rules);
    for (int32_t at = 0; state && at < page->count; at++) {
        features_put(state, at, at + 1, row);
        for (int column = 0; column < COLUMN_COUNT; column++) CHECK(isfinite(row[column]), at);
    }
    features_free(state);
}

static void check_attribute_rows(const node_view *nodes) {
    static const uint8_t words[] = "note\0a\0#";
    for (int32_t name = 0; name < 12; name++) {
        int32_t count, *rows = attribute_rows(nodes, 0, nodes->rows, name, words, sizeof words, &count);
        for (int32_t at = 0; at < count; at++) CHECK(rows[at] > (at ? rows[at - 1] : -1) && rows[at] < nodes->rows, at);
        free(rows);
    }
}

static void check_formula_rows(const node_view *nodes) {
    static const formula_rules rules = {{TAG_COUNT, TAG_COUNT + 1}, {0, 1, 2, 3, 4}, false};
    int32_t count, *rows = formula_rows(nodes, &rules, &count);
    for (int32_t at = 0; at < count; at++) CHECK(rows[at] > (at ? rows[at - 1] : -1) && rows[at] < nodes->rows, at);
    free(rows);
}

void measuring_run(const columns *c, const store *s) {
    uint8_t for_blocks[TAG_COUNT], for_features[TAG_COUNT];
    mix_roles(for_blocks, for_features);
    const row_columns *r = &c->row;
    node_view nodes = {r->parent, r->tag, r->end, r->start, r->stop, r->chars, r->flags, r->attr_first, c->attribute.name,
                       c->attribute.start, c->attribute.stop, s->source, s->spill, s->length, c->rows};
    segment_rules rules = {for_blocks, TAG_COUNT, {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, -1}, INT32_MAX - 1};
    block_list list;
    feature_page page = {.nodes = nodes, .depth = r->depth};
    int32_t *memory[BLOCK_FIELDS] = {NULL};
    check_formula_rows(&nodes);
    check_attribute_rows(&nodes);
    if (segment(&nodes, &rules, &list) == 0) {
        check_blocks(&list, c->rows);
        page.text = list.text;
        page.text_length = list.text_used;
        page.count = list.count;
        if (split(&list, &page, memory)) check_features(&page, for_features);
    }
    for (int field = 0; field < BLOCK_FIELDS; field++) free(memory[field]);
    block_list_free(&list);
}
