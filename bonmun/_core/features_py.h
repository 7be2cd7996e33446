/* Python faces of features.h and trees.h. Include Python.h first. */
#ifndef BONMUN_FEATURES_PY_H
#define BONMUN_FEATURES_PY_H

PyObject *bonmun_features(PyObject *self, PyObject *args);
PyObject *bonmun_trees(PyObject *self, PyObject *args);
extern const char bonmun_features_doc[], bonmun_trees_doc[];

#endif
