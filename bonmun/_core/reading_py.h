/* Python bindings of the reader. Include Python.h first. */
#ifndef BONMUN_READING_PY_H
#define BONMUN_READING_PY_H

#include "tree.h"

const tree_tables *bonmun_tree_tables(PyObject *module); /* module.c */

PyObject *bonmun_read(PyObject *self, PyObject *args);
PyObject *bonmun_read_ordinary(PyObject *self, PyObject *args);
extern const char bonmun_read_doc[], bonmun_read_ordinary_doc[];

#endif
