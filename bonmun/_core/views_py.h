/* Columns of nodes that Python passes as buffers. Include Python.h first. */
#ifndef BONMUN_VIEWS_PY_H
#define BONMUN_VIEWS_PY_H

#include "segment.h"

/* Take `count` objects of a tuple from index `first` on as buffers of 32-bit cells, behind those already taken; -1: a Python
 * error is set. Either way bonmun_release_views has to follow. */
int bonmun_take_views(PyObject *tuple, Py_ssize_t first, Py_ssize_t count, Py_buffer *views, Py_ssize_t *taken);
void bonmun_release_views(Py_buffer *views, Py_ssize_t taken);

/* Whether the first `count` of the NODE_… columns are of matching lengths. Their content is trusted to come from a reader. */
bool bonmun_nodes_fit(const Py_buffer *nodes, int count);
node_view bonmun_node_view(const Py_buffer *nodes, const Py_buffer *buffer, const Py_buffer *spill);

#endif
