#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "json_groups.h"
#include "write_html.h"
#include "write_markdown.h"
#include "writers_py.h"

const char bonmun_write_markdown_doc[] =
    "write_markdown(page, shown, special, nesting, boxes, rules, bases)\n--\n\n"
    "Blocks as Markdown; None where Python has to write all of it. `special`: one byte per block shown, the pictures of a\n"
    "caption, plus 128 for those that Python writes; `boxes`: rows, groups and kinds; `bases`: scheme, root, folder\n"
    "and own address, or None for a page without URL.\n"
    "Where Python has to write some leaves and cells, a plan for `finish_plan` and its requests.";

const char bonmun_write_html_doc[] =
    "write_html(page, shown, special, nesting, boxes, rules, bases)\n--\n\n"
    "Blocks as HTML, a line for each outermost part; for the rest see `write_markdown`.";

const char bonmun_json_groups_doc[] =
    "json_groups(page, shown, special, nesting, boxes, rules, bases)\n--\n\n"
    "The places of blocks in the order of JSON, in 32-bit integers, one byte each whether they continue the one before, the fields\n"
    "that tell their place, and where each ends, in 64-bit integers; for the arguments see `write_markdown`.";

const char bonmun_finish_plan_doc[] =
    "finish_plan(plan, places, starts, texts)\n--\n\n"
    "The text of a plan whose requests are answered; `places` are those of the first block of each leaf and cell, in order.";

static const char plan_name[] = "bonmun.writer_plan";

enum { SHOWN, SPECIAL, BOX_ROWS, BOX_GROUPS, BOX_KINDS, RULES, SCHEME, ROOT, FOLDER, OWN, VIEWS };

typedef struct {
    Py_buffer views[VIEWS];
    bool taken[VIEWS];
    PyObject *page; /* the capsule that the plan reads from */
    plan_result (*write)(writer_plan *plan, const given_texts *given, output_buffer *out);
    writer_plan plan;
} held_plan;

static void free_plan(held_plan *held) {
    writer_plan_free(&held->plan);
    for (int at = 0; at < VIEWS; at++)
        if (held->taken[at]) PyBuffer_Release(&held->views[at]);
    Py_XDECREF(held->page);
    PyMem_Free(held);
}

static void forget_plan(PyObject *capsule) { free_plan(PyCapsule_GetPointer(capsule, plan_name)); }

static bool take(held_plan *held, int at, PyObject *object) {
    held->taken[at] = object && PyObject_GetBuffer(object, &held->views[at], PyBUF_SIMPLE) == 0;
    return held->taken[at];
}

static int32_t cells(const Py_buffer *view) { return (int32_t)(view->len / (Py_ssize_t)sizeof(int32_t)); }

static attribute_value value(const Py_buffer *view) { return (attribute_value){view->buf, (int32_t)view->len}; }

static bool boxes_fit(const held_plan *held) {
    const Py_buffer *views = held->views;
    if (views[BOX_GROUPS].len != views[BOX_ROWS].len || views[BOX_KINDS].len != views[BOX_ROWS].len) return false;
    const int32_t *groups = views[BOX_GROUPS].buf, *kinds = views[BOX_KINDS].buf;
    for (int32_t at = 0; at < cells(&views[BOX_ROWS]); at++)
        if ((groups[at] != OUTLINE_BOX && groups[at] != OUTLINE_TITLE) || kinds[at] < 0 || kinds[at] >= BOX_COUNT) return false;
    return true;
}

/* Fill the plan from the views; false: an error is set. */
static bool fill_plan(held_plan *held, const writer_page *page, int nesting, bool relative) {
    const Py_buffer *views = held->views;
    writer_plan *plan = &held->plan;
    bool aligned = true;
    for (int at = 0; at <= RULES; at++) aligned = aligned && (at == SPECIAL || bonmun_is_column(&views[at]));
    plan->page = page;
    plan->input.nesting = nesting;
    if (!aligned || views[SPECIAL].len != cells(&views[SHOWN]) || !boxes_fit(held)) {
        PyErr_SetString(PyExc_ValueError, "special, boxes: must be columns of matching lengths, and groups and kinds of boxes");
        return false;
    }
    plan->input.box_rows = views[BOX_ROWS].buf;
    plan->input.box_groups = views[BOX_GROUPS].buf;
    plan->input.box_count = cells(&views[BOX_ROWS]);
    plan->box_kinds = views[BOX_KINDS].buf;
    plan->input.rules = views[RULES].buf;
    plan->input.rule_count = cells(&views[RULES]);
    plan->store.special = views[SPECIAL].buf;
    if (relative) plan->bases.relative = true;
    else plan->bases = (address_bases){value(&views[SCHEME]), value(&views[ROOT]), value(&views[FOLDER]), value(&views[OWN]), false};
    return bonmun_blocks_fit(page, &views[SHOWN], &plan->input);
}

static PyObject *answer_of(plan_result result, const output_buffer *out) {
    if (result == PLAN_NO_MEMORY) return PyErr_NoMemory();
    if (result == PLAN_OTHER) return Py_NewRef(Py_None);
    PyObject *text = PyUnicode_DecodeUTF8((const char *)out->bytes, (Py_ssize_t)out->used, NULL);
    if (text || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return text;
    PyErr_Clear(); /* an attribute that is no UTF-8: Python replaces it */
    return Py_NewRef(Py_None);
}

/* Write what the core can; the plan becomes Python's if it has requests. */
static PyObject *written(held_plan *held) {
    output_buffer out = {0};
    plan_result result;
    Py_BEGIN_ALLOW_THREADS
    result = held->write(&held->plan, NULL, &out);
    Py_END_ALLOW_THREADS
    PyObject *answer = result == PLAN_ASKS ? NULL : answer_of(result, &out);
    free(out.bytes);
    if (result != PLAN_ASKS) {
        free_plan(held);
        return answer;
    }
    PyObject *capsule = PyCapsule_New(held, plan_name, forget_plan);
    if (!capsule) {
        free_plan(held);
        return NULL;
    }
    Py_ssize_t size = (Py_ssize_t)held->plan.request_count * (Py_ssize_t)sizeof(int32_t);
    return Py_BuildValue("NN", capsule, PyBytes_FromStringAndSize((const char *)held->plan.requests, size));
}

static held_plan *plan_of(PyObject *args) {
    PyObject *capsule, *objects[VIEWS] = {0}, *bases;
    int nesting;
    if (!PyArg_ParseTuple(args, "OOOi(OOO)OO", &capsule, &objects[SHOWN], &objects[SPECIAL], &nesting, &objects[BOX_ROWS],
                          &objects[BOX_GROUPS], &objects[BOX_KINDS], &objects[RULES], &bases))
        return NULL;
    bool relative = bases == Py_None;
    if (!relative && !PyArg_ParseTuple(bases, "OOOO", &objects[SCHEME], &objects[ROOT], &objects[FOLDER], &objects[OWN])) return NULL;
    const writer_page *page = bonmun_held_page(capsule);
    held_plan *held = page ? PyMem_Calloc(1, sizeof *held) : NULL;
    if (page && !held) PyErr_NoMemory();
    if (!held) return NULL;
    held->page = Py_NewRef(capsule);
    bool fit = true;
    for (int at = 0; at < (relative ? SCHEME : VIEWS) && fit; at++) fit = take(held, at, objects[at]);
    if (fit && fill_plan(held, page, nesting, relative)) return held;
    free_plan(held);
    return NULL;
}

PyObject *bonmun_write_markdown(PyObject *self, PyObject *args) {
    (void)self;
    held_plan *held = plan_of(args);
    if (held) held->write = write_markdown;
    return held ? written(held) : NULL;
}

PyObject *bonmun_write_html(PyObject *self, PyObject *args) {
    (void)self;
    held_plan *held = plan_of(args);
    if (held) held->write = write_html;
    return held ? written(held) : NULL;
}

static PyObject *groups_as_columns(const json_groups *groups) {
    Py_ssize_t count = groups->count;
    return Py_BuildValue("y#y#y#y#", (const char *)groups->places, count * (Py_ssize_t)sizeof *groups->places,
                         (const char *)groups->continues, count, groups->texts.used ? (const char *)groups->texts.bytes : "",
                         (Py_ssize_t)groups->texts.used, (const char *)groups->stops, count * (Py_ssize_t)sizeof *groups->stops);
}

PyObject *bonmun_json_groups(PyObject *self, PyObject *args) {
    (void)self;
    held_plan *held = plan_of(args);
    if (!held) return NULL;
    json_groups groups;
    plan_result result;
    Py_BEGIN_ALLOW_THREADS
    result = json_groups_of(&held->plan, &groups);
    Py_END_ALLOW_THREADS
    PyObject *answer = result == PLAN_WRITTEN ? groups_as_columns(&groups) : PyErr_NoMemory();
    json_groups_free(&groups);
    free_plan(held);
    return answer;
}

PyObject *bonmun_finish_plan(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer places, starts, texts;
    given_texts given;
    plan_result result;
    if (!PyArg_ParseTuple(args, "Oy*y*y*", &capsule, &places, &starts, &texts)) return NULL;
    held_plan *held = PyCapsule_GetPointer(capsule, plan_name);
    if (held && bonmun_given_fit(&places, &starts, &texts, &given)) {
        output_buffer out = {0};
        Py_BEGIN_ALLOW_THREADS
        result = held->write(&held->plan, &given, &out);
        Py_END_ALLOW_THREADS
        answer = answer_of(result, &out);
        free(out.bytes);
    }
    PyBuffer_Release(&places);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&texts);
    return answer;
}
