/* Superscripts and subscripts in plain text; bonmun/model/scripts.py is the Python twin and gives the rules. */
#ifndef BONMUN_SCRIPTS_H
#define BONMUN_SCRIPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "constants_table.h"

enum { MAX_FORM = 3 * MAX_SCRIPT + 4 };

static inline uint8_t script_marker(bool raised) { return raised ? '^' : '_'; }

/* Write the form of a script after the text `before`; returns its bytes, 0: it stays as it is. `core` is not empty. */
int32_t script_form(bool raised, const uint8_t *core, int32_t length, const uint8_t *before, int32_t before_length,
                    uint8_t form[MAX_FORM]);

/* Whether all characters have Unicode superscripts and subscripts, or separate those that have. At most MAX_SCRIPT bytes. */
bool script_has_unicode_form(const uint8_t *core, int32_t length);

/* Write a text with the Unicode forms of the characters that have one; the end, at most thrice as many bytes behind. */
uint8_t *script_shifted(bool raised, const uint8_t *text, int32_t length, uint8_t *to);

#endif
