/* Python bindings of segment.h and groups.h. Include Python.h first. */
#ifndef BONMUN_PAGE_PY_H
#define BONMUN_PAGE_PY_H

PyObject *bonmun_segment(PyObject *self, PyObject *args);
PyObject *bonmun_group(PyObject *self, PyObject *args);
extern const char bonmun_segment_doc[], bonmun_group_doc[];

#endif
