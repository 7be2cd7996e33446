/* Signs that a page declares a recipe; `is_recipe` of bonmun/methods/learned/declared.py looks at them closely. */
#ifndef BONMUN_RECIPE_SIGNS_H
#define BONMUN_RECIPE_SIGNS_H

#include <stdbool.h>

#include "segment.h"

/* Whether JSON-LD mentions the type "Recipe", or microdata that of schema.org. `type`, `item_type`: the numbers of the
   attributes; -1: the page has none. */
bool may_be_recipe(const node_view *nodes, int32_t type, int32_t item_type);

#endif
