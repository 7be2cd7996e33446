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
    Py_ssize_t size;
} cells;

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
    return PyBuffer_FillInfo(view, self, ((cells *)self)->memory, ((cells *)self)->size, 1, flags);
}

static void release(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    free(((cells *)self)->memory);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {{Py_bf_getbuffer, get_buffer}, {Py_tp_dealloc, release}, {0, NULL}};
static PyType_Spec spec = {"bonmun._core.Cells", sizeof(cells), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyObject *bonmun_cells_type(PyObject *module) { return PyType_FromModuleAndSpec(module, &spec, NULL); }

PyObject *bonmun_cells(PyTypeObject *type, int32_t *memory, Py_ssize_t count) {
    cells *object = PyObject_New(cells, type);
    if (!object) {
        free(memory);
        return NULL;
    }
    object->memory = memory;
    object->size = count * (Py_ssize_t)sizeof(int32_t);
    return (PyObject *)object;
}
