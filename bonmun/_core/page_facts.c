#include "page_facts.h"

#include <stdlib.h>
#include <string.h>

#include "attribute_rows.h"
#include "formula_rows.h"

static void find_numbers(const names *n, const char *const *wanted, int32_t count, int32_t *numbers) {
    for (int32_t at = 0; at < count; at++) numbers[at] = names_number(n, wanted[at]);
}

static node_view view_of(const columns *c, const store *s) {
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

bool page_facts_find(const tree *t, const columns *c, page_facts *facts) {
    static const char *const known[KNOWN_ATTRIBUTES] = {KNOWN_ATTRIBUTE_NAMES};
    static const char *const formula_attributes[FORMULA_NAME_COUNT] = {FORMULA_ATTRIBUTES};
    static const char *const formula_tags[FORMULA_TAGS] = {FORMULA_TAG_NAMES};
    static const uint8_t role_parts[] = ROLE_PARTS; /* the last NUL is the literal's own */
    const node_view nodes = view_of(c, t->store);
    formula_rules rules;
    memset(facts, 0, sizeof *facts);
    find_numbers(&t->attribute_names, known, KNOWN_ATTRIBUTES, facts->names);
    find_numbers(&t->attribute_names, formula_attributes, FORMULA_NAME_COUNT, rules.names);
    find_numbers(&t->tags, formula_tags, FORMULA_TAGS, rules.tags);
    facts->formulas = formula_rows(&nodes, &rules, &facts->formula_count);
    if (facts->names[NAME_ROLE] >= 0)
        facts->roles = attribute_rows(&nodes, 0, nodes.rows, facts->names[NAME_ROLE], role_parts, sizeof role_parts, &facts->role_count);
    return facts->formula_count >= 0 && facts->role_count >= 0;
}

void page_facts_free(page_facts *facts) {
    free(facts->formulas);
    free(facts->roles);
}
