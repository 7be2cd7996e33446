#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "features_py.h"
#include "rules.h"
#include "rules_py.h"

const char bonmun_end_of_text_doc[] =
    "end_of_text(measured, scores)\n--\n\n"
    "The first block behind the element that holds most of the expected text of a measured page.";

const char bonmun_text_ends_doc[] =
    "text_ends(measured, keep, titles, notices)\n--\n\n"
    "The first and the last kept blocks with text; whether one may be a title from elsewhere, or a closing notice, by these signs.";

const char bonmun_gaps_doc[] =
    "gaps(measured, kinds, keep)\n--\n\n"
    "The dropped headings, code, cells and formulas between kept blocks of other kinds.";

const char bonmun_callout_titles_doc[] =
    "callout_titles(measured, keep, callouts)\n--\n\n"
    "The dropped blocks that may be the title of the callout that the kept block behind them is in.";

const char bonmun_linked_headings_doc[] =
    "linked_headings(measured, keep)\n--\n\n"
    "The kept headings of several rows with a link.";

const char bonmun_pictures_doc[] =
    "pictures(measured, keep, decided, captions)\n--\n\n"
    "Keep the pictures between kept texts, drop the others, and return those that depend on captions, in no order.";

/* The arguments, and room for blocks: as many as the page has. */
typedef struct {
    chosen_page chosen;
    Py_buffer keep;
    int32_t *found;
    uint8_t *marks; /* zeros, one by block */
} rule_call;

static void end_call(rule_call *call) {
    PyBuffer_Release(&call->keep);
    PyMem_Free(call->found);
    PyMem_Free(call->marks);
}

/* Begin a call with a page and a buffer that is its choice. False: a Python error is set. */
static bool begin_call(PyObject *capsule, rule_call *call) {
    const feature_state *state = bonmun_measured_of(capsule);
    if (!state) return false;
    call->chosen.page = features_page(state);
    call->chosen.class = features_rules(state)->naming[NAMING_CLASS];
    call->chosen.keep = call->keep.buf;
    size_t count = (size_t)call->chosen.page->count;
    if (call->keep.len != (Py_ssize_t)count) {
        PyErr_SetString(PyExc_ValueError, "keep must have one byte for each block");
        return false;
    }
    call->found = PyMem_Malloc((count + 1) * sizeof *call->found);
    call->marks = PyMem_Calloc(count + 1, sizeof *call->marks);
    if (call->found && call->marks) return true;
    PyErr_NoMemory();
    return false;
}

static PyObject *blocks_found(const rule_call *call, int32_t count) {
    return PyBytes_FromStringAndSize((const char *)call->found, count * (Py_ssize_t)sizeof *call->found);
}

static bool take_signs(const Py_buffer *words, sign_list *list) {
    if (signs_list(words->buf, (size_t)words->len, list)) return true;
    PyErr_SetString(PyExc_ValueError, "signs must be up to 64 words, each with a NUL at its end");
    return false;
}

PyObject *bonmun_end_of_text(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer scores;
    if (!PyArg_ParseTuple(args, "Oy*", &capsule, &scores)) return NULL;
    const feature_state *state = bonmun_measured_of(capsule);
    const feature_page *page = state ? features_page(state) : NULL;
    if (page && (!page->count || scores.len != page->count * (Py_ssize_t)sizeof(double) || (uintptr_t)scores.buf % sizeof(double))) {
        PyErr_SetString(PyExc_ValueError, "scores must be one double for each block, of which there is one at least");
        page = NULL;
    }
    double *before = page ? PyMem_Malloc(((size_t)page->count + 1) * sizeof *before) : NULL;
    if (before) answer = PyLong_FromLong(end_of_text(page, scores.buf, before));
    else if (page) PyErr_NoMemory();
    PyMem_Free(before);
    PyBuffer_Release(&scores);
    return answer;
}

PyObject *bonmun_text_ends(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    rule_call call = {0};
    Py_buffer titles, notices;
    sign_list of_titles, of_notices;
    if (!PyArg_ParseTuple(args, "Oy*y*y*", &capsule, &call.keep, &titles, &notices)) return NULL;
    if (begin_call(capsule, &call) && take_signs(&titles, &of_titles) && take_signs(&notices, &of_notices)) {
        text_ends ends = ends_of_text(&call.chosen, &of_titles, &of_notices);
        answer = Py_BuildValue("y#NN", (const char *)ends.block, ends.count * (Py_ssize_t)sizeof *ends.block,
                               PyBool_FromLong(ends.titles), PyBool_FromLong(ends.notices));
    }
    end_call(&call);
    PyBuffer_Release(&titles);
    PyBuffer_Release(&notices);
    return answer;
}

PyObject *bonmun_gaps(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    rule_call call = {0};
    Py_buffer kinds;
    if (!PyArg_ParseTuple(args, "Oy*y*", &capsule, &kinds, &call.keep)) return NULL;
    if (begin_call(capsule, &call)) {
        bool fits = kinds.len == call.chosen.page->count * (Py_ssize_t)sizeof(int32_t) && (uintptr_t)kinds.buf % sizeof(int32_t) == 0;
        if (fits) answer = blocks_found(&call, find_gaps(&call.chosen, kinds.buf, call.marks, call.found));
        else PyErr_SetString(PyExc_ValueError, "kinds must be one 32-bit integer for each block");
    }
    end_call(&call);
    PyBuffer_Release(&kinds);
    return answer;
}

PyObject *bonmun_callout_titles(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    rule_call call = {0};
    Py_buffer callouts;
    sign_list signs;
    if (!PyArg_ParseTuple(args, "Oy*y*", &capsule, &call.keep, &callouts)) return NULL;
    if (begin_call(capsule, &call) && take_signs(&callouts, &signs))
        answer = blocks_found(&call, find_callout_titles(&call.chosen, &signs, call.found));
    end_call(&call);
    PyBuffer_Release(&callouts);
    return answer;
}

PyObject *bonmun_linked_headings(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    rule_call call = {0};
    if (!PyArg_ParseTuple(args, "Oy*", &capsule, &call.keep)) return NULL;
    if (begin_call(capsule, &call)) answer = blocks_found(&call, find_linked_headings(&call.chosen, call.found));
    end_call(&call);
    return answer;
}

/* Mark the blocks of an array of 32-bit integers. False: a Python error is set. */
static bool mark(const Py_buffer *blocks, const feature_page *page, uint8_t *marks) {
    const int32_t *block = blocks->buf;
    bool fits = !blocks->len || (uintptr_t)block % sizeof *block == 0;
    for (Py_ssize_t at = 0; fits && at < blocks->len / (Py_ssize_t)sizeof *block; at++) {
        fits = block[at] >= 0 && block[at] < page->count;
        if (fits) marks[block[at]] = 1;
    }
    if (!fits) PyErr_SetString(PyExc_ValueError, "decided has blocks that the page does not have");
    return fits;
}

PyObject *bonmun_pictures(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    rule_call call = {0};
    Py_buffer decided, captions;
    sign_list signs;
    if (!PyArg_ParseTuple(args, "Ow*y*y*", &capsule, &call.keep, &decided, &captions)) return NULL;
    uint8_t *sides = PyMem_Malloc((size_t)call.keep.len + 1);
    if (!sides) PyErr_NoMemory();
    if (sides && begin_call(capsule, &call) && mark(&decided, call.chosen.page, call.marks) && take_signs(&captions, &signs))
        answer = blocks_found(&call, decide_pictures(&call.chosen, call.marks, &signs, sides, call.found));
    end_call(&call);
    PyMem_Free(sides);
    PyBuffer_Release(&decided);
    PyBuffer_Release(&captions);
    return answer;
}
