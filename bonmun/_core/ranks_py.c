#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "ranks.h"
#include "ranks_py.h"

const char bonmun_ranks_doc[] =
    "ranks(contributions, keep, mean, columns, stops, whole)\n--\n\n"
    "For each row of contributions the groups that speak most for its verdict: weight, a double, group and columns, 32-bit\n"
    "integers. bonmun/methods/learned/ranks.py describes them.";

bool bonmun_rank_groups(const Py_buffer *v, rank_groups *g) {
    if (v[MEAN].len / 8 > INT32_MAX || v[COLUMNS].len / 4 > INT32_MAX || v[STOPS].len / 4 > INT32_MAX) return false;
    *g = (rank_groups){v[COLUMNS].buf, v[STOPS].buf, (int32_t)(v[STOPS].len / 4), (int32_t)(v[MEAN].len / 8), v[MEAN].buf, v[WHOLE].buf};
    if (v[MEAN].len % 8 || v[COLUMNS].len % 4 || v[STOPS].len % 4 || !g->width || !g->groups) return false;
    if ((uintptr_t)v[TABLE].buf % sizeof(float) || (uintptr_t)v[MEAN].buf % sizeof(double)) return false;
    if (v[WHOLE].len != g->groups || v[TABLE].len % (g->width * (Py_ssize_t)sizeof(float))) return false;
    int32_t last = 0;
    for (int32_t at = 0; at < g->groups; at++) {
        if (g->stop[at] < last) return false;
        last = g->stop[at];
    }
    if (last != v[COLUMNS].len / 4) return false;
    for (int32_t at = 0; at < last; at++)
        if (g->column[at] < 0 || g->column[at] >= g->width) return false;
    return true;
}

static PyObject *ranked(const Py_buffer *v, bool keep) {
    rank_groups g;
    if (!bonmun_rank_groups(v, &g)) {
        PyErr_SetString(PyExc_ValueError, "table, mean and groups of different widths");
        return NULL;
    }
    Py_ssize_t rows = v[TABLE].len / g.width / (Py_ssize_t)sizeof(float);
    PyObject *ranks = PyBytes_FromStringAndSize(NULL, rows * RANKS * (Py_ssize_t)sizeof(rank));
    double *numbers = PyMem_Malloc(2 * (size_t)g.groups * sizeof *numbers);
    if (!ranks || !numbers) {
        Py_XDECREF(ranks);
        PyMem_Free(numbers);
        return PyErr_NoMemory();
    }
    rank *to = (rank *)(void *)PyBytes_AsString(ranks);
    Py_BEGIN_ALLOW_THREADS
    rank_rows(&g, v[TABLE].buf, keep, rows, numbers, to);
    Py_END_ALLOW_THREADS
    PyMem_Free(numbers);
    return ranks;
}

PyObject *bonmun_ranks(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer v[RANK_TABLES];
    int keep;
    if (!PyArg_ParseTuple(args, "y*py*y*y*y*", &v[TABLE], &keep, &v[MEAN], &v[COLUMNS], &v[STOPS], &v[WHOLE])) return NULL;
    PyObject *answer = ranked(v, keep);
    for (int at = 0; at < RANK_TABLES; at++) PyBuffer_Release(&v[at]);
    return answer;
}
