#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <time.h>

#include "features_py.h"
#include "judge.h"
#include "judge_py.h"
#include "rules_py.h"
#include "views_py.h"

const char bonmun_judge_doc[] =
    "judge(nodes, blocks, texts, model, signs, page, units, beta, seconds, step)\n--\n\n"
    "From the columns of a page to its verdicts: features, scores, choice, summary, type, and the rules from a step on, up to one\n"
    "that Python has to look at. Returns raw scores (doubles), keep, figures (floats), sums of the trees over them (floats), the\n"
    "likeliest type and its probability, expected F1, why the page is kept whole, whether a kept block is near comments, the\n"
    "characters of kept copies, the number of the rule that decided on each block, the measured page if the rules have to go on,\n"
    "and what `overrule` returns; or the name of the limit exceeded.\n\n"
    "`model`: tables for `measure`, the trees before and after the early exit, those over the summary, bounds, the numbers of the\n"
    "types article and forum. `page`: a weight of recall for each type, kinds of the blocks, whether its text is from\n"
    "markup, whether it has footnotes, the number of the attribute href. `units`: its data tables.";

enum { RECALLS, KINDS, TABLES, STOPS, COLUMNS };

/* The arguments from Python, and what is freed with them. */
typedef struct {
    judge_model model;
    judge_task task;
    table_units units;
    overruling rules;
    rule_findings findings;
    const forest *of_blocks[2], **about;
    int article, forum; /* the numbers of these types; -1: the model has none */
    float *table;
    Py_buffer views[COLUMNS];
    Py_ssize_t taken;
} judge_call;

static void end_call(judge_call *call) {
    bonmun_release_views(call->views, call->taken);
    PyMem_Free((void *)call->about);
    PyMem_Free(call->table);
    bonmun_free_findings(&call->findings);
}

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

static bool take_model(judge_call *call, PyObject *blocks, PyObject *about, PyObject *signs) {
    Py_ssize_t many = PyTuple_Size(about);
    call->about = PyMem_Calloc((size_t)many + 1, sizeof *call->about);
    if (!call->about) PyErr_NoMemory();
    if (!call->about || !take_forests(blocks, 2, COLUMN_COUNT, call->of_blocks) ||
        !take_forests(about, many, SUMMARY_COUNT, call->about)) return false;
    call->model.first = call->of_blocks[0];
    call->model.rest = call->of_blocks[1];
    call->model.about = call->about;
    call->model.about_count = (int32_t)many;
    call->rules.signs = bonmun_signs_of(signs);
    return call->rules.signs != NULL;
}

/* A weight of recall for each of the first forests over the summary. */
static bool recalls_fit(judge_call *call) {
    const Py_buffer *view = &call->views[RECALLS];
    Py_ssize_t types = view->len / (Py_ssize_t)sizeof(double);
    if (!types || types > call->model.about_count || view->len % (Py_ssize_t)sizeof(double) ||
        (uintptr_t)view->buf % sizeof(double)) {
        PyErr_SetString(PyExc_ValueError, "recalls are not those of the types");
        return false;
    }
    call->model.recalls = view->buf;
    call->model.types = (int32_t)types;
    return true;
}

static bool columns_fit(judge_call *call) {
    const Py_buffer *v = call->views;
    int32_t count = features_count(call->task.state);
    call->units = (table_units){v[TABLES].buf, v[STOPS].buf, (int32_t)(v[STOPS].len / 8)};
    bool aligned = true;
    for (int at = KINDS; at < COLUMNS; at++) aligned &= !v[at].len || (uintptr_t)v[at].buf % sizeof(int32_t) == 0;
    if (!count || !aligned || v[KINDS].len != count * (Py_ssize_t)sizeof(int32_t) || v[STOPS].len % 8 ||
        v[STOPS].len / 8 > INT32_MAX / 2 || !table_units_fit(&call->units, v[TABLES].len / 4, count)) {
        PyErr_SetString(PyExc_ValueError, "no blocks, kinds of another page, or invalid data tables");
        return false;
    }
    if (call->findings.step < 0 || call->findings.step > STEP_DONE) {
        PyErr_SetString(PyExc_ValueError, "no such step");
        return false;
    }
    call->task.units = call->rules.units = &call->units;
    call->rules.kinds = v[KINDS].buf;
    return true;
}

/* Take the columns, and see that they fit the page and the model. */
static bool take_columns(judge_call *call, PyObject *const *objects) {
    for (int at = 0; at < COLUMNS; at++, call->taken++)
        if (PyObject_GetBuffer(objects[at], &call->views[at], PyBUF_SIMPLE)) return false;
    return recalls_fit(call) && columns_fit(call);
}

/* The features of all blocks at once, unless they are many, and room for what the rules find. */
static bool make_room(judge_call *call) {
    size_t count = (size_t)features_count(call->task.state);
    call->findings.found = PyMem_Malloc(count * sizeof *call->findings.found);
    bool at_once = count <= AT_ONCE_BLOCKS;
    if (at_once) call->table = PyMem_Malloc(count * COLUMN_COUNT * sizeof *call->table);
    call->task.table = call->table;
    if (call->findings.found && (call->table || !at_once)) return true;
    PyErr_NoMemory();
    return false;
}

/* The rules that the judgement asks for. */
static void prepare_rules(judge_call *call, const judgement *judged, uint8_t *why) {
    overruling *rules = &call->rules;
    const feature_state *state = call->task.state;
    int32_t count = features_count(state);
    bool is_article = judged->kind == call->article && judged->likely >= LIKELY_ARTICLE;
    uint8_t whole = judged->whole == WHOLE_SNIPPET ? WHY_SNIPPET : judged->whole == WHOLE_PLAIN ? WHY_PLAIN : WHY_SCORES;
    for (int32_t at = 0; at < count; at++) why[at] = judged->keep[at] ? whole : WHY_SCORES;
    rules->chosen = (chosen_page){features_page(state), judged->keep, features_rules(state)->naming[NAMING_CLASS],
                                    features_rules(state)->naming[NAMING_ID]};
    rules->why = why;
    rules->scores = is_article && !judged->whole ? judged->raw : NULL;
    bool may_be_thread = call->forum >= 0 && !judged->whole && judged->about[call->forum] - (double)judged->about[judged->kind] >= THREAD_MARGIN;
    rules->in_posts = may_be_thread ? judged->raw : NULL;
    rules->is_article = judged->kind == call->article;
    rules->has_comments = is_article && judged->commented;
    rules->has_copies = judged->copied >= LEAST_COPIED;
}

static judge_result judge_and_overrule(judge_call *call, judgement *judged, uint8_t *why) {
    if (call->table) features_put(call->task.state, 0, features_count(call->task.state), call->table);
    judge_result result = judge_page(&call->model, &call->task, judged);
    if (result) return result;
    prepare_rules(call, judged, why);
    return overrule(&call->rules, &call->findings) ? JUDGE_NO_MEMORY : JUDGED;
}

/* What is returned as it is written. */
typedef struct {
    PyObject *raw, *keep, *figures, *about, *why;
} judge_columns;

static PyObject *answer_of(const judge_call *call, judge_result result, const judge_columns *c, const judgement *judged,
                           PyObject *measured) {
    if (result == JUDGE_NO_MEMORY) return PyErr_NoMemory();
    if (result == JUDGE_SECONDS) return PyUnicode_FromString("seconds");
    PyObject *commented = judged->commented ? Py_True : Py_False;
    PyObject *left = call->findings.step < STEP_DONE ? measured : Py_None;
    return Py_BuildValue("OOOOiddiOLOON", c->raw, c->keep, c->figures, c->about, judged->kind, judged->likely, judged->f1,
                         judged->whole, commented, (long long)judged->copied, c->why, left,
                         bonmun_findings_value(&call->findings));
}

static PyObject *judge_measured(judge_call *call, PyObject *measured) {
    Py_ssize_t count = features_count(call->task.state);
    judge_columns c = {
        PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(double)), PyByteArray_FromStringAndSize(NULL, count),
        PyBytes_FromStringAndSize(NULL, SUMMARY_COUNT * (Py_ssize_t)sizeof(float)),
        PyBytes_FromStringAndSize(NULL, call->model.about_count * (Py_ssize_t)sizeof(float)),
        PyByteArray_FromStringAndSize(NULL, count),
    };
    PyObject *answer = NULL;
    if (c.raw && c.keep && c.figures && c.about && c.why) {
        judgement judged = {.raw = (double *)(void *)PyBytes_AsString(c.raw), .keep = (uint8_t *)PyByteArray_AsString(c.keep),
                            .figures = (float *)(void *)PyBytes_AsString(c.figures),
                            .about = (float *)(void *)PyBytes_AsString(c.about)};
        uint8_t *why = (uint8_t *)PyByteArray_AsString(c.why);
        judge_result result;
        Py_BEGIN_ALLOW_THREADS
        result = judge_and_overrule(call, &judged, why);
        Py_END_ALLOW_THREADS
        answer = answer_of(call, result, &c, &judged, measured);
    }
    Py_XDECREF(c.raw);
    Py_XDECREF(c.keep);
    Py_XDECREF(c.figures);
    Py_XDECREF(c.about);
    Py_XDECREF(c.why);
    return answer;
}

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

PyObject *bonmun_judge(PyObject *self, PyObject *args) {
    (void)self;
    judge_call call = {0};
    judge_model *model = &call.model;
    PyObject *nodes, *blocks, *texts, *tables, *trees, *about, *signs, *columns[COLUMNS], *answer = NULL;
    int may_be_plain, has_notes;
    if (!PyArg_ParseTuple(args, "O!O!O!(O!O!O!(dddd)ii)O(OOppi)(OO)ddi", &PyTuple_Type, &nodes, &PyTuple_Type, &blocks,
                          &PyTuple_Type, &texts, &PyTuple_Type, &tables, &PyTuple_Type, &trees, &PyTuple_Type, &about,
                          &model->below, &model->above, &model->weight, &model->empty, &call.article, &call.forum, &signs, &columns[RECALLS],
                          &columns[KINDS], &may_be_plain, &has_notes, &call.rules.href, &columns[TABLES], &columns[STOPS], &call.task.beta,
                          &call.task.seconds, &call.findings.step)) return NULL;
    call.task.may_be_plain = may_be_plain;
    call.rules.has_notes = has_notes;
    call.task.seconds += now(); /* what is left of it is known when the page is measured */
    PyObject *measured = bonmun_measured_page(nodes, blocks, texts, tables);
    call.task.seconds -= now();
    call.task.state = measured ? bonmun_measured_of(measured) : NULL;
    if (call.task.state && take_model(&call, trees, about, signs) && take_columns(&call, columns) && make_room(&call))
        answer = judge_measured(&call, measured);
    end_call(&call);
    Py_XDECREF(measured);
    return answer;
}
