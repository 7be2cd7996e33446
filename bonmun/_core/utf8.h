/* What bytes are, as far as UTF-8 goes. */
#ifndef BONMUN_UTF8_H
#define BONMUN_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { NOT_UTF8, ONLY_ASCII, BEYOND_ASCII } utf8_kind;

utf8_kind utf8_look(const uint8_t *bytes, size_t length);

#endif
