#include "roles.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "tags_table.h"
#include "writer_page.h"

static bool is_neutral(int32_t tag) {
    switch (tag) {
    NEUTRAL_TAGS: return true;
    default: return false;
    }
}

static bool is_list(int32_t tag) {
    switch (tag) {
    LIST_TAGS: return true;
    default: return false;
    }
}

static bool is_word(attribute_value value, const char *lower) {
    if ((size_t)value.length != strlen(lower)) return false;
    for (int32_t at = 0; at < value.length; at++)
        if (byte_lower(value.bytes[at]) != (uint8_t)lower[at]) return false;
    return true;
}

/* The role that a value names, -1 for another one. */
static int32_t named_role(attribute_value value) {
    static const char *const known[] = {ARIA_ROLE_NAMES};
    value = without_spaces(value);
    for (int32_t role = 0; role < ARIA_ROLES; role++)
        if (is_word(value, known[role])) return role;
    return -1;
}

static bool append(role_row **rows, int32_t *room, int32_t *count, role_row row) {
    if (*count == *room) {
        *room = *room ? 2 * *room : 16;
        role_row *grown = realloc(*rows, (size_t)*room * sizeof **rows);
        if (!grown) return false;
        *rows = grown;
    }
    (*rows)[(*count)++] = row;
    return true;
}

role_row *find_roles(const node_view *nodes, int32_t name, int32_t *count) {
    role_row *rows = NULL;
    int32_t room = 0, row = 0, attributes = nodes->attr_first[nodes->rows];
    *count = 0;
    for (int32_t at = 0; at < attributes; at++) {
        if (nodes->attr_name[at] != name) continue;
        while (nodes->attr_first[row + 1] <= at) row++;
        if (!is_neutral(nodes->tag[row])) continue;
        int32_t length = nodes->attr_stop[at] - nodes->attr_start[at];
        role_row found = {row, named_role((attribute_value){bytes_at(nodes, nodes->attr_start[at]), length})};
        if (found.role < 0 || append(&rows, &room, count, found)) continue;
        free(rows);
        *count = -1;
        return NULL;
    }
    return rows;
}

static bool has_kind(int32_t role) { return role == ARIA_HEADING || role == ARIA_LISTITEM; }

bool has_role_kinds(const role_row *roles, int32_t count) {
    for (int32_t at = 0; at < count; at++)
        if (has_kind(roles[at].role)) return true;
    return false;
}

static bool is_list_by_role(const role_input *input, int32_t row) {
    int32_t low = 0, high = input->role_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (input->roles[middle].row < row) low = middle + 1;
        else high = middle;
    }
    return low < input->role_count && input->roles[low].row == row && input->roles[low].role == ARIA_LIST;
}

/* The number of lists around an item. */
static int32_t item_depth(const role_input *input, int32_t row) {
    int32_t depth = 0;
    for (int32_t above = input->nodes->parent[row]; above >= 0; above = input->nodes->parent[above])
        depth += is_list(input->nodes->tag[above]) || is_list_by_role(input, above);
    return depth ? depth : 1;
}

static int32_t heading_level(const role_input *input, int32_t row) {
    attribute_value level = without_spaces(attribute_of(input->nodes, row, input->level_name));
    return level.length == 1 && level.bytes[0] >= '1' && level.bytes[0] <= '6' ? level.bytes[0] - '0' : ARIA_DEFAULT_LEVEL;
}

/* The innermost of the open elements that a block is in, -1 for none. */
static int32_t innermost(const role_input *input, const int32_t *opened, int32_t open, int32_t block) {
    while (open--)
        if (input->stop[block] <= input->nodes->end[input->roles[opened[open]].row]) return opened[open];
    return -1;
}

/* The first block from one on that does not start before a row. */
static int32_t block_from(const role_input *input, int32_t row, int32_t block) {
    int32_t high = input->blocks;
    while (block < high) {
        int32_t middle = block + (high - block) / 2;
        if (input->first[middle] < row) block = middle + 1;
        else high = middle;
    }
    return block;
}

static void next_role(const role_input *input, int32_t *at) {
    while (*at < input->role_count && !has_kind(input->roles[*at].role)) ++*at;
}

int role_kinds(const role_input *input, int32_t *kind, int32_t *level) {
    int32_t *opened = malloc(((size_t)input->role_count + 1) * sizeof *opened), open = 0; /* headings and items around a block */
    const role_row *roles = input->roles;
    if (!opened) return -1;
    int32_t following = 0, latest = -1, latest_level = 0;
    next_role(input, &following);
    for (int32_t block = 0; open || following < input->role_count; block++) {
        if (!open) block = block_from(input, roles[following].row, block);
        if (block >= input->blocks) break;
        for (; following < input->role_count && roles[following].row <= input->first[block]; next_role(input, &following))
            opened[open++] = following++;
        while (open && input->nodes->end[roles[opened[open - 1]].row] <= input->first[block]) open--;
        int32_t around = innermost(input, opened, open, block);
        if (around < 0 || kind[block] != KIND_PARAGRAPH) continue;
        bool is_heading = roles[around].role == ARIA_HEADING;
        if (around != latest)
            latest_level = is_heading ? heading_level(input, roles[around].row) : item_depth(input, roles[around].row);
        latest = around;
        kind[block] = is_heading ? KIND_HEADING : KIND_ITEM;
        level[block] = latest_level;
    }
    free(opened);
    return 0;
}
