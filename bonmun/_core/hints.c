#include "hints.h"

#include "attributes.h"
#include "compiler.h"
#include "formula_rows.h"

/* A class that starts with the letters of a renderer: mostly "text-…". */
NOINLINE void note_class(tokenizer *t, const uint8_t *value, int32_t length) {
    t->may_have_formulas = t->may_have_formulas || names_renderer(value, length);
}

/* Whether the letters of a word may be part of a role of headings, lists and tables. */
void note_role(tokenizer *t, const uint8_t *value, int32_t length) {
    uint32_t three_bytes = 0;
    for (int32_t at = 0; at < length && !t->may_have_roles; at++) {
        three_bytes = three_bytes >> 8 | (uint32_t)(value[at] | 32) << 16;
        switch (three_bytes) {
        ROLE_PART_PREFIXES: t->may_have_roles = true; break;
        default: break;
        }
    }
}

void note_picture(tokenizer *t, const token *tag) {
    const attribute_columns *all = &t->attributes;
    for (int32_t at = tag->attribute_first; at < tag->attribute_first + tag->attribute_count && !t->may_have_formula_images; at++)
        if (all->name[at] == ATTRIBUTE_CLASS || all->name[at] == ATTRIBUTE_SRC)
            t->may_have_formula_images = mentions_tex(store_at(t->store, all->start[at]), all->stop[at] - all->start[at]);
}
