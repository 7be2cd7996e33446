/* Bindings of json_blocks.h. Include Python.h first. */
#ifndef BONMUN_JSON_PY_H
#define BONMUN_JSON_PY_H

extern const char bonmun_json_blocks_doc[], bonmun_json_string_doc[];

PyObject *bonmun_json_string(PyObject *self, PyObject *text);
PyObject *bonmun_json_blocks(PyObject *self, PyObject *args);

#endif
