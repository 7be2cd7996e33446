#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>
#include <string.h>

#include "json_blocks.h"
#include "json_py.h"
#include "views_py.h"
#include "writers_py.h"

const char bonmun_json_links_doc[] =
    "json_links(nodes, blocks, rest, href, page, bases)\n--\n\n"
    "The rows of links around the texts of some blocks, and the address of each as JSON, None where Python has to find it. `rest`\n"
    "is buffer, spill, text and the numbers of the blocks; for page and bases see `write_markdown`.";

const char bonmun_json_blocks_doc[] =
    "json_blocks(nodes, blocks, rest, href, style, page, bases, addresses, kinds, before, after)\n--\n\n"
    "Blocks as JSON: strings with all blocks in a row that could be written, and the number of each other one. `rest` is buffer,\n"
    "spill, text, blocks, places, steps, rows of links, numbers of their addresses, scores, block-level tags; bonmun/write/json_blocks.py.";

const char bonmun_json_string_doc[] = "json_string(text)\n--\n\nA text as a JSON string; it must not have surrogates.";

enum { BUFFER, SPILL, TEXT, ENTRIES, LINK_VIEWS, PLACES = LINK_VIEWS, STEPS, LINKS, TARGETS, SCORES, BLOCK_TAGS, REST };
enum { VIEWS = FEATURE_NODE_COLUMNS + BLOCK_COLUMNS + REST };
enum { SCHEME, ROOT, FOLDER, OWN, BASES };

typedef struct {
    Py_buffer views[VIEWS];
    Py_ssize_t taken;
    Py_buffer bases[BASES];
    address_bases known_bases;
    const Py_buffer *rest;
    json_page page;
    const int32_t *blocks; /* of the entries */
    int32_t entries;
    json_text *steps, *addresses, *kinds, *before, *after;
    int32_t *target;
} json_task;

static void free_task(json_task *t) {
    bonmun_release_views(t->views, t->taken);
    for (int at = 0; at < BASES; at++) PyBuffer_Release(&t->bases[at]);
    PyMem_Free(t->steps);
    PyMem_Free(t->addresses);
    PyMem_Free(t->kinds);
    PyMem_Free(t->before);
    PyMem_Free(t->after);
    PyMem_Free(t->target);
}

static attribute_value base_of(const Py_buffer *view) { return (attribute_value){view->buf, (int32_t)view->len}; }

/* Take the page of the writers and the bases of its addresses; false: an error is set. */
static bool take_writer(json_task *t, PyObject *capsule, PyObject *bases) {
    Py_buffer *b = t->bases;
    t->page.writer = bonmun_held_page(capsule);
    t->page.bases = &t->known_bases;
    t->known_bases.relative = bases == Py_None;
    if (!t->page.writer || bases == Py_None) return t->page.writer != NULL;
    if (!PyArg_ParseTuple(bases, "y*y*y*y*", &b[SCHEME], &b[ROOT], &b[FOLDER], &b[OWN])) return false;
    t->known_bases = (address_bases){base_of(&b[SCHEME]), base_of(&b[ROOT]), base_of(&b[FOLDER]), base_of(&b[OWN]), false};
    return true;
}

/* Nodes are trusted to come from a reader; the blocks that are asked for are checked to be blocks of these nodes. */
static bool entries_fit(const json_task *t) {
    const json_page *p = &t->page;
    for (int32_t at = 0; at < t->entries; at++) {
        int32_t block = t->blocks[at];
        if (block < 0) continue;
        if (block >= p->blocks || p->first[block] < 0 || p->stop[block] < p->first[block] || p->stop[block] > p->nodes.rows ||
            p->element[block] < 0 || p->element[block] >= p->nodes.rows || p->kind[block] < 0 || p->kind[block] >= KIND_COUNT ||
            p->text_start[block] < 0 || p->text_stop[block] < p->text_start[block] || p->text_stop[block] > t->rest[TEXT].len)
            return false;
    }
    return true;
}

/* Take nodes, blocks and the rest, of which `count` are given. */
static bool take_page(json_task *t, PyObject *nodes, PyObject *blocks, PyObject *rest, int count) {
    Py_buffer *v = t->views, *b = v + FEATURE_NODE_COLUMNS;
    if (bonmun_take_views(nodes, 0, FEATURE_NODE_COLUMNS, v, &t->taken) || bonmun_take_views(blocks, 0, BLOCK_COLUMNS, v, &t->taken))
        return false;
    t->rest = b + BLOCK_COLUMNS;
    for (int at = 0; at < count; at++, t->taken++) {
        PyObject *given = PyTuple_GetItem(rest, at);
        if (!given || PyObject_GetBuffer(given, &v[t->taken], PyBUF_SIMPLE)) return false;
    }
    bool fit = bonmun_nodes_fit(v, FEATURE_NODE_COLUMNS) && t->rest[ENTRIES].len % 4 == 0 && t->rest[ENTRIES].len / 4 <= INT32_MAX;
    for (int at = 1; at < BLOCK_COLUMNS; at++) fit = fit && b[at].len == b[0].len;
    json_page *p = &t->page;
    p->nodes = bonmun_node_view(v, &t->rest[BUFFER], &t->rest[SPILL]);
    p->depth = v[NODE_DEPTH].buf;
    p->kind = b[BLOCK_KIND_CODE].buf;
    p->level = b[BLOCK_LEVEL].buf;
    p->element = b[BLOCK_ELEMENT].buf;
    p->first = b[BLOCK_FIRST].buf;
    p->stop = b[BLOCK_STOP].buf;
    p->flags = b[BLOCK_FLAGS].buf;
    p->text_start = b[BLOCK_TEXT_START].buf;
    p->text_stop = b[BLOCK_TEXT_STOP].buf;
    p->text = t->rest[TEXT].buf;
    p->blocks = (int32_t)(b[0].len / 4);
    t->blocks = t->rest[ENTRIES].buf;
    t->entries = (int32_t)(t->rest[ENTRIES].len / 4);
    fit = fit && t->page.writer->nodes.rows == p->nodes.rows;
    if (!fit || !entries_fit(t)) PyErr_SetString(PyExc_ValueError, "columns of different lengths, or invalid blocks");
    return fit && !PyErr_Occurred();
}

/* The addresses of links, None where the core does not know one. */
static PyObject *addresses_of(const json_task *t, const int32_t *rows, int32_t count) {
    PyObject *list = PyList_New(count);
    output_buffer scratch = {0}, out = {0};
    for (int32_t at = 0; list && at < count; at++) {
        out.used = 0;
        bool known = json_put_address(&t->page, rows[at], &scratch, &out);
        PyObject *address = NULL;
        if (scratch.failed || out.failed) PyErr_NoMemory();
        else address = known ? PyUnicode_DecodeUTF8((const char *)out.bytes, (Py_ssize_t)out.used, "replace") : Py_NewRef(Py_None);
        if (!address || PyList_SetItem(list, at, address)) Py_CLEAR(list);
    }
    free(scratch.bytes);
    free(out.bytes);
    return list;
}

static PyObject *rows_with_addresses(const json_task *t) {
    int32_t *rows, count;
    Py_BEGIN_ALLOW_THREADS
    rows = json_links(&t->page, t->blocks, t->entries, &count);
    Py_END_ALLOW_THREADS
    if (!rows) return PyErr_NoMemory();
    PyObject *addresses = addresses_of(t, rows, count), *answer = NULL;
    if (addresses) answer = Py_BuildValue("y#N", (const char *)rows, (Py_ssize_t)count * 4, addresses);
    free(rows);
    return answer;
}

PyObject *bonmun_json_links(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *nodes, *blocks, *rest, *writer, *bases, *answer = NULL;
    json_task t = {.taken = 0};
    if (!PyArg_ParseTuple(args, "O!O!O!iOO", &PyTuple_Type, &nodes, &PyTuple_Type, &blocks, &PyTuple_Type, &rest, &t.page.href,
                          &writer, &bases)) return NULL;
    if (take_writer(&t, writer, bases) && take_page(&t, nodes, blocks, rest, LINK_VIEWS)) answer = rows_with_addresses(&t);
    free_task(&t);
    return answer;
}

/* The UTF-8 of a tuple of strings, which keeps it; NULL with an exception. */
static json_text *texts_of(PyObject *tuple, Py_ssize_t count) {
    if (PyTuple_Size(tuple) != count) {
        PyErr_SetString(PyExc_ValueError, "tuples of different lengths");
        return NULL;
    }
    json_text *texts = PyMem_Calloc((size_t)count + 1, sizeof *texts);
    if (!texts) PyErr_NoMemory();
    for (Py_ssize_t at = 0; texts && at < count; at++) {
        Py_ssize_t length;
        const char *bytes = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, at), &length);
        if (!bytes) {
            PyMem_Free(texts);
            return NULL;
        }
        texts[at] = (json_text){(const uint8_t *)bytes, (size_t)length};
    }
    return texts;
}

/* Names that end with a NUL each; false if they are fewer than the tags of the page. */
static bool take_steps(json_task *t) {
    const uint8_t *bytes = t->rest[STEPS].buf, *end = bytes + t->rest[STEPS].len;
    Py_ssize_t count = 0, at = 0;
    for (const uint8_t *byte = bytes; byte < end; byte++) count += !*byte;
    t->steps = PyMem_Calloc((size_t)count + 1, sizeof *t->steps);
    if (!t->steps) {
        PyErr_NoMemory();
        return false;
    }
    for (; at < count; at++) {
        size_t length = strlen((const char *)bytes);
        t->steps[at] = (json_text){bytes, length};
        bytes += length + 1;
    }
    for (int32_t row = 0; row < t->page.nodes.rows; row++)
        if (t->page.nodes.tag[row] < 0 || t->page.nodes.tag[row] >= count) {
            PyErr_SetString(PyExc_ValueError, "a tag without a name");
            return false;
        }
    return true;
}

/* By row of a link the number of its address. */
static bool take_targets(json_task *t, Py_ssize_t addresses) {
    const int32_t *rows = t->rest[LINKS].buf, *targets = t->rest[TARGETS].buf;
    Py_ssize_t count = t->rest[LINKS].len / 4;
    t->target = PyMem_Malloc(((size_t)t->page.nodes.rows + 1) * sizeof *t->target);
    if (!t->target) {
        PyErr_NoMemory();
        return false;
    }
    memset(t->target, 0xFF, ((size_t)t->page.nodes.rows + 1) * sizeof *t->target);
    bool fit = t->rest[TARGETS].len == t->rest[LINKS].len && t->rest[PLACES].len == 4 * (Py_ssize_t)t->page.nodes.rows &&
               t->rest[SCORES].len == 8 * (Py_ssize_t)t->entries;
    for (Py_ssize_t at = 0; fit && at < count; at++) {
        fit = rows[at] >= 0 && rows[at] < t->page.nodes.rows && targets[at] >= -1 && targets[at] < addresses;
        if (fit) t->target[rows[at]] = targets[at];
    }
    if (!fit) PyErr_SetString(PyExc_ValueError, "links, places or scores do not fit the page");
    return fit;
}

/* Write all blocks; `stops` has for each entry the end of its text, or -1 if it has none. */
static void write_entries(const json_task *t, output_buffer *out, int64_t *stops) {
    const double *scores = t->rest[SCORES].buf;
    bool between = false; /* a block was written right before */
    for (int32_t at = 0; at < t->entries && !out->failed; at++) {
        json_entry entry = {t->blocks[at], scores[at], t->before[at], t->after[at]};
        size_t before = out->used;
        if (between) output_put(out, ", ", 2);
        between = json_put_block(&t->page, &entry, out);
        if (!between) out->used = before;
        stops[at] = between ? (int64_t)out->used : -1;
    }
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

static PyObject *pieces(const json_task *t, const output_buffer *out, const int64_t *stops) {
    PyObject *list = PyList_New(0);
    int64_t from = 0, to = 0;
    int failed = !list;
    for (int32_t at = 0; !failed && at < t->entries; at++) {
        if (stops[at] >= 0) {
            to = stops[at];
            continue;
        }
        failed = add_text(list, out, from, to) || add_number(list, at);
        from = to;
    }
    if (failed || add_text(list, out, from, to)) Py_CLEAR(list);
    return list;
}

static PyObject *written(const json_task *t) {
    output_buffer out = {0};
    PyObject *answer = NULL;
    int64_t *stops = PyMem_Malloc(((size_t)t->entries + 1) * sizeof *stops);
    if (!stops) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    write_entries(t, &out, stops);
    Py_END_ALLOW_THREADS
    answer = out.failed ? PyErr_NoMemory() : pieces(t, &out, stops);
    PyMem_Free(stops);
    free(out.bytes);
    return answer;
}

PyObject *bonmun_json_blocks(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *nodes, *blocks, *rest, *writer, *bases, *addresses, *kinds, *before, *after, *answer = NULL;
    json_task t = {.taken = 0};
    int style;
    if (!PyArg_ParseTuple(args, "O!O!O!iiOOO!O!O!O!", &PyTuple_Type, &nodes, &PyTuple_Type, &blocks, &PyTuple_Type, &rest,
                          &t.page.href, &style, &writer, &bases, &PyTuple_Type, &addresses, &PyTuple_Type, &kinds, &PyTuple_Type,
                          &before, &PyTuple_Type, &after)) return NULL;
    Py_ssize_t count = PyTuple_Size(addresses);
    if (take_writer(&t, writer, bases) && take_page(&t, nodes, blocks, rest, REST) && take_steps(&t) && take_targets(&t, count) &&
        (t.addresses = texts_of(addresses, count)) && (t.kinds = texts_of(kinds, KIND_COUNT)) &&
        (t.before = texts_of(before, t.entries)) && (t.after = texts_of(after, t.entries))) {
        t.page.place = t.rest[PLACES].buf;
        t.page.rules = (segment_rules){.roles = t.rest[BLOCK_TAGS].buf, .known = (int32_t)t.rest[BLOCK_TAGS].len};
        t.page.rules.names[NAME_STYLE] = style;
        t.page.step = t.steps;
        t.page.kind_name = t.kinds;
        t.page.address = t.addresses;
        t.page.target = t.target;
        answer = written(&t);
    }
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
