/* Attributes of elements for Python; bonmun/read/elements.py has the twin. Include Python.h first. */
#ifndef BONMUN_ELEMENTS_PY_H
#define BONMUN_ELEMENTS_PY_H

extern const char bonmun_elements_doc[];
PyObject *bonmun_elements(PyObject *self, PyObject *args);

#endif
