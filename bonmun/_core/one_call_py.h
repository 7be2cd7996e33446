/* Reading and judging an ordinary page in one call. Include Python.h first. */
#ifndef BONMUN_ONE_CALL_PY_H
#define BONMUN_ONE_CALL_PY_H

PyObject *bonmun_read_and_judge(PyObject *self, PyObject *args);
extern const char bonmun_read_and_judge_doc[];

#endif
