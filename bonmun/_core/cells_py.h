/* Memory of the core, owned by a Python object and read through the buffer protocol, without a copy. */
#ifndef BONMUN_CELLS_PY_H
#define BONMUN_CELLS_PY_H

#include <stdint.h>

typedef struct {
    PyObject *cells, *column; /* types: memory, and a part of it */
} cell_types;

int bonmun_cell_types_init(PyObject *module, cell_types *types); /* -1: a Python error is set */
const cell_types *bonmun_cell_types(PyObject *module);           /* module.c */

/* Takes ownership of the memory, also on failure. */
PyObject *bonmun_cells(const cell_types *types, int32_t *memory);
/* Some cells as a buffer, which keeps their owner alive and has their number as its length; Python makes a memoryview of it when it first looks at them. */
PyObject *bonmun_column(const cell_types *types, PyObject *owner, const int32_t *cells, Py_ssize_t count);

#endif
