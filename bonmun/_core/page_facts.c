#include "page_facts.h"

#include <stdlib.h>
#include <string.h>

#include "formula_rows.h"
#include "page_steps.h"

static const char *const known[KNOWN_ATTRIBUTES] = {KNOWN_ATTRIBUTE_NAMES};
static const char *const formula_attributes[FORMULA_NAME_COUNT] = {FORMULA_ATTRIBUTES};
static const char *const formula_tags[FORMULA_TAGS] = {FORMULA_TAG_NAMES};

static void find_digests(const names *n, const char *const *wanted, int32_t count, uint64_t *digests) {
    for (int32_t at = 0; at < count; at++) digests[at] = names_digest(n, wanted[at]);
}

void page_facts_prepare(tree_tables *tables) {
    find_digests(&tables->attribute_names, known, KNOWN_ATTRIBUTES, tables->wanted.known);
    find_digests(&tables->attribute_names, formula_attributes, FORMULA_NAME_COUNT, tables->wanted.formula_attributes);
    find_digests(&tables->tags, formula_tags, FORMULA_TAGS, tables->wanted.formula_tags);
}

static void find_numbers(const names *n, const char *const *wanted, const uint64_t *digests, int32_t count, int32_t *numbers) {
    for (int32_t at = 0; at < count; at++) numbers[at] = names_number(n, wanted[at], digests[at]);
}

node_view node_view_of(const columns *c, const store *s) {
    return (node_view){
        .parent = c->row.parent,
        .tag = c->row.tag,
        .end = c->row.end,
        .start = c->row.start,
        .stop = c->row.stop,
        .chars = c->row.chars,
        .flags = c->row.flags,
        .attr_first = c->row.attr_first,
        .attr_name = c->attribute.name,
        .attr_start = c->attribute.start,
        .attr_stop = c->attribute.stop,
        .buffer = s->source,
        .spill = s->spill,
        .buffer_length = s->length,
        .rows = c->rows,
    };
}

/* The rows that may be formulas, if the reader met anything of one. */
static void find_formulas(const tree *t, const node_view *nodes, page_facts *facts) {
    const wanted_digests *wanted = &t->tables->wanted;
    formula_rules rules;
    find_numbers(&t->attribute_names, formula_attributes, wanted->formula_attributes, FORMULA_NAME_COUNT, rules.names);
    find_numbers(&t->tags, formula_tags, wanted->formula_tags, FORMULA_TAGS, rules.tags);
    bool any = t->tokenizer.may_have_formulas || t->seen[TAG_MATH];
    for (int at = 0; at < FORMULA_TAGS; at++) any |= rules.tags[at] >= 0;
    any |= rules.names[FORMULA_NAME_DATA_LATEX] >= 0 || rules.names[FORMULA_NAME_DATA_TEX] >= 0;
    rules.only_images = !any;
    if (any || t->tokenizer.may_have_formula_images) facts->formulas = formula_rows(nodes, &rules, &facts->formula_count);
    for (int32_t at = 0; at < facts->formula_count && !facts->may_have_formulas; at++)
        facts->may_have_formulas = !is_other_image(nodes, &rules, facts->formulas[at]);
}

bool page_facts_find(const tree *t, const columns *c, page_facts *facts) {
    const node_view nodes = node_view_of(c, t->store);
    memset(facts, 0, sizeof *facts);
    find_numbers(&t->attribute_names, known, t->tables->wanted.known, KNOWN_ATTRIBUTES, facts->names);
    find_formulas(t, &nodes, facts);
    if (t->tokenizer.may_have_roles) facts->roles = find_roles(&nodes, facts->names[NAME_ROLE], &facts->role_count);
    if (facts->formula_count < 0 || facts->role_count < 0) return false;
    facts->steps = page_steps(t, &nodes, facts);
    return true;
}

void page_facts_free(page_facts *facts) {
    free(facts->formulas);
    free(facts->roles);
}
