#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

#include "calibration_py.h"

const char bonmun_calibrate_doc[] =
    "calibrate(xs, ys, raw)\n--\n\n"
    "Scores mapped by a piecewise linear function with these knots, all in doubles; bonmun/methods/learned/model.py has the twin.";

/* The number of knots that are not above a score, as bisect_right counts them. */
static Py_ssize_t knots_up_to(const double *xs, Py_ssize_t count, double score) {
    Py_ssize_t low = 0, high = count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (score < xs[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* The same operations as in the twin, so that the bits are the same. */
static double calibrated(const double *xs, const double *ys, Py_ssize_t count, double score) {
    Py_ssize_t knot = knots_up_to(xs, count, score);
    knot = knot < 1 ? 1 : knot > count - 1 ? count - 1 : knot;
    double way = (score - xs[knot - 1]) / (xs[knot] - xs[knot - 1]);
    way = way > 0 ? way : 0;
    way = way < 1 ? way : 1;
    return ys[knot - 1] + (ys[knot] - ys[knot - 1]) * way;
}

static bool are_doubles(const Py_buffer *view) {
    return view->len % (Py_ssize_t)sizeof(double) == 0 && (!view->len || (uintptr_t)view->buf % sizeof(double) == 0);
}

PyObject *bonmun_calibrate(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer xs, ys, raw;
    if (!PyArg_ParseTuple(args, "y*y*y*", &xs, &ys, &raw)) return NULL;
    PyObject *answer = NULL;
    Py_ssize_t knots = xs.len / (Py_ssize_t)sizeof(double), scores = raw.len / (Py_ssize_t)sizeof(double);
    if (!are_doubles(&xs) || !are_doubles(&ys) || !are_doubles(&raw) || xs.len != ys.len || knots < 2) {
        PyErr_SetString(PyExc_ValueError, "xs, ys: must be at least two knots; all must be doubles");
    } else if ((answer = PyBytes_FromStringAndSize(NULL, raw.len))) {
        double *to = (double *)(void *)PyBytes_AsString(answer);
        for (Py_ssize_t at = 0; at < scores; at++) to[at] = calibrated(xs.buf, ys.buf, knots, ((const double *)raw.buf)[at]);
    }
    PyBuffer_Release(&xs);
    PyBuffer_Release(&ys);
    PyBuffer_Release(&raw);
    return answer;
}
