/* Python binding of ranks.h. Include Python.h first. */
#ifndef BONMUN_RANKS_PY_H
#define BONMUN_RANKS_PY_H

#include <stdbool.h>

PyObject *bonmun_ranks(PyObject *self, PyObject *args);
extern const char bonmun_ranks_doc[];

#endif
