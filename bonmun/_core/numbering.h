/* The numbers and checkboxes of a list's items; bonmun/write/numbering.py is the Python twin. */
#ifndef BONMUN_NUMBERING_H
#define BONMUN_NUMBERING_H

#include "outline.h"

enum { NOT_A_TASK = -1 };

/* The numbers of items that do not simply count up, by row; filled list by list, since parts of a list share them. */
typedef struct {
    int32_t *number; /* NULL until a list needs it; at the row of a list that was counted: COUNTED_LIST */
} counted_items;

typedef struct {
    int32_t start; /* the first number; -1: unordered */
    bool ordered, reversed;
    uint8_t style;    /* a, A, i or I; 0: decimal */
    int32_t *numbers; /* by item; NULL: they count up by one */
    int8_t *checked;  /* by item: 1, 0 or NOT_A_TASK; NULL: no task list */
} list_marks;

/* The marks of the list at a row of the outline; -1: no memory. Either way list_marks_free has to follow. */
int list_marks_of(const writer_page *page, counted_items *counted, const outline *o, int32_t list, list_marks *out);
void list_marks_free(list_marks *marks);
void counted_items_free(counted_items *counted);

#endif
