/* Memory of the reader, owned by a Python object and read through the buffer protocol, without a copy. */
#ifndef BONMUN_CELLS_PY_H
#define BONMUN_CELLS_PY_H

#include <stdint.h>

PyObject *bonmun_cells_type(PyObject *module);
/* Takes ownership of the memory, also on failure. */
PyObject *bonmun_cells(PyTypeObject *type, int32_t *memory, Py_ssize_t count);

#endif
