/* Decoding for Python: what bytes are, what they declare, and what XML forbids in them; late parts of
 * streamed pages. Include Python.h first. */
#ifndef BONMUN_DECODING_PY_H
#define BONMUN_DECODING_PY_H

extern const char bonmun_next_meta_doc[], bonmun_forbidden_ranges_doc[], bonmun_late_parts_doc[];

PyObject *bonmun_next_meta(PyObject *self, PyObject *args);
PyObject *bonmun_forbidden_ranges(PyObject *self, PyObject *args);
PyObject *bonmun_late_parts(PyObject *self, PyObject *source);

#endif
