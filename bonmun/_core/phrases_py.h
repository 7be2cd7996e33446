/* Python binding of phrases.h. Include Python.h first. */
#ifndef BONMUN_PHRASES_PY_H
#define BONMUN_PHRASES_PY_H

PyObject *bonmun_phrases(PyObject *self, PyObject *args);
extern const char bonmun_phrases_doc[];

#endif
