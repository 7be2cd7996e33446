/* ARIA roles that make headings, lists and tables of elements without a meaning of their own. `Nodes.roles_by_reference` and
 * bonmun/model/aria.py are the twins. */
#ifndef BONMUN_ROLES_H
#define BONMUN_ROLES_H

#include "segment.h"

typedef struct {
    int32_t row, role; /* ARIA_… */
} role_row;

/* The elements with these roles, in order, for the caller to free; `count` is -1 if memory ran out. `name`: the attribute's number. */
role_row *find_roles(const node_view *nodes, int32_t name, int32_t *count);

/* What `role_kinds` reads: nodes, their roles, the number of aria-level, and columns of the blocks. */
typedef struct {
    const node_view *nodes;
    const role_row *roles;
    int32_t role_count, level_name;
    const int32_t *first, *stop;
    int32_t blocks;
} role_input;

/* Give blocks inside headings and items by role their kind and level; -1: no memory. */
int role_kinds(const role_input *input, int32_t *kind, int32_t *level);
bool has_role_kinds(const role_row *roles, int32_t count); /* whether there is a heading or an item */

#endif
