/* Memory of the reader that Python owns and reads through the buffer protocol, without a copy. */
#ifndef BONMUN_CELLS_PY_H
#define BONMUN_CELLS_PY_H

#include <stdint.h>

PyObject *bonmun_cells_type(PyObject *module);
/* Frees the memory with itself; if it cannot be made, at once. */
PyObject *bonmun_cells(PyTypeObject *type, int32_t *memory, Py_ssize_t count);

#endif
