/* Python binding of ranks.h. Include Python.h first. */
#ifndef BONMUN_RANKS_PY_H
#define BONMUN_RANKS_PY_H

#include "ranks.h"

/* A table of contributions, the mean of each column, and groups: their columns, stops, and whether these are not ranked. */
enum { TABLE, MEAN, COLUMNS, STOPS, WHOLE, RANK_TABLES };
/* False: they do not fit. */
bool bonmun_rank_groups(const Py_buffer *tables, rank_groups *groups);

PyObject *bonmun_ranks(PyObject *self, PyObject *args);
extern const char bonmun_ranks_doc[];

#endif
