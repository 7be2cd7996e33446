/* Python binding of judge.h. Include Python.h first. */
#ifndef BONMUN_JUDGE_PY_H
#define BONMUN_JUDGE_PY_H

PyObject *bonmun_judge(PyObject *self, PyObject *args);
extern const char bonmun_judge_doc[];

#endif
