/* Attributes of elements for Python; bonmun/read/elements.py and read/related.py, read/byline.py have the twins. Include Python.h first. */
#ifndef BONMUN_ELEMENTS_PY_H
#define BONMUN_ELEMENTS_PY_H

extern const char bonmun_fold_doc[], bonmun_plain_doc[];
PyObject *bonmun_fold(PyObject *self, PyObject *text);
PyObject *bonmun_plain(PyObject *self, PyObject *text);

extern const char bonmun_elements_doc[], bonmun_named_contents_doc[], bonmun_values_above_doc[], bonmun_marked_attributes_doc[],
    bonmun_worded_rows_doc[];
PyObject *bonmun_elements(PyObject *self, PyObject *args);
PyObject *bonmun_named_contents(PyObject *self, PyObject *args);
PyObject *bonmun_marked_attributes(PyObject *self, PyObject *args);
PyObject *bonmun_values_above(PyObject *self, PyObject *args);
PyObject *bonmun_worded_rows(PyObject *self, PyObject *args);

#endif
