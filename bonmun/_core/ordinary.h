/* Sources that need no look by Python before they are parsed, as nearly all of them. */
#ifndef BONMUN_ORDINARY_H
#define BONMUN_ORDINARY_H

#include <stdbool.h>

#include "span.h"

/* Whether these bytes start with markup, are UTF-8 without characters that XML forbids, and declare no other encoding.
 * `is_decoded`: what they declare does not matter. The steps of bonmun/read/page.py that see to all others would find nothing:
 * no binary file, no JSON, no plain text, no encoding to detect. Notes what the source is without. */
bool is_ordinary_source(store *s, bool is_decoded);

#endif
