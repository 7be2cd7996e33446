#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <string.h>

#include "cells_py.h"
#include "ordinary.h"
#include "page_facts.h"
#include "page_py.h"
#include "reading_py.h"

const char bonmun_read_doc[] =
    "read(source, flags_of_tag, most_nodes, most_depth, most_attributes, seconds)\n--\n\n"
    "Parse a page in UTF-8. Returns its columns, the spill (text at offsets beyond the source's length), names and facts\n"
    "(bonmun/core.py: ReadColumns, PageFacts), and the numbers of elements and attributes cut; or the name of the limit\n"
    "exceeded.";

const char bonmun_read_ordinary_doc[] =
    "read_ordinary(source, flags_of_tag, roles, limits, most_blocks, is_decoded)\n--\n\n"
    "An ordinary page: what `read` returns, `limits` being its last four arguments, and what `segment` returns, or None where\n"
    "the page needs further steps before. The name of the limit exceeded; None for a page that is not ordinary (ordinary.h).\n"
    "`is_decoded`: whether the source is UTF-8 whatever it declares.";

typedef struct {
    const tree_tables *tables;
    const cell_types *types;
    column_rules rules;
    int32_t most_nodes, most_attributes;
    double seconds;
} reading_rules;

typedef struct {
    store store;
    tree tree;
    columns columns;
    page_facts facts;
} reading;

static void reading_free(reading *r) {
    page_facts_free(&r->facts);
    tree_free(&r->tree);
    store_free(&r->store);
}

/* Names joined by spaces, which no name contains. */
static PyObject *names_after(const names *n, int32_t first) {
    if (first == n->count) return PyBytes_FromStringAndSize(NULL, 0);
    Py_ssize_t size = n->starts[n->count] - n->starts[first] + (n->count - first - 1);
    PyObject *joined = PyBytes_FromStringAndSize(NULL, size);
    if (!joined) return NULL;
    char *to = PyBytes_AsString(joined);
    for (int32_t at = first; at < n->count; at++) {
        size_t length = (size_t)(n->starts[at + 1] - n->starts[at]);
        if (at > first) *to++ = ' ';
        memcpy(to, n->bytes + n->starts[at], length);
        to += length;
    }
    return joined;
}

static PyObject *failure(read_result result) {
    static const char *const names_of[] = {"", "memory", "nodes", "seconds"};
    if (result == READ_NO_MEMORY) return PyErr_NoMemory();
    return PyUnicode_FromString(names_of[result]);
}

/* The place of each column of READ_COLUMNS (bonmun/read/compiled.py) in memory: those by row, then those by attribute. */
static const uint8_t places[] = {READ_COLUMN_PLACES};

static PyObject *columns_of(const columns *c, const cell_types *types) {
    Py_ssize_t row_stride = c->row.tag - c->row.parent, attribute_stride = c->attribute.start - c->attribute.name;
    PyObject *rows = bonmun_cells(types, c->row.parent + DOCUMENT), *attributes = bonmun_cells(types, c->attribute.name);
    PyObject *all = PyTuple_New(sizeof places);
    for (size_t at = 0; all && at < sizeof places; at++) {
        int place = places[at];
        bool by_row = place < ROW_COLUMNS;
        const int32_t *first = by_row ? c->row.parent + place * row_stride : c->attribute.name + (place - ROW_COLUMNS) * attribute_stride;
        Py_ssize_t count = !by_row ? c->attributes : place == ROW_ATTR_FIRST ? c->rows + 1 : c->rows;
        PyObject *column = bonmun_column(types, by_row ? rows : attributes, first, count);
        if (!column || PyTuple_SetItem(all, (Py_ssize_t)at, column)) Py_CLEAR(all);
    }
    Py_XDECREF(rows);
    Py_XDECREF(attributes);
    return all;
}

static PyObject *rows_as_bytes(const int32_t *rows, int32_t count) {
    return PyBytes_FromStringAndSize((const char *)rows, count * (Py_ssize_t)sizeof(int32_t));
}

enum { ROLE_CELLS = sizeof(role_row) / sizeof(int32_t) };

/* For each low byte of a tag's number whether it may occur; numbers of names; rows, those of roles with the role; steps. */
static PyObject *facts_of(const reading *r) {
    const page_facts *f = &r->facts;
    PyObject *seen = PyBytes_FromStringAndSize((const char *)r->tree.seen, sizeof r->tree.seen);
    return Py_BuildValue("NNNNi", seen, rows_as_bytes(f->names, KNOWN_ATTRIBUTES), rows_as_bytes(f->formulas, f->formula_count),
                         rows_as_bytes((const int32_t *)(const void *)f->roles, ROLE_CELLS * f->role_count), (int)f->steps);
}

static PyObject *read_columns(reading *r, const cell_types *types) {
    tree_release_columns(&r->tree);
    PyObject *columns = columns_of(&r->columns, types);
    PyObject *spill = PyBytes_FromStringAndSize((const char *)r->store.spill, r->store.spilled);
    store_free(&r->store); /* before more is copied: it can be as large as the page */
    return Py_BuildValue("NNNNNii", columns, spill, names_after(&r->tree.tags, TAG_COUNT), names_after(&r->tree.attribute_names, 0),
                         facts_of(r), (int)r->tree.depth_cut, (int)r->tree.attributes_cut);
}

/* Converter for PyArg_ParseTuple: any int, clamped to 0 … INT32_MAX. */
static int take_limit(PyObject *given, void *to) {
    int overflow;
    long value = PyLong_AsLongAndOverflow(given, &overflow);
    if (value == -1 && PyErr_Occurred()) return 0;
    *(int32_t *)to = overflow > 0 || value > INT32_MAX ? INT32_MAX : overflow < 0 || value < 0 ? 0 : (int32_t)value;
    return 1;
}

/* Needs no GIL. reading_free has to follow in any case. */
static read_result read_source(reading *r, const reading_rules *rules) {
    if (tree_init(&r->tree, &r->store, rules->tables, rules->rules, rules->most_nodes, rules->most_attributes)) return READ_NO_MEMORY;
    read_result result = tree_build(&r->tree, rules->seconds);
    if (!result) result = tree_finish(&r->tree, &r->columns);
    if (!result && !page_facts_find(&r->tree, &r->columns, &r->facts)) result = READ_NO_MEMORY;
    return result;
}

static bool start_reading(reading *r, const char *utf8, Py_ssize_t length) {
    if (length > INT32_MAX / 2) return false;
    memset(&r->facts, 0, sizeof r->facts);
    store_init(&r->store, (const uint8_t *)utf8, (int32_t)length);
    return true;
}

static PyObject *read_any(const char *utf8, Py_ssize_t length, const reading_rules *rules) {
    reading r;
    read_result result;
    if (!start_reading(&r, utf8, length)) return PyUnicode_FromString("bytes");
    Py_BEGIN_ALLOW_THREADS
    result = read_source(&r, rules);
    Py_END_ALLOW_THREADS
    PyObject *answer = result ? failure(result) : read_columns(&r, rules->types);
    reading_free(&r);
    return answer;
}

PyObject *bonmun_read(PyObject *self, PyObject *args) {
    PyObject *source, *answer = NULL;
    Py_buffer flags;
    reading_rules rules = {.tables = bonmun_tree_tables(self), .types = bonmun_cell_types(self)};
    if (!PyArg_ParseTuple(args, "Sy*O&O&O&d", &source, &flags, take_limit, &rules.most_nodes, take_limit, &rules.rules.most_depth,
                          take_limit, &rules.most_attributes, &rules.seconds))
        return NULL;
    Py_ssize_t length;
    char *utf8;
    rules.rules.flags_of_tag = flags.buf;
    rules.rules.known = (int32_t)flags.len;
    if (PyBytes_AsStringAndSize(source, &utf8, &length) == 0) answer = read_any(utf8, length, &rules);
    PyBuffer_Release(&flags);
    return answer;
}

/* The blocks of a page that was read, or the name of the limit exceeded. */
static PyObject *blocks_read(const block_list *list, int32_t most_blocks, const cell_types *types) {
    return list->count > most_blocks ? PyUnicode_FromString("blocks") : bonmun_block_answer(types, list);
}

static PyObject *ordinary_page(const char *utf8, Py_ssize_t length, const reading_rules *rules, segment_rules *segmentation,
                               bool is_decoded) {
    reading r;
    read_result result = READ_OK;
    block_list blocks = {0};
    bool is_ordinary;
    if (!start_reading(&r, utf8, length)) return PyUnicode_FromString("bytes");
    Py_BEGIN_ALLOW_THREADS
    is_ordinary = is_ordinary_source(&r.store, is_decoded);
    if (is_ordinary) result = read_source(&r, rules);
    if (is_ordinary && !result && !r.facts.steps) {
        const node_view nodes = node_view_of(&r.columns, &r.store);
        memcpy(segmentation->names, r.facts.names, sizeof segmentation->names);
        if (segment(&nodes, segmentation, &blocks)) result = READ_NO_MEMORY;
    }
    Py_END_ALLOW_THREADS
    if (!is_ordinary) Py_RETURN_NONE;
    PyObject *answer = NULL;
    if (result) answer = failure(result);
    else if (r.facts.steps) answer = Py_BuildValue("NO", read_columns(&r, rules->types), Py_None);
    else answer = Py_BuildValue("NN", read_columns(&r, rules->types), blocks_read(&blocks, segmentation->most_blocks, rules->types));
    block_list_free(&blocks);
    reading_free(&r);
    return answer;
}

PyObject *bonmun_read_ordinary(PyObject *self, PyObject *args) {
    PyObject *source, *answer = NULL;
    Py_buffer flags, roles;
    int is_decoded;
    segment_rules segmentation = {0};
    reading_rules rules = {.tables = bonmun_tree_tables(self), .types = bonmun_cell_types(self)};
    if (!PyArg_ParseTuple(args, "Sy*y*(O&O&O&d)O&p", &source, &flags, &roles, take_limit, &rules.most_nodes, take_limit,
                          &rules.rules.most_depth, take_limit, &rules.most_attributes, &rules.seconds, take_limit,
                          &segmentation.most_blocks, &is_decoded))
        return NULL;
    Py_ssize_t length;
    char *utf8;
    rules.rules.flags_of_tag = flags.buf;
    rules.rules.known = (int32_t)flags.len;
    segmentation.roles = roles.buf;
    segmentation.known = (int32_t)roles.len;
    if (PyBytes_AsStringAndSize(source, &utf8, &length) == 0)
        answer = ordinary_page(utf8, length, &rules, &segmentation, is_decoded != 0);
    PyBuffer_Release(&flags);
    PyBuffer_Release(&roles);
    return answer;
}
