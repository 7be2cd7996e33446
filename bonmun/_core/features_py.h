/* Python bindings of feature_table.h forest.h and contributions.h. Include Python.h first. */
#ifndef BONMUN_FEATURES_PY_H
#define BONMUN_FEATURES_PY_H

#include "feature_table.h"
#include "forest.h"

PyObject *bonmun_measure(PyObject *self, PyObject *args);
PyObject *bonmun_features(PyObject *self, PyObject *args);
PyObject *bonmun_forest(PyObject *self, PyObject *args);
PyObject *bonmun_sums(PyObject *self, PyObject *args);
PyObject *bonmun_contributions(PyObject *self, PyObject *args);
PyObject *bonmun_means(PyObject *self, PyObject *args);
extern const char bonmun_measure_doc[], bonmun_features_doc[], bonmun_forest_doc[], bonmun_sums_doc[], bonmun_contributions_doc[],
    bonmun_means_doc[];

/* A capsule with a measured page, from the tuples that `measure` takes; NULL: a Python error is set. */
PyObject *bonmun_measured_page(PyObject *nodes, PyObject *blocks, PyObject *texts, PyObject *tables);

/* What a capsule holds; NULL: a Python error is set. */
feature_state *bonmun_measured_of(PyObject *capsule);
const forest *bonmun_forest_of(PyObject *capsule);

#endif
