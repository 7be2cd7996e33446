#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>
#include <string.h>

#include "attribute_rows.h"
#include "nodes_py.h"
#include "tags_table.h"
#include "views_py.h"

const char bonmun_nodes_doc[] =
    "nodes(columns, buffer, spill)\n--\n\n"
    "The columns of a page, held for many calls.";

const char bonmun_attribute_doc[] =
    "attribute(nodes, row, name, most)\n--\n\n"
    "The value of the attribute of that number, its first `most` bytes (-1: all); None for one that the row does not have.";

const char bonmun_text_doc[] =
    "text(nodes, row)\n--\n\n"
    "The characters of a text node, or a formula's LaTeX; the row of a negative number counts from the end.";

const char bonmun_content_doc[] =
    "content(nodes, row)\n--\n\n"
    "All text inside an element, white space included.";

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

/* Bytes of a page; none where columns point outside of it. */
typedef struct {
    const uint8_t *bytes;
    Py_ssize_t length;
} piece;

static piece piece_at(const held_nodes *held, int32_t start, int32_t stop) {
    const Py_buffer *of = &held->views[start < held->nodes.buffer_length ? BUFFER : SPILL];
    Py_ssize_t first = start - (of == &held->views[SPILL] ? held->nodes.buffer_length : 0), length = stop - (Py_ssize_t)start;
    if (start < 0 || length <= 0 || first >= of->len) return (piece){(const uint8_t *)"", 0};
    return (piece){(const uint8_t *)of->buf + first, length < of->len - first ? length : of->len - first};
}

static PyObject *string_of(piece p) { return PyUnicode_DecodeUTF8((const char *)p.bytes, p.length, "replace"); }

/* The page and the row of a call with `wanted` arguments; NULL: a Python error is set. */
static const held_nodes *take_call(PyObject *const *args, Py_ssize_t count, Py_ssize_t wanted, long *row) {
    if (count != wanted) {
        PyErr_SetString(PyExc_TypeError, "wrong number of arguments");
        return NULL;
    }
    const held_nodes *held = PyCapsule_GetPointer(args[0], nodes_name);
    *row = held ? PyLong_AsLong(args[1]) : -1;
    if (!held || (*row == -1 && PyErr_Occurred())) return NULL;
    if (*row < held->nodes.rows && *row >= -(long)held->nodes.rows) return held;
    PyErr_SetString(PyExc_IndexError, "no such row");
    return NULL;
}

/* The same for calls of a page and a row, where a negative number counts from the end. */
static const held_nodes *take_row(PyObject *const *args, Py_ssize_t count, int32_t *row) {
    long number;
    const held_nodes *held = take_call(args, count, 2, &number);
    if (held) *row = (int32_t)(number < 0 ? number + held->nodes.rows : number);
    return held;
}

PyObject *bonmun_text(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    int32_t row;
    const held_nodes *held = take_row(args, count, &row);
    if (!held) return NULL;
    return string_of(piece_at(held, held->nodes.start[row], held->nodes.stop[row]));
}

/* The texts of an element one after another, and the bytes of all; `to`: where they are copied, if not NULL. */
static Py_ssize_t join_texts(const held_nodes *held, int32_t element, uint8_t *to) {
    const node_view *nodes = &held->nodes;
    Py_ssize_t length = 0;
    int32_t stop = nodes->end[element] < nodes->rows ? nodes->end[element] : nodes->rows;
    for (int32_t row = element, next; row < stop; row = next) {
        bool is_text = nodes->tag[row] == TAG_TEXT, is_shown = is_text || nodes->chars[row];
        next = is_shown && !is_text && nodes->end[row] > row ? nodes->end[row] : row + 1; /* a formula's own text, without its inside */
        if (!is_shown) continue;
        piece text = piece_at(held, nodes->start[row], nodes->stop[row]);
        if (to) memcpy(to + length, text.bytes, (size_t)text.length);
        length += text.length;
    }
    return length;
}

PyObject *bonmun_content(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    int32_t row;
    const held_nodes *held = take_row(args, count, &row);
    if (!held) return NULL;
    Py_ssize_t length = join_texts(held, row, NULL);
    uint8_t *bytes = PyMem_Malloc((size_t)length + 1);
    if (!bytes) return PyErr_NoMemory();
    join_texts(held, row, bytes);
    PyObject *content = string_of((piece){bytes, length});
    PyMem_Free(bytes);
    return content;
}

PyObject *bonmun_attribute(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    long row;
    const held_nodes *held = take_call(args, count, 4, &row);
    if (!held) return NULL;
    long name = PyLong_AsLong(args[2]), most = PyLong_AsLong(args[3]);
    if ((name == -1 || most == -1) && PyErr_Occurred()) return NULL;
    const node_view *nodes = &held->nodes;
    for (int32_t at = row < 0 ? 0 : nodes->attr_first[row]; row >= 0 && at < nodes->attr_first[row + 1]; at++) {
        if (nodes->attr_name[at] != name) continue;
        piece value = piece_at(held, nodes->attr_start[at], nodes->attr_stop[at]);
        if (most >= 0 && value.length > most) value.length = most;
        return string_of(value);
    }
    return Py_NewRef(Py_None);
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
