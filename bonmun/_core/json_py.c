#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>
#include <string.h>

#include "json_blocks.h"
#include "json_py.h"
#include "writers_py.h"

const char bonmun_json_blocks_doc[] =
    "json_blocks(page, bases, paths, blocks, scores, fields, reasons, links)\n--\n\n"
    "Blocks as JSON: strings with all blocks in a row that could be written, and the number of each other one. Before, bytes with the\n"
    "rows of links whose addresses Python has to find, if there are any. `paths` is depth and tag of each row, kinds and steps of tags;\n"
    "`fields` and `reasons` are those of each block; `links` is rows, starts and addresses. bonmun/write/json_blocks.py has them.";

const char bonmun_json_string_doc[] = "json_string(text)\n--\n\nA text as a JSON string; it must not have surrogates.";

enum { DEPTH, TAG, KINDS, STEPS, BLOCKS, SCORES, SHAPES, TEXTS, STOPS, ROWS, STARTS, ADDRESSES, SCHEME, ROOT, FOLDER, OWN, VIEWS };

typedef struct {
    Py_buffer views[VIEWS];
    json_page page;
    json_paths paths;
    json_links links;
    address_bases bases;
    given_texts given;
    json_text *steps, *reasons; /* NULL: no reasons are written */
    int32_t *place;             /* of each row on a path among its siblings */
    int64_t *ends;              /* of the texts of blocks; -1: Python has to write it */
    const int32_t *blocks;
    int32_t count;
} json_task;

static void free_task(json_task *t) {
    for (int at = 0; at < VIEWS; at++) PyBuffer_Release(&t->views[at]);
    json_links_free(&t->links);
    free(t->paths.text.bytes);
    PyMem_Free(t->steps);
    PyMem_Free(t->reasons);
    PyMem_Free(t->place);
    PyMem_Free(t->ends);
}

static bool is_of(const Py_buffer *view, Py_ssize_t count, size_t size) {
    return view->len == count * (Py_ssize_t)size && (!view->len || (uintptr_t)view->buf % size == 0);
}

/* Whether the views fit the page and one another. */
static bool views_fit(const json_task *t, const writer_page *page) {
    const Py_buffer *v = t->views;
    const int64_t *stops = v[STOPS].buf;
    Py_ssize_t rows = page->nodes.rows, count = t->count;
    bool fit = is_of(&v[DEPTH], rows, 4) && is_of(&v[TAG], rows, 4) && is_of(&v[BLOCKS], count, 4) &&
               is_of(&v[SCORES], page->blocks, 8) && is_of(&v[SHAPES], count, 1) && is_of(&v[STOPS], count, 8);
    for (Py_ssize_t at = 0; fit && at < count; at++)
        fit = t->blocks[at] >= -1 && t->blocks[at] < page->blocks && stops[at] >= (at ? stops[at - 1] : 0) && stops[at] <= v[TEXTS].len;
    if (!fit) PyErr_SetString(PyExc_ValueError, "paths, blocks, scores, fields: must fit the page and one another");
    return fit;
}

/* Take names that end with a NUL each; false: no memory. */
static bool take_steps(json_task *t) {
    const uint8_t *bytes = t->views[STEPS].buf, *end = bytes + t->views[STEPS].len;
    int32_t count = 0;
    for (const uint8_t *byte = bytes; byte < end; byte++) count += !*byte;
    t->steps = PyMem_Calloc((size_t)count + 1, sizeof *t->steps);
    if (!t->steps) return PyErr_NoMemory() != NULL;
    for (int32_t at = 0; at < count; at++) {
        size_t length = strlen((const char *)bytes);
        t->steps[at] = (json_text){bytes, length};
        bytes += length + 1;
    }
    t->paths.step = t->steps;
    t->paths.steps = count;
    return true;
}

/* Take the UTF-8 of a tuple of strings, which keeps it; false: an error is set. */
static bool take_reasons(json_task *t, PyObject *reasons) {
    if (reasons == Py_None) return true;
    if (!PyTuple_Check(reasons) || PyTuple_Size(reasons) != t->count) {
        PyErr_SetString(PyExc_ValueError, "reasons: must be a tuple with one string per block");
        return false;
    }
    t->reasons = PyMem_Calloc((size_t)t->count + 1, sizeof *t->reasons);
    if (!t->reasons) return PyErr_NoMemory() != NULL;
    for (int32_t at = 0; at < t->count; at++) {
        Py_ssize_t length;
        const char *bytes = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(reasons, at), &length);
        if (!bytes) return false;
        t->reasons[at] = (json_text){(const uint8_t *)bytes, (size_t)length};
    }
    return true;
}

static attribute_value value(const Py_buffer *view) { return (attribute_value){view->buf, (int32_t)view->len}; }

/* Take the page, and make room; false: an error is set. */
static bool take_page(json_task *t, const writer_page *page, bool relative) {
    const Py_buffer *v = t->views;
    t->bases = (address_bases){value(&v[SCHEME]), value(&v[ROOT]), value(&v[FOLDER]), value(&v[OWN]), relative};
    t->page = (json_page){page, page->nodes, v[DEPTH].buf, &t->bases, &t->links, &t->paths};
    t->page.nodes.tag = t->paths.tag = v[TAG].buf;
    t->paths.place = t->place = PyMem_Calloc((size_t)page->nodes.rows + 1, sizeof *t->place);
    t->ends = PyMem_Calloc((size_t)t->count + 1, sizeof *t->ends);
    return (json_links_begin(&t->links, page, &t->bases, &t->given) && t->ends && t->place) || PyErr_NoMemory();
}

/* Write all blocks. */
static void write_blocks(json_task *t, output_buffer *out) {
    const double *scores = t->views[SCORES].buf;
    const uint8_t *shapes = t->views[SHAPES].buf, *texts = t->views[TEXTS].buf;
    const int64_t *stops = t->views[STOPS].buf;
    const Py_buffer *kinds = &t->views[KINDS];
    out->failed = !json_number_paths(&t->page, t->blocks, t->count, kinds->buf, (int32_t)kinds->len, t->place);
    bool between = false; /* a block was written right before */
    for (int32_t at = 0; at < t->count && !out->failed; at++) {
        int64_t from = at ? stops[at - 1] : 0;
        json_entry entry = {.block = t->blocks[at], .shape = shapes[at]};
        if (entry.block >= 0) entry.score = scores[entry.block];
        if (stops[at] > from) entry.after = (json_text){texts + from, (size_t)(stops[at] - from)};
        if (t->reasons) entry.reasons = t->reasons[at];
        size_t before = out->used;
        if (between) output_put(out, ", ", 2);
        between = json_put_block(&t->page, &entry, out);
        if (!between) out->used = before;
        t->ends[at] = between ? (int64_t)out->used : -1;
    }
    out->failed = out->failed || t->links.failed || t->links.texts.failed || t->links.address.failed || t->paths.text.failed;
}

static int add_text(PyObject *list, const output_buffer *out, int64_t from, int64_t to) {
    if (from == to) return 0;
    PyObject *text = PyUnicode_DecodeUTF8((const char *)out->bytes + from, (Py_ssize_t)(to - from), "replace");
    int failed = text ? PyList_Append(list, text) : -1;
    Py_XDECREF(text);
    return failed;
}

static int add_number(PyObject *list, int32_t number) {
    PyObject *made = PyLong_FromLong(number);
    int failed = made ? PyList_Append(list, made) : -1;
    Py_XDECREF(made);
    return failed;
}

static PyObject *pieces(const json_task *t, const output_buffer *out) {
    PyObject *list = PyList_New(0);
    int64_t from = 0, to = 0;
    int failed = !list;
    for (int32_t at = 0; !failed && at < t->count; at++) {
        if (t->ends[at] >= 0) {
            to = t->ends[at];
            continue;
        }
        failed = add_text(list, out, from, to) || add_number(list, at);
        from = to;
    }
    if (failed || add_text(list, out, from, to)) Py_CLEAR(list);
    return list;
}

static PyObject *written(json_task *t) {
    output_buffer out = {0};
    PyObject *answer;
    Py_BEGIN_ALLOW_THREADS
    write_blocks(t, &out);
    Py_END_ALLOW_THREADS
    if (out.failed) answer = PyErr_NoMemory();
    else if (t->links.unknown_count)
        answer = PyBytes_FromStringAndSize((const char *)t->links.unknown, (Py_ssize_t)t->links.unknown_count * 4);
    else answer = pieces(t, &out);
    free(out.bytes);
    return answer;
}

PyObject *bonmun_json_blocks(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *bases, *reasons, *answer = NULL;
    json_task t = {.count = 0};
    Py_buffer *v = t.views;
    if (!PyArg_ParseTuple(args, "OO(y*y*y*y*)y*y*(y*y*y*)O(y*y*y*)", &capsule, &bases, &v[DEPTH], &v[TAG], &v[KINDS], &v[STEPS],
                          &v[BLOCKS], &v[SCORES], &v[SHAPES], &v[TEXTS], &v[STOPS], &reasons, &v[ROWS], &v[STARTS], &v[ADDRESSES]))
        return NULL;
    t.blocks = v[BLOCKS].buf;
    t.count = (int32_t)(v[BLOCKS].len / 4);
    bool relative = bases == Py_None, fit = relative || PyArg_ParseTuple(bases, "y*y*y*y*", &v[SCHEME], &v[ROOT], &v[FOLDER], &v[OWN]);
    const writer_page *page = fit ? bonmun_held_page(capsule) : NULL;
    if (page && views_fit(&t, page) && bonmun_given_fit(&v[ROWS], &v[STARTS], &v[ADDRESSES], &t.given) && take_steps(&t) &&
        take_reasons(&t, reasons) && take_page(&t, page, relative))
        answer = written(&t);
    free_task(&t);
    return answer;
}

PyObject *bonmun_json_string(PyObject *self, PyObject *text) {
    (void)self;
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    if (!bytes) return NULL;
    output_buffer out = {0};
    json_put_string(&out, (const uint8_t *)bytes, (size_t)length);
    PyObject *answer = out.failed ? PyErr_NoMemory() : PyUnicode_DecodeUTF8((const char *)out.bytes, (Py_ssize_t)out.used, NULL);
    free(out.bytes);
    return answer;
}
