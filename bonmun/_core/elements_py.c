#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "elements_py.h"
#include "nodes_py.h"

const char bonmun_elements_doc[] =
    "elements(nodes, tag, names, needed, most)\n--\n\n"
    "A tuple of row and values of some attributes, None for a missing one, for each element with a tag (-1: any) and one of "
    "the first `needed` attributes (0: with any attributes or none); the first `most` of them.";

enum { MOST_NAMES = 8 };

typedef struct {
    const int32_t *names; /* of attributes, by number; -1 for one that no element has */
    int32_t count, needed, tag, most;
} wanted_elements;

/* The place of each wanted attribute, -1 for none; false if the element has none of the needed ones. */
static bool find_places(const node_view *nodes, int32_t row, const wanted_elements *wanted, int32_t *places) {
    bool found = !wanted->needed;
    for (int32_t number = 0; number < wanted->count; number++) places[number] = -1;
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++)
        for (int32_t number = 0; number < wanted->count; number++)
            if (nodes->attr_name[at] == wanted->names[number] && places[number] < 0) {
                places[number] = at;
                found |= number < wanted->needed;
            }
    return found;
}

static PyObject *value_at(const node_view *nodes, int32_t place) {
    if (place < 0) {
        Py_INCREF(Py_None);
        return Py_None;
    }
    int32_t start = nodes->attr_start[place];
    return PyUnicode_DecodeUTF8((const char *)bytes_at(nodes, start), nodes->attr_stop[place] - start, "replace");
}

static PyObject *element_at(const node_view *nodes, int32_t row, const int32_t *places, int32_t count) {
    PyObject *element = PyTuple_New(count + 1), *number = PyLong_FromLong(row);
    if (!element || !number || PyTuple_SetItem(element, 0, number)) { /* which takes the number even where it fails */
        if (!element) Py_XDECREF(number);
        Py_XDECREF(element);
        return NULL;
    }
    for (int32_t at = 0; at < count; at++) {
        PyObject *value = value_at(nodes, places[at]);
        if (!value || PyTuple_SetItem(element, at + 1, value)) {
            Py_DECREF(element);
            return NULL;
        }
    }
    return element;
}

static PyObject *elements_found(const node_view *nodes, const wanted_elements *wanted) {
    PyObject *found = PyList_New(0);
    for (int32_t row = 0, left = wanted->most; found && left > 0 && row < nodes->rows; row++) {
        int32_t places[MOST_NAMES];
        if (wanted->tag >= 0 ? nodes->tag[row] != wanted->tag : nodes->attr_first[row] == nodes->attr_first[row + 1]) continue;
        if (!find_places(nodes, row, wanted, places)) continue;
        PyObject *element = element_at(nodes, row, places, wanted->count);
        if (!element || PyList_Append(found, element)) Py_CLEAR(found);
        Py_XDECREF(element);
        left--;
    }
    return found;
}

PyObject *bonmun_elements(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer names;
    int tag, needed, most;
    if (!PyArg_ParseTuple(args, "Oiy*ii", &capsule, &tag, &names, &needed, &most)) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    Py_ssize_t count = names.len / (Py_ssize_t)sizeof(int32_t);
    if (nodes && (count > MOST_NAMES || needed < 0 || needed > count || (names.len && (uintptr_t)names.buf % sizeof(int32_t))))
        PyErr_SetString(PyExc_ValueError, "names: must hold at most 8 numbers of attributes, at least `needed`");
    else if (nodes) answer = elements_found(nodes, &(wanted_elements){names.buf, (int32_t)count, needed, tag, most});
    PyBuffer_Release(&names);
    return answer;
}
