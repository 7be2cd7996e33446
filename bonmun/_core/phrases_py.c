#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "phrases.h"
#include "phrases_py.h"
#include "ranks_py.h"
#include "views_py.h"

const char bonmun_phrases_doc[] =
    "phrases(contributions, keep, mean, columns, stops, whole, features, picked, decisions)\n--\n\n"
    "The numbers of the phrases of rows of contributions, which are those of `picked` rows of a table of features. The first arguments\n"
    "are those of `ranks`; bonmun/methods/learned/phrases/decision_table.py describes `decisions`.";

enum { START, WORDING, CONDITION, COLUMN, BOUNDS, LIST_OF_GROUP, ALONE, DECISIONS };
enum { FEATURES = RANK_TABLES, PICKED, TABLES };

static Py_ssize_t cells_of(const Py_buffer *view) { return view->len / (Py_ssize_t)sizeof(int32_t); }

/* Whether numbers do not decrease, from 0 up to the last. */
static bool are_stops(const Py_buffer *view, Py_ssize_t last) {
    const int32_t *stops = view->buf;
    Py_ssize_t count = cells_of(view);
    if (count < 1 || stops[0] != 0 || stops[count - 1] != last) return false;
    for (Py_ssize_t at = 1; at < count; at++)
        if (stops[at] < stops[at - 1]) return false;
    return true;
}

static bool are_below(const int32_t *numbers, Py_ssize_t count, int32_t least, Py_ssize_t below) {
    for (Py_ssize_t at = 0; at < count; at++)
        if (numbers[at] < least || numbers[at] >= below) return false;
    return true;
}

static bool decisions_fit(const Py_buffer *v, const rank_groups *g) {
    Py_ssize_t conditions = cells_of(&v[COLUMN]), clauses = cells_of(&v[WORDING]), groups = cells_of(&v[LIST_OF_GROUP]);
    return groups == g->groups && cells_of(&v[ALONE]) == groups && cells_of(&v[START]) == (Py_ssize_t)g->width + 1 &&
           cells_of(&v[CONDITION]) == clauses + 1 && v[BOUNDS].len == 2 * conditions * (Py_ssize_t)sizeof(double) &&
           (uintptr_t)v[BOUNDS].buf % sizeof(double) == 0 && are_stops(&v[START], clauses) && are_stops(&v[CONDITION], conditions) &&
           are_below(v[COLUMN].buf, conditions, 0, g->width) && are_below(v[LIST_OF_GROUP].buf, groups, 0, g->width);
}

static bool rows_fit(const Py_buffer *tables, const rank_groups *g) {
    Py_ssize_t rows = cells_of(&tables[PICKED]), row_bytes = (Py_ssize_t)sizeof(float) * g->width;
    return tables[TABLE].len == rows * row_bytes && tables[FEATURES].len % row_bytes == 0 && tables[PICKED].len % 4 == 0 &&
           (uintptr_t)tables[FEATURES].buf % sizeof(float) == 0 && (uintptr_t)tables[PICKED].buf % sizeof(int32_t) == 0 &&
           are_below(tables[PICKED].buf, rows, 0, tables[FEATURES].len / row_bytes);
}

static PyObject *phrases_of(const phrase_decisions *d, const rank_groups *g, const Py_buffer *tables, bool keep) {
    Py_ssize_t rows = cells_of(&tables[PICKED]);
    const int32_t *picked = tables[PICKED].buf;
    PyObject *answer = PyBytes_FromStringAndSize(NULL, rows * REASONS * (Py_ssize_t)sizeof(int32_t));
    double *means = PyMem_Malloc(2 * (size_t)g->groups * sizeof *means);
    if (!answer || !means) {
        Py_XDECREF(answer);
        PyMem_Free(means);
        return PyErr_NoMemory();
    }
    int32_t *to = (int32_t *)(void *)PyBytes_AsString(answer);
    Py_BEGIN_ALLOW_THREADS
    sum_means(g, means);
    for (Py_ssize_t at = 0; at < rows; at++) {
        judged_row row = {(const float *)tables[FEATURES].buf + (Py_ssize_t)picked[at] * g->width,
                          (const float *)tables[TABLE].buf + at * g->width, keep};
        find_phrases(d, g, means, &row, means + g->groups, to + at * REASONS);
    }
    Py_END_ALLOW_THREADS
    PyMem_Free(means);
    return answer;
}

PyObject *bonmun_phrases(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *decisions, *answer = NULL;
    Py_buffer t[TABLES], v[DECISIONS];
    Py_ssize_t taken = 0;
    int keep;
    if (!PyArg_ParseTuple(args, "y*py*y*y*y*y*y*O!", &t[TABLE], &keep, &t[MEAN], &t[COLUMNS], &t[STOPS], &t[WHOLE], &t[FEATURES],
                          &t[PICKED], &PyTuple_Type, &decisions))
        return NULL;
    if (bonmun_take_views(decisions, 0, DECISIONS, v, &taken) == 0) {
        rank_groups g;
        phrase_decisions d = {v[START].buf,  v[WORDING].buf,       v[CONDITION].buf, v[COLUMN].buf,
                              v[BOUNDS].buf, v[LIST_OF_GROUP].buf, v[ALONE].buf};
        if (bonmun_rank_groups(t, &g) && rows_fit(t, &g) && decisions_fit(v, &g)) answer = phrases_of(&d, &g, t, keep);
        else PyErr_SetString(PyExc_ValueError, "tables, groups and decisions of different widths");
    }
    bonmun_release_views(v, taken);
    for (int at = 0; at < TABLES; at++) PyBuffer_Release(&t[at]);
    return answer;
}
