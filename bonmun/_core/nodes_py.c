#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "attribute_rows.h"
#include "nodes_py.h"
#include "views_py.h"

const char bonmun_nodes_doc[] =
    "nodes(columns, buffer, spill)\n--\n\n"
    "The columns of a page, held for many calls.";

const char bonmun_attribute_doc[] =
    "attribute(nodes, row, name, most)\n--\n\n"
    "The value of the attribute of that number, its first `most` bytes (-1: all); None for one that the row does not have.";

const char bonmun_text_doc[] = "text(nodes, row)\n--\n\nThe characters of a text node, or a formula's LaTeX.";

const char bonmun_attribute_rows_doc[] =
    "attribute_rows(nodes, name, words, first, stop)\n--\n\n"
    "The rows from first up to stop whose attribute of that number contains one of the words, in order; each word ends with a NUL.";

static const char nodes_name[] = "bonmun.nodes";

enum { BUFFER = SEGMENT_NODE_COLUMNS, SPILL, VIEWS };

typedef struct {
    Py_buffer views[VIEWS];
    Py_ssize_t taken;
    node_view nodes;
} held_nodes;

static void free_nodes(held_nodes *held) {
    bonmun_release_views(held->views, held->taken);
    PyMem_Free(held);
}

static void forget_nodes(PyObject *capsule) { free_nodes(PyCapsule_GetPointer(capsule, nodes_name)); }

static int take_nodes(held_nodes *held, PyObject *columns, PyObject *buffer, PyObject *spill) {
    if (bonmun_take_views(columns, 0, SEGMENT_NODE_COLUMNS, held->views, &held->taken)) return -1;
    if (!bonmun_nodes_fit(held->views, SEGMENT_NODE_COLUMNS)) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return -1;
    }
    if (PyObject_GetBuffer(buffer, &held->views[BUFFER], PyBUF_SIMPLE)) return -1;
    held->taken++;
    if (PyObject_GetBuffer(spill, &held->views[SPILL], PyBUF_SIMPLE)) return -1;
    held->taken++;
    held->nodes = bonmun_node_view(held->views, &held->views[BUFFER], &held->views[SPILL]);
    return 0;
}

PyObject *bonmun_nodes(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *buffer, *spill, *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O!SS", &PyTuple_Type, &columns, &buffer, &spill)) return NULL;
    held_nodes *held = PyMem_Calloc(1, sizeof *held);
    if (!held) return PyErr_NoMemory();
    if (take_nodes(held, columns, buffer, spill) == 0) capsule = PyCapsule_New(held, nodes_name, forget_nodes);
    if (!capsule) free_nodes(held);
    return capsule;
}

const node_view *bonmun_held_nodes(PyObject *capsule) {
    const held_nodes *held = PyCapsule_GetPointer(capsule, nodes_name);
    return held ? &held->nodes : NULL;
}

/* The nodes and the row that a call begins with; NULL: a Python error is set. A row below 0, the parent of the root, is one. */
static const node_view *nodes_and_row(PyObject *const *args, Py_ssize_t count, Py_ssize_t wanted, int32_t *row) {
    if (count != wanted) {
        PyErr_Format(PyExc_TypeError, "%zd arguments are needed, not %zd", wanted, count);
        return NULL;
    }
    const node_view *nodes = bonmun_held_nodes(args[0]);
    long number = nodes ? PyLong_AsLong(args[1]) : 0;
    if (!nodes || (number == -1 && PyErr_Occurred())) return NULL;
    if (number >= nodes->rows) {
        PyErr_SetString(PyExc_IndexError, "row: beyond the last of the page");
        return NULL;
    }
    *row = number < 0 ? -1 : (int32_t)number;
    return nodes;
}

static PyObject *decoded(const node_view *nodes, int32_t start, int32_t stop) {
    return PyUnicode_DecodeUTF8((const char *)bytes_at(nodes, start), stop - start, "replace");
}

PyObject *bonmun_attribute(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    int32_t row;
    const node_view *nodes = nodes_and_row(args, count, 4, &row);
    if (!nodes) return NULL;
    long name = PyLong_AsLong(args[2]), most = PyLong_AsLong(args[3]);
    if ((name == -1 || most == -1) && PyErr_Occurred()) return NULL;
    for (int32_t at = row < 0 ? 0 : nodes->attr_first[row]; row >= 0 && at < nodes->attr_first[row + 1]; at++) {
        if (nodes->attr_name[at] != name) continue;
        int32_t start = nodes->attr_start[at], stop = nodes->attr_stop[at];
        return decoded(nodes, start, most >= 0 && most < stop - start ? start + (int32_t)most : stop);
    }
    return Py_NewRef(Py_None);
}

PyObject *bonmun_text(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    int32_t row;
    const node_view *nodes = nodes_and_row(args, count, 2, &row);
    if (!nodes) return NULL;
    return row < 0 ? PyUnicode_FromString("") : decoded(nodes, nodes->start[row], nodes->stop[row]);
}

static PyObject *rows_having(const node_view *nodes, const int range[2], int32_t name, const Py_buffer *words) {
    int32_t count, *rows;
    Py_BEGIN_ALLOW_THREADS
    rows = attribute_rows(nodes, range[0], range[1], name, words->buf, (size_t)words->len, &count);
    Py_END_ALLOW_THREADS
    PyObject *answer =
        count < 0 ? PyErr_NoMemory() : PyBytes_FromStringAndSize((const char *)rows, count * (Py_ssize_t)sizeof *rows);
    free(rows);
    return answer;
}

PyObject *bonmun_attribute_rows(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer words;
    int name, range[2];
    if (!PyArg_ParseTuple(args, "Oiy*ii", &capsule, &name, &words, &range[0], &range[1])) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    if (nodes && !attribute_words_fit(words.buf, (size_t)words.len))
        PyErr_SetString(PyExc_ValueError, "words: must be in lower case and each end with a NUL");
    else if (nodes && (range[0] < 0 || range[0] > range[1] || range[1] > nodes->rows))
        PyErr_SetString(PyExc_ValueError, "first, stop: must be rows of the page, in order");
    else if (nodes) answer = rows_having(nodes, range, name, &words);
    PyBuffer_Release(&words);
    return answer;
}
