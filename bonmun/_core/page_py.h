/* Python bindings of segment.h, groups.h, places.h and formula_rows.h. Include Python.h first. */
#ifndef BONMUN_PAGE_PY_H
#define BONMUN_PAGE_PY_H

#include "cells_py.h"
#include "segment.h"

PyObject *bonmun_block_answer(const cell_types *types, const block_list *list); /* what `segment` returns */

PyObject *bonmun_segment(PyObject *self, PyObject *args);
PyObject *bonmun_group(PyObject *self, PyObject *args);
PyObject *bonmun_places(PyObject *self, PyObject *args);
PyObject *bonmun_formula_rows(PyObject *self, PyObject *args);
PyObject *bonmun_tag_rows(PyObject *self, PyObject *args);
extern const char bonmun_segment_doc[], bonmun_group_doc[], bonmun_places_doc[], bonmun_formula_rows_doc[];
extern const char bonmun_tag_rows_doc[];

#endif
