#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <string.h>

#include "nodes_py.h"
#include "tags_table.h"
#include "views_py.h"

const char bonmun_node_rows_doc[] =
    "node_rows(columns, buffer, spill)\n--\n\n"
    "The columns of a page, prepared for `row_text`, `row_content` and `row_attr`.";

const char bonmun_row_text_doc[] =
    "row_text(rows, row)\n--\n\n"
    "The characters of a row; that of a negative number counts from the end.";

const char bonmun_row_content_doc[] =
    "row_content(rows, row)\n--\n\n"
    "All text inside an element, white space included.";

const char bonmun_row_attr_doc[] =
    "row_attr(rows, row, name, most)\n--\n\n"
    "The value of an attribute by the number of its name, `most` bytes at most (-1: all of it); None if the row has none.";

static const char rows_name[] = "bonmun.node_rows";

enum { BUFFER = SEGMENT_NODE_COLUMNS, SPILL, VIEWS };

typedef struct {
    Py_buffer views[VIEWS];
    Py_ssize_t taken;
    node_view nodes;
} node_rows;

static void free_rows(node_rows *rows) {
    bonmun_release_views(rows->views, rows->taken);
    PyMem_Free(rows);
}

static void forget_rows(PyObject *capsule) { free_rows(PyCapsule_GetPointer(capsule, rows_name)); }

static bool take_bytes(PyObject *bytes, node_rows *rows) {
    if (PyObject_GetBuffer(bytes, &rows->views[rows->taken], PyBUF_SIMPLE)) return false;
    rows->taken++;
    return true;
}

static bool take_rows(PyObject *columns, PyObject *buffer, PyObject *spill, node_rows *rows) {
    if (bonmun_take_views(columns, 0, SEGMENT_NODE_COLUMNS, rows->views, &rows->taken)) return false;
    if (!take_bytes(buffer, rows) || !take_bytes(spill, rows)) return false;
    if (!bonmun_nodes_fit(rows->views, SEGMENT_NODE_COLUMNS)) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return false;
    }
    rows->nodes = bonmun_node_view(rows->views, &rows->views[BUFFER], &rows->views[SPILL]);
    return true;
}

PyObject *bonmun_node_rows(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *buffer, *spill, *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O!SS", &PyTuple_Type, &columns, &buffer, &spill)) return NULL;
    node_rows *rows = PyMem_Calloc(1, sizeof *rows);
    if (!rows) return PyErr_NoMemory();
    if (take_rows(columns, buffer, spill, rows)) capsule = PyCapsule_New(rows, rows_name, forget_rows);
    if (!capsule) free_rows(rows);
    return capsule;
}

/* Bytes of a page; none where columns point outside of it. */
typedef struct {
    const uint8_t *bytes;
    Py_ssize_t length;
} piece;

static piece piece_at(const node_rows *rows, int32_t start, int32_t stop) {
    const Py_buffer *of = &rows->views[start < rows->nodes.buffer_length ? BUFFER : SPILL];
    Py_ssize_t first = start - (of == &rows->views[SPILL] ? rows->nodes.buffer_length : 0), length = stop - (Py_ssize_t)start;
    if (start < 0 || length <= 0 || first >= of->len) return (piece){(const uint8_t *)"", 0};
    return (piece){(const uint8_t *)of->buf + first, length < of->len - first ? length : of->len - first};
}

static PyObject *string_of(piece p) { return PyUnicode_DecodeUTF8((const char *)p.bytes, p.length, "replace"); }

/* The page and the row of a call with `wanted` arguments; NULL: a Python error is set. */
static const node_rows *take_call(PyObject *const *args, Py_ssize_t count, Py_ssize_t wanted, long *row) {
    if (count != wanted) {
        PyErr_SetString(PyExc_TypeError, "wrong number of arguments");
        return NULL;
    }
    const node_rows *rows = PyCapsule_GetPointer(args[0], rows_name);
    *row = rows ? PyLong_AsLong(args[1]) : -1;
    if (!rows || (*row == -1 && PyErr_Occurred())) return NULL;
    if (*row < rows->nodes.rows && *row >= -(long)rows->nodes.rows) return rows;
    PyErr_SetString(PyExc_IndexError, "no such row");
    return NULL;
}

PyObject *bonmun_row_text(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    long row;
    const node_rows *rows = take_call(args, count, 2, &row);
    if (!rows) return NULL;
    if (row < 0) row += rows->nodes.rows;
    return string_of(piece_at(rows, rows->nodes.start[row], rows->nodes.stop[row]));
}

/* The texts of an element one after another, and the bytes of all; `to`: where they are copied, if not NULL. */
static Py_ssize_t join_texts(const node_rows *rows, int32_t element, uint8_t *to) {
    const node_view *nodes = &rows->nodes;
    Py_ssize_t length = 0;
    int32_t stop = nodes->end[element] < nodes->rows ? nodes->end[element] : nodes->rows;
    for (int32_t row = element, next; row < stop; row = next) {
        bool is_text = nodes->tag[row] == TAG_TEXT, is_shown = is_text || nodes->chars[row];
        next = is_shown && !is_text && nodes->end[row] > row ? nodes->end[row] : row + 1; /* a formula's own text, without its inside */
        if (!is_shown) continue;
        piece text = piece_at(rows, nodes->start[row], nodes->stop[row]);
        if (to) memcpy(to + length, text.bytes, (size_t)text.length);
        length += text.length;
    }
    return length;
}

PyObject *bonmun_row_content(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    long row;
    const node_rows *rows = take_call(args, count, 2, &row);
    if (!rows) return NULL;
    if (row < 0) row += rows->nodes.rows;
    Py_ssize_t length = join_texts(rows, (int32_t)row, NULL);
    uint8_t *bytes = PyMem_Malloc((size_t)length + 1);
    if (!bytes) return PyErr_NoMemory();
    join_texts(rows, (int32_t)row, bytes);
    PyObject *content = string_of((piece){bytes, length});
    PyMem_Free(bytes);
    return content;
}

PyObject *bonmun_row_attr(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    long row;
    const node_rows *rows = take_call(args, count, 4, &row);
    if (!rows) return NULL;
    long name = PyLong_AsLong(args[2]), most = PyLong_AsLong(args[3]);
    if ((name == -1 || most == -1) && PyErr_Occurred()) return NULL;
    const node_view *nodes = &rows->nodes;
    for (int32_t at = row < 0 ? 0 : nodes->attr_first[row]; row >= 0 && at < nodes->attr_first[row + 1]; at++) {
        if (nodes->attr_name[at] != name) continue;
        piece value = piece_at(rows, nodes->attr_start[at], nodes->attr_stop[at]);
        if (most >= 0 && value.length > most) value.length = most;
        return string_of(value);
    }
    return Py_NewRef(Py_None);
}
