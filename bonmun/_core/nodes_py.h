/* Python bindings for texts and attributes of single rows. Include Python.h first. */
#ifndef BONMUN_NODES_PY_H
#define BONMUN_NODES_PY_H

extern const char bonmun_node_rows_doc[], bonmun_row_text_doc[], bonmun_row_content_doc[], bonmun_row_attr_doc[];
PyObject *bonmun_node_rows(PyObject *self, PyObject *args);
PyObject *bonmun_row_text(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *bonmun_row_content(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *bonmun_row_attr(PyObject *self, PyObject *const *args, Py_ssize_t count);

#endif
