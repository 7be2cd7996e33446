#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "cells_py.h"

typedef struct {
    PyObject_HEAD
    int32_t *memory;
} cells;

typedef struct {
    PyObject_HEAD
    PyObject *owner;
    const int32_t *first;
    Py_ssize_t count;
} column;

static void free_cells(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    free(((cells *)self)->memory);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
    column *c = (column *)self;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "columns are read-only");
        view->obj = NULL;
        return -1;
    }
    Py_INCREF(self);
    *view = (Py_buffer){
        .buf = (void *)(uintptr_t)c->first,
        .obj = self,
        .len = c->count * (Py_ssize_t)sizeof(int32_t),
        .itemsize = sizeof(int32_t),
        .readonly = 1,
        .ndim = 1,
        .format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)"i" : NULL,
        .shape = flags & PyBUF_ND ? &c->count : NULL,
    };
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &view->itemsize : NULL;
    return 0;
}

static Py_ssize_t length_of(PyObject *self) { return ((column *)self)->count; }

static void free_column(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((column *)self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

enum { TYPE_FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION };
static PyType_Slot cells_slots[] = {{Py_tp_dealloc, free_cells}, {0, NULL}};
static PyType_Spec cells_spec = {"bonmun._core.Cells", sizeof(cells), 0, TYPE_FLAGS, cells_slots};
static PyType_Slot column_slots[] = {{Py_bf_getbuffer, get_buffer}, {Py_sq_length, length_of}, {Py_tp_dealloc, free_column}, {0, NULL}};
static PyType_Spec column_spec = {"bonmun._core.Column", sizeof(column), 0, TYPE_FLAGS, column_slots};

int bonmun_cell_types_init(PyObject *module, cell_types *types) {
    types->cells = PyType_FromModuleAndSpec(module, &cells_spec, NULL);
    types->column = types->cells ? PyType_FromModuleAndSpec(module, &column_spec, NULL) : NULL;
    return types->column ? 0 : -1;
}

PyObject *bonmun_cells(const cell_types *types, int32_t *memory) {
    cells *object = PyObject_New(cells, (PyTypeObject *)(void *)types->cells);
    if (!object) free(memory);
    else object->memory = memory;
    return (PyObject *)object;
}

PyObject *bonmun_column(const cell_types *types, PyObject *owner, const int32_t *first, Py_ssize_t count) {
    column *object = owner ? PyObject_New(column, (PyTypeObject *)(void *)types->column) : NULL;
    if (!object) return NULL;
    Py_INCREF(owner);
    object->owner = owner;
    object->first = first;
    object->count = count;
    return (PyObject *)object;
}
