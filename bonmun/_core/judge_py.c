#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "features_py.h"
#include "judge.h"
#include "judge_py.h"
#include "views_py.h"

const char bonmun_judge_doc[] =
    "judge(measured, table, blocks, about, recalls, bounds, tables, stops, may_be_plain, beta, seconds)\n--\n\n"
    "Scores, choice, summary and what the trees over the summary say of a measured page: raw scores (doubles), keep, figures\n"
    "(floats), sums of `about` (floats), expected F1, why the page is kept whole, whether a kept block is near comments, the\n"
    "characters of kept copies; or the name of the limit exceeded.";

/* The forests of a tuple, none of which needs more columns than there are. False: a Python error is set. */
static bool take_forests(PyObject *tuple, Py_ssize_t count, int32_t width, const forest **forests) {
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *capsule = PyTuple_GetItem(tuple, at);
        forests[at] = capsule ? bonmun_forest_of(capsule) : NULL;
        if (!forests[at]) return false;
        if (forest_width(forests[at]) > width) {
            PyErr_SetString(PyExc_ValueError, "the trees need more columns");
            return false;
        }
    }
    return true;
}

static bool units_fit(const table_units *units, Py_ssize_t blocks, int32_t count) {
    int32_t last = 0;
    for (int32_t at = 0; at < 2 * units->count; at++) {
        if (units->stops[at] < last || units->stops[at] > blocks) return false;
        last = units->stops[at];
    }
    for (int32_t at = 0; at < last; at++)
        if (units->blocks[at] < 0 || units->blocks[at] >= count) return false;
    return true;
}

static PyObject *answer_of(judge_result result, PyObject *raw, PyObject *keep, PyObject *figures, PyObject *about,
                           const judgement *judged) {
    if (result == JUDGE_NO_MEMORY) return PyErr_NoMemory();
    if (result == JUDGE_SECONDS) return PyUnicode_FromString("seconds");
    PyObject *commented = judged->commented ? Py_True : Py_False;
    return Py_BuildValue("OOOOdiOL", raw, keep, figures, about, judged->f1, judged->whole, commented, (long long)judged->copied);
}

static PyObject *judge_measured(const judge_model *model, const judge_task *task) {
    Py_ssize_t count = features_count(task->state);
    PyObject *raw = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(double)), *answer = NULL;
    PyObject *keep = PyByteArray_FromStringAndSize(NULL, count);
    PyObject *figures = PyBytes_FromStringAndSize(NULL, SUMMARY_COUNT * (Py_ssize_t)sizeof(float));
    PyObject *about = PyBytes_FromStringAndSize(NULL, model->about_count * (Py_ssize_t)sizeof(float));
    if (raw && keep && figures && about) {
        judgement judged = {.raw = (double *)(void *)PyBytes_AsString(raw), .keep = (uint8_t *)PyByteArray_AsString(keep),
                            .figures = (float *)(void *)PyBytes_AsString(figures),
                            .about = (float *)(void *)PyBytes_AsString(about)};
        judge_result result;
        Py_BEGIN_ALLOW_THREADS
        result = judge_page(model, task, &judged);
        Py_END_ALLOW_THREADS
        answer = answer_of(result, raw, keep, figures, about, &judged);
    }
    Py_XDECREF(raw);
    Py_XDECREF(keep);
    Py_XDECREF(figures);
    Py_XDECREF(about);
    return answer;
}

/* The arguments from Python, and what is freed with them. */
typedef struct {
    judge_model model;
    judge_task task;
    table_units units;
    const forest *of_blocks[2], **about;
    Py_buffer views[4];
    Py_ssize_t taken;
} judge_arguments;

static void free_arguments(judge_arguments *a) {
    bonmun_release_views(a->views, a->taken);
    PyMem_Free((void *)a->about);
}

static bool take_model(judge_arguments *a, PyObject *blocks, PyObject *about) {
    Py_ssize_t many = PyTuple_Size(about);
    a->about = PyMem_Calloc((size_t)many + 1, sizeof *a->about);
    if (!a->about) PyErr_NoMemory();
    if (!a->about || !take_forests(blocks, 2, COLUMN_COUNT, a->of_blocks) || !take_forests(about, many, SUMMARY_COUNT, a->about))
        return false;
    a->model.first = a->of_blocks[0];
    a->model.rest = a->of_blocks[1];
    a->model.about = a->about;
    a->model.about_count = (int32_t)many;
    return true;
}

/* Take the argument `recalls`, one for each of the first forests over the summary. */
static bool take_recalls(judge_arguments *a, PyObject *args) {
    if (bonmun_take_views(args, 4, 1, a->views, &a->taken)) return false;
    const Py_buffer *view = &a->views[0];
    Py_ssize_t types = view->len / (Py_ssize_t)sizeof(double);
    if (!types || types > a->model.about_count || view->len % (Py_ssize_t)sizeof(double) || (uintptr_t)view->buf % sizeof(double)) {
        PyErr_SetString(PyExc_ValueError, "recalls are not those of the types");
        return false;
    }
    a->model.recalls = view->buf;
    a->model.types = (int32_t)types;
    return true;
}

/* Take the arguments `tables`, `stops` and, unless it is None, `table`. */
static bool take_page(judge_arguments *a, PyObject *args, bool has_table) {
    const Py_buffer *v = a->views + 1;
    if (bonmun_take_views(args, 6, 2, a->views, &a->taken)) return false;
    if (has_table && bonmun_take_views(args, 1, 1, a->views, &a->taken)) return false;
    int32_t count = features_count(a->task.state);
    a->units = (table_units){v[0].buf, v[1].buf, (int32_t)(v[1].len / 8)};
    bool table_fits = !has_table || v[2].len == count * (COLUMN_COUNT * (Py_ssize_t)sizeof(float));
    if (!count || !table_fits || v[1].len % 8 || v[1].len / 8 > INT32_MAX / 2 || !units_fit(&a->units, v[0].len / 4, count)) {
        PyErr_SetString(PyExc_ValueError, "no blocks, a table of another page, or invalid data tables");
        return false;
    }
    a->task.units = &a->units;
    a->task.table = has_table ? v[2].buf : NULL;
    return true;
}

PyObject *bonmun_judge(PyObject *self, PyObject *args) {
    (void)self;
    judge_arguments a = {0};
    PyObject *measured, *blocks, *about, *table, *recalls, *tables, *stops, *answer = NULL;
    int may_be_plain;
    if (!PyArg_ParseTuple(args, "OOO!O!O(dddd)OOpdd", &measured, &table, &PyTuple_Type, &blocks, &PyTuple_Type, &about,
                          &recalls, &a.model.below, &a.model.above, &a.model.weight, &a.model.empty, &tables, &stops, &may_be_plain,
                          &a.task.beta, &a.task.seconds)) return NULL;
    a.task.state = bonmun_measured_of(measured);
    a.task.may_be_plain = may_be_plain;
    if (a.task.state && take_model(&a, blocks, about) && take_recalls(&a, args) && take_page(&a, args, table != Py_None))
        answer = judge_measured(&a.model, &a.task);
    free_arguments(&a);
    return answer;
}
