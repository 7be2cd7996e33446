/* The nodes of a page, held for many calls: their attributes and texts. Include Python.h first. */
#ifndef BONMUN_NODES_PY_H
#define BONMUN_NODES_PY_H

#include "segment.h"

extern const char bonmun_nodes_doc[], bonmun_attribute_doc[], bonmun_text_doc[], bonmun_content_doc[],
    bonmun_attribute_rows_doc[], bonmun_mark_rows_doc[], bonmun_may_be_recipe_doc[], bonmun_picture_source_doc[],
    bonmun_role_kinds_doc[];

PyObject *bonmun_nodes(PyObject *self, PyObject *args);
PyObject *bonmun_attribute(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *bonmun_text(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *bonmun_content(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *bonmun_attribute_rows(PyObject *self, PyObject *args);
PyObject *bonmun_mark_rows(PyObject *self, PyObject *args);
PyObject *bonmun_may_be_recipe(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *bonmun_role_kinds(PyObject *self, PyObject *args);
PyObject *bonmun_picture_source(PyObject *self, PyObject *const *args, Py_ssize_t count);

/* The nodes that `nodes` holds; NULL: a Python error is set. */
const node_view *bonmun_held_nodes(PyObject *capsule);

#endif
