/* UTF-8 validation. */
#ifndef BONMUN_UTF8_H
#define BONMUN_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "constants_table.h"

/* NOT_UTF8, ONLY_ASCII or BEYOND_ASCII; the latter two with HAS_FORBIDDEN where utf8_has_forbidden is true, and with HAS_RETURN
 * where there is a CR. */
int utf8_kind(const uint8_t *bytes, size_t length);

/* Whether there is a character that XML 1.0 forbids: a control character other than tab and line break, U+FFFE, U+FFFF. */
bool utf8_has_forbidden(const uint8_t *bytes, size_t length);

#endif
