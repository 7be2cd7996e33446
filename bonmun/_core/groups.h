/* Same-path groups: M1's reading of a page (bonmun/methods/xpath_groups.py). */
#ifndef BONMUN_GROUPS_H
#define BONMUN_GROUPS_H

#include <stdint.h>

/* A number for each row's tag path; a text node has its parent's. -1: no memory. */
int number_paths(const int32_t *parent, const int32_t *tag, int32_t rows, int32_t *path);

typedef struct {
    int32_t *nodes; /* rows of the text nodes that a reader may see, in order */
    int32_t node_count;
    int32_t *first; /* place of each group's first text node in `nodes` */
    int32_t *path;  /* and the number of its path */
    int64_t *length;
    int32_t group_count;
    int32_t longest; /* the first of the longest groups; -1: there is none */
} group_list;

int group_texts(const int32_t *tag, const int32_t *chars, const int32_t *flags, const int32_t *path, int32_t rows,
                group_list *out); /* -1: no memory */
void group_list_free(group_list *list);

#endif
