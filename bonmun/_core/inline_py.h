/* Bindings of inline_markdown. Include Python.h first. */
#ifndef BONMUN_INLINE_PY_H
#define BONMUN_INLINE_PY_H

extern const char bonmun_inline_markdown_doc[];

PyObject *bonmun_inline_markdown(PyObject *self, PyObject *args);

#endif
