#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "views_py.h"

int bonmun_take_views(PyObject *tuple, Py_ssize_t first, Py_ssize_t count, Py_buffer *views, Py_ssize_t *taken) {
    for (Py_ssize_t at = first; at < first + count; at++) {
        PyObject *object = PyTuple_GetItem(tuple, at);
        if (!object || PyObject_GetBuffer(object, &views[*taken], PyBUF_SIMPLE)) return -1;
        const Py_buffer *view = &views[(*taken)++];
        if (view->len && (uintptr_t)view->buf % sizeof(int32_t)) {
            PyErr_SetString(PyExc_ValueError, "a column must be aligned to 4 bytes");
            return -1;
        }
    }
    return 0;
}

void bonmun_release_views(Py_buffer *views, Py_ssize_t taken) {
    while (taken > 0) PyBuffer_Release(&views[--taken]);
}

bool bonmun_nodes_fit(const Py_buffer *nodes, int count) {
    Py_ssize_t rows = nodes[NODE_PARENT].len, attributes = nodes[NODE_ATTR_NAME].len;
    for (int at = 0; at < count; at++) {
        bool by_attribute = at == NODE_ATTR_NAME || at == NODE_ATTR_START || at == NODE_ATTR_STOP;
        Py_ssize_t wanted = by_attribute ? attributes : at == NODE_ATTR_FIRST ? rows + (Py_ssize_t)sizeof(int32_t) : rows;
        if (nodes[at].len != wanted) return false;
    }
    return true;
}

node_view bonmun_node_view(const Py_buffer *nodes, const Py_buffer *buffer, const Py_buffer *spill) {
    return (node_view){
        .parent = nodes[NODE_PARENT].buf,
        .tag = nodes[NODE_TAG].buf,
        .end = nodes[NODE_END].buf,
        .start = nodes[NODE_START].buf,
        .stop = nodes[NODE_STOP].buf,
        .chars = nodes[NODE_CHARS].buf,
        .flags = nodes[NODE_FLAGS].buf,
        .attr_first = nodes[NODE_ATTR_FIRST].buf,
        .attr_name = nodes[NODE_ATTR_NAME].buf,
        .attr_start = nodes[NODE_ATTR_START].buf,
        .attr_stop = nodes[NODE_ATTR_STOP].buf,
        .buffer = buffer->buf,
        .spill = spill->buf,
        .buffer_length = (int32_t)buffer->len,
        .rows = (int32_t)(nodes[NODE_PARENT].len / (Py_ssize_t)sizeof(int32_t)),
    };
}
