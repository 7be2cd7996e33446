#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "attribute_rows.h"
#include "features_py.h"
#include "overrule.h"
#include "rules_py.h"
#include "views_py.h"

const char bonmun_rule_signs_doc[] =
    "rule_signs(titles, notices, callouts, captions, assistive, posts, post_ids)\n--\n\n"
    "Words that the rules of `overrule` look for, each with a NUL at its end.";

const char bonmun_overrule_doc[] =
    "overrule(measured, keep, why, kinds, scores, in_posts, tables, stops, signs, step, has_copies, has_comments,\n"
    "         has_notes, is_article, href)\n--\n\n"
    "Take the steps of the rules from one on, in `keep` and `why`, up to one that Python has to look at. Returns that step, the\n"
    "blocks found, 1 if one of them may be a title from elsewhere plus twice the bits of those that may be closing notices, and rows of elements that\n"
    "may not be seen as text, or blocks of copies; at the end, for blocks with text that is not seen: block, number of rows,\n"
    "rows that are.";

const char bonmun_kept_blocks_doc[] =
    "kept_blocks(keep)\n--\n\n"
    "The indexes of the bytes that are not 0, in 32-bit integers.";

static const char signs_name[] = "bonmun.rule_signs";

enum { TITLES, NOTICES, CALLOUTS, CAPTIONS, ASSISTIVE, POSTS, POST_IDS, SIGNS };

/* Signs with the words that they point to. */
typedef struct {
    rule_signs signs;
    Py_buffer words[SIGNS];
    Py_ssize_t taken;
} held_signs;

static void free_signs(held_signs *held) {
    bonmun_release_views(held->words, held->taken);
    PyMem_Free(held);
}

static void forget_signs(PyObject *capsule) { free_signs(PyCapsule_GetPointer(capsule, signs_name)); }

static bool take_signs(held_signs *held) {
    rule_signs *signs = &held->signs;
    const Py_buffer *assistive = &held->words[ASSISTIVE], *posts = &held->words[POSTS], *ids = &held->words[POST_IDS];
    sign_list *const lists[] = {&signs->titles, &signs->notices, &signs->callouts, &signs->captions};
    bool fit = true;
    for (int at = ASSISTIVE; at < SIGNS; at++) fit &= attribute_words_fit(held->words[at].buf, (size_t)held->words[at].len);
    for (int at = 0; at < ASSISTIVE; at++) fit &= signs_list(held->words[at].buf, (size_t)held->words[at].len, lists[at]);
    signs->assistive = assistive->buf;
    signs->assistive_length = (size_t)assistive->len;
    signs->posts = (post_signs){posts->buf, ids->buf, (size_t)posts->len, (size_t)ids->len};
    if (!fit) PyErr_SetString(PyExc_ValueError, "signs must be up to 64 words, 32 in lower case for classes and ids, each with a NUL at its end");
    return fit;
}

PyObject *bonmun_rule_signs(PyObject *self, PyObject *args) {
    (void)self;
    held_signs *held = PyMem_Calloc(1, sizeof *held);
    if (!held) return PyErr_NoMemory();
    PyObject *capsule = NULL;
    Py_buffer *v = held->words;
    if (PyArg_ParseTuple(args, "y*y*y*y*y*y*y*", &v[TITLES], &v[NOTICES], &v[CALLOUTS], &v[CAPTIONS], &v[ASSISTIVE],
                         &v[POSTS], &v[POST_IDS])) {
        held->taken = SIGNS;
        if (take_signs(held)) capsule = PyCapsule_New(held, signs_name, forget_signs);
    }
    if (!capsule) free_signs(held);
    return capsule;
}

enum { KEEP, WHY, KINDS, SCORES, IN_POSTS, TABLES, STOPS, COLUMNS };

const rule_signs *bonmun_signs_of(PyObject *capsule) {
    const held_signs *held = PyCapsule_GetPointer(capsule, signs_name);
    return held ? &held->signs : NULL;
}

void bonmun_free_findings(rule_findings *findings) {
    PyMem_Free(findings->found);
    free(findings->rows);
}

PyObject *bonmun_findings_value(const rule_findings *findings) {
    Py_ssize_t count = findings->step == STEP_DONE ? 0 : findings->count, cell = sizeof(int32_t);
    return Py_BuildValue("iy#iy#", findings->step, (const char *)findings->found, count * cell, (int)(findings->titles | findings->notices << 1),
                         findings->rows ? (const char *)findings->rows : "", findings->row_count * cell);
}

/* The arguments, and room for blocks: as many as the page has. */
typedef struct {
    overruling task;
    rule_findings findings;
    table_units units;
    PyObject *objects[COLUMNS];
    Py_buffer columns[COLUMNS];
    Py_ssize_t taken;
} rule_call;

static void end_call(rule_call *call) {
    bonmun_release_views(call->columns, call->taken);
    bonmun_free_findings(&call->findings);
}

/* `keep` and `why` are written to; empty scores: none. */
static bool take_columns(rule_call *call) {
    for (int at = 0; at < COLUMNS; at++) {
        Py_buffer *view = &call->columns[call->taken];
        if (PyObject_GetBuffer(call->objects[at], view, at <= WHY ? PyBUF_WRITABLE : PyBUF_SIMPLE)) return false;
        call->taken++;
        size_t cell = at <= WHY ? 1 : at == SCORES || at == IN_POSTS ? sizeof(double) : sizeof(int32_t);
        if (view->len && (uintptr_t)view->buf % cell) {
            PyErr_SetString(PyExc_ValueError, "a column must be aligned to its cells");
            return false;
        }
    }
    return true;
}

static bool columns_fit(const rule_call *call, Py_ssize_t count) {
    const Py_buffer *v = call->columns;
    Py_ssize_t scores = count * (Py_ssize_t)sizeof(double);
    bool scores_fit = (!v[SCORES].len || v[SCORES].len == scores) && (!v[IN_POSTS].len || v[IN_POSTS].len == scores);
    if (count && v[KEEP].len == count && v[WHY].len == count && v[KINDS].len == count * (Py_ssize_t)sizeof(int32_t) && scores_fit &&
        table_units_fit(&call->units, v[TABLES].len / 4, (int32_t)count) && v[STOPS].len % 8 == 0) return true;
    PyErr_SetString(PyExc_ValueError, "columns must have one cell for each block, of which there is one at least; or tables are invalid");
    return false;
}

static bool take_task(rule_call *call, PyObject *measured, PyObject *signs) {
    const feature_state *state = bonmun_measured_of(measured);
    call->task.signs = state ? bonmun_signs_of(signs) : NULL;
    if (!call->task.signs || !take_columns(call)) return false;
    const Py_buffer *v = call->columns;
    overruling *task = &call->task;
    task->chosen = (chosen_page){features_page(state), v[KEEP].buf, features_rules(state)->naming[NAMING_CLASS],
                                  features_rules(state)->naming[NAMING_ID]};
    Py_ssize_t count = task->chosen.page->count;
    call->units = (table_units){v[TABLES].buf, v[STOPS].buf, (int32_t)(v[STOPS].len / 8 < INT32_MAX / 2 ? v[STOPS].len / 8 : 0)};
    if (!columns_fit(call, count)) return false;
    if (call->findings.step < 0 || call->findings.step > STEP_DONE) {
        PyErr_SetString(PyExc_ValueError, "no such step");
        return false;
    }
    task->why = v[WHY].buf;
    task->kinds = v[KINDS].buf;
    task->scores = v[SCORES].len ? v[SCORES].buf : NULL;
    task->in_posts = v[IN_POSTS].len ? v[IN_POSTS].buf : NULL;
    task->units = &call->units;
    call->findings.found = PyMem_Malloc((size_t)count * sizeof *call->findings.found);
    if (!call->findings.found) PyErr_NoMemory();
    return call->findings.found != NULL;
}

static PyObject *take_steps(rule_call *call) {
    int failed;
    rule_findings *findings = &call->findings;
    Py_BEGIN_ALLOW_THREADS
    failed = overrule(&call->task, findings);
    Py_END_ALLOW_THREADS
    return failed ? PyErr_NoMemory() : bonmun_findings_value(findings);
}

PyObject *bonmun_overrule(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *measured, *signs, *answer = NULL;
    rule_call call = {0};
    PyObject **o = call.objects;
    int has_copies, has_comments, has_notes, is_article;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOippppi", &measured, &o[KEEP], &o[WHY], &o[KINDS], &o[SCORES], &o[IN_POSTS], &o[TABLES], &o[STOPS], &signs,
                          &call.findings.step, &has_copies, &has_comments, &has_notes, &is_article,
                          &call.task.href)) return NULL;
    call.task.has_copies = has_copies;
    call.task.has_comments = has_comments;
    call.task.has_notes = has_notes;
    call.task.is_article = is_article;
    if (take_task(&call, measured, signs)) answer = take_steps(&call);
    end_call(&call);
    return answer;
}

PyObject *bonmun_kept_blocks(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer keep;
    if (!PyArg_ParseTuple(args, "y*", &keep)) return NULL;
    const uint8_t *kept = keep.buf;
    Py_ssize_t count = 0, cell = sizeof(int32_t);
    for (Py_ssize_t at = 0; at < keep.len; at++) count += kept[at] != 0;
    PyObject *answer = keep.len <= INT32_MAX ? PyBytes_FromStringAndSize(NULL, count * cell) : PyErr_NoMemory();
    int32_t *to = answer ? (int32_t *)(void *)PyBytes_AsString(answer) : NULL;
    for (int32_t at = 0; to && count; at++)
        if (kept[at]) {
            *to++ = at;
            count--;
        }
    PyBuffer_Release(&keep);
    return answer;
}
