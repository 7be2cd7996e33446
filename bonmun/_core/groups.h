/* Groups of consecutive text nodes with the same tag path, for bonmun/methods/xpath_groups.py (M1). */
#ifndef BONMUN_GROUPS_H
#define BONMUN_GROUPS_H

#include <stdint.h>

/* Number the tag path of each row; a text node has its parent's number. -1: no memory. */
int number_paths(const int32_t *parent, const int32_t *tag, int32_t rows, int32_t *path);

typedef struct {
    int32_t *nodes; /* rows of the rendered text nodes, in order */
    int32_t node_count;
    int32_t *first; /* by group: index of its first text node in `nodes` */
    int32_t *path;  /* by group: the number of its path */
    int64_t *length;
    int32_t group_count;
    int32_t longest; /* the first of the longest groups; -1: no groups */
} group_list;

int group_texts(const int32_t *chars, const int32_t *flags, const int32_t *path, int32_t rows, group_list *out); /* -1: no memory */
void group_list_free(group_list *list);

#endif
