/* Hints about attribute values, taken while they are read: whether a search through all attributes may find something. */
#ifndef BONMUN_HINTS_H
#define BONMUN_HINTS_H

#include "attributes.h"
#include "tokenizer.h"
#include "word64.h"

/* The first bytes of a word as a number, as half_load reads them. */
#define THREE_BYTES(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)

void note_role(tokenizer *t, const uint8_t *value, int32_t length);
void note_picture(tokenizer *t, const token *tag); /* of an <img> */

void note_class(tokenizer *t, const uint8_t *value, int32_t length);

/* Note the value of a class, role or type attribute; close to the end of the source or in the spill, without a look at it. */
static inline void note_value(tokenizer *t, int32_t name, span value) {
    const store *s = t->store;
    if (value.start > s->length - WORD) {
        t->may_have_formulas = t->may_have_roles = true;
        return;
    }
    const uint8_t *bytes = s->source + value.start;
    uint32_t four_bytes = half_load(bytes);
    if (name == ATTRIBUTE_CLASS) {
        switch (four_bytes & 0xFFFFFF) {
        FORMULA_CLASS_PREFIXES: note_class(t, bytes, value.stop - value.start); break;
        default: break;
        }
    } else if (name == ATTRIBUTE_ROLE) {
        note_role(t, bytes, value.stop - value.start);
    } else {
        t->may_have_formulas |= four_bytes == (THREE_BYTES('m', 'a', 't') | (uint32_t)'h' << 24);
    }
}

#endif
