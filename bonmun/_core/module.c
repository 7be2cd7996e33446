/* The Python module. Stable ABI, no global state, GIL released during the work. */
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <string.h>

#include "blocks_py.h"
#include "calibration_py.h"
#include "cells_py.h"
#include "decoding_py.h"
#include "elements_py.h"
#include "features_py.h"
#include "inline_py.h"
#include "judge_py.h"
#include "json_py.h"
#include "nodes_py.h"
#include "page_facts.h"
#include "page_py.h"
#include "ranks_py.h"
#include "rules_py.h"
#include "tokenize_py.h"
#include "tree.h"
#include "utf8.h"
#include "writers_py.h"

/* Per interpreter; immutable after initialisation. */
typedef struct {
    tree_tables tables;
    cell_types types;
} module_state;

typedef struct {
    store store;
    tree tree;
    columns columns;
    page_facts facts;
} reading;

const cell_types *bonmun_cell_types(PyObject *module) { return &((const module_state *)PyModule_GetState(module))->types; }

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

/* The columns by row, then those by attribute. */
static PyObject *views_of(const columns *c, const cell_types *types) {
    Py_ssize_t row_stride = c->row.tag - c->row.parent, attribute_stride = c->attribute.start - c->attribute.name;
    PyObject *rows = bonmun_cells(types, c->row.parent + DOCUMENT), *attributes = bonmun_cells(types, c->attribute.name);
    PyObject *views = PyTuple_New(ROW_COLUMNS + ATTRIBUTE_COLUMNS);
    for (int at = 0; views && at < ROW_COLUMNS + ATTRIBUTE_COLUMNS; at++) {
        bool by_row = at < ROW_COLUMNS;
        const int32_t *first = by_row ? c->row.parent + at * row_stride : c->attribute.name + (at - ROW_COLUMNS) * attribute_stride;
        Py_ssize_t count = !by_row ? c->attributes : at == ROW_ATTR_FIRST ? c->rows + 1 : c->rows;
        PyObject *view = bonmun_column(types, by_row ? rows : attributes, first, count);
        if (!view || PyTuple_SetItem(views, at, view)) Py_CLEAR(views);
    }
    Py_XDECREF(rows);
    Py_XDECREF(attributes);
    return views;
}

static PyObject *rows_as_bytes(const int32_t *rows, int32_t count) {
    return PyBytes_FromStringAndSize((const char *)rows, count * (Py_ssize_t)sizeof(int32_t));
}

/* For each low byte of a tag's number whether it may occur; numbers of names; rows. */
static PyObject *facts_of(const reading *r) {
    const page_facts *f = &r->facts;
    PyObject *seen = PyBytes_FromStringAndSize((const char *)r->tree.seen, sizeof r->tree.seen);
    return Py_BuildValue("NNNN", seen, rows_as_bytes(f->names, KNOWN_ATTRIBUTES), rows_as_bytes(f->formulas, f->formula_count),
                         rows_as_bytes(f->roles, f->role_count));
}

static PyObject *finish(reading *r, const module_state *state) {
    tree_release_columns(&r->tree);
    PyObject *views = views_of(&r->columns, &state->types);
    PyObject *spill = PyBytes_FromStringAndSize((const char *)r->store.spill, r->store.spilled);
    return Py_BuildValue("NNNNNii", views, spill, names_after(&r->tree.tags, TAG_COUNT), names_after(&r->tree.attribute_names, 0),
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

PyDoc_STRVAR(read_doc,
             "read(source, flags_of_tag, most_nodes, most_depth, most_attributes, seconds)\n--\n\n"
             "Parse a page in UTF-8. Returns its columns, the spill (text at offsets beyond the source's length), names and facts\n"
             "(bonmun/core.py: ReadColumns, PageFacts), and the numbers of elements and attributes cut; or the name of the limit\n"
             "exceeded.");

static PyObject *read_page(PyObject *self, PyObject *args) {
    const module_state *state = PyModule_GetState(self);
    PyObject *source;
    Py_buffer flags;
    int32_t most_nodes, most_depth, most_attributes;
    double seconds;
    if (!PyArg_ParseTuple(args, "Sy*O&O&O&d", &source, &flags, take_limit, &most_nodes, take_limit, &most_depth, take_limit,
                          &most_attributes, &seconds))
        return NULL;
    Py_ssize_t length;
    char *utf8;
    if (PyBytes_AsStringAndSize(source, &utf8, &length)) utf8 = NULL;
    PyObject *answer = NULL;
    reading r;
    if (!utf8) goto done;
    if (length > INT32_MAX / 2) {
        answer = PyUnicode_FromString("bytes");
        goto done;
    }
    column_rules rules = {flags.buf, (int32_t)flags.len, most_depth};
    memset(&r.facts, 0, sizeof r.facts);
    store_init(&r.store, (const uint8_t *)utf8, (int32_t)length);
    if (tree_init(&r.tree, &r.store, &state->tables, rules, most_nodes, most_attributes)) {
        PyErr_NoMemory();
    } else {
        read_result result;
        Py_BEGIN_ALLOW_THREADS
        result = tree_build(&r.tree, seconds);
        if (!result) result = tree_finish(&r.tree, &r.columns);
        if (!result && !page_facts_find(&r.tree, &r.columns, &r.facts)) result = READ_NO_MEMORY;
        Py_END_ALLOW_THREADS
        answer = result ? failure(result) : finish(&r, state);
    }
    reading_free(&r);
done:
    PyBuffer_Release(&flags);
    return answer;
}

PyDoc_STRVAR(look_doc,
             "look(data)\n--\n\n0: not UTF-8; 1: only ASCII; 2: UTF-8 beyond ASCII; plus 4 for UTF-8 with a character that XML 1.0\n"
             "forbids.");

static PyObject *look(PyObject *self, PyObject *data) {
    (void)self;
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(data, &bytes, &length)) return NULL;
    return PyLong_FromLong(utf8_kind((const uint8_t *)bytes, (size_t)length));
}

PyDoc_STRVAR(has_forbidden_doc, "has_forbidden(data)\n--\n\nWhether UTF-8 has a character that XML 1.0 forbids.");

static PyObject *has_forbidden(PyObject *self, PyObject *data) {
    (void)self;
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(data, &bytes, &length)) return NULL;
    return PyBool_FromLong(utf8_has_forbidden((const uint8_t *)bytes, (size_t)length));
}

#define FAST(function) ((PyCFunction)(void (*)(void))(function)) /* the cast that METH_FASTCALL needs */

static PyMethodDef methods[] = {
    {"read", read_page, METH_VARARGS, read_doc},
    {"look", look, METH_O, look_doc},
    {"has_forbidden", has_forbidden, METH_O, has_forbidden_doc},
    {"forbidden_ranges", bonmun_forbidden_ranges, METH_VARARGS, bonmun_forbidden_ranges_doc},
    {"next_meta", bonmun_next_meta, METH_VARARGS, bonmun_next_meta_doc},
    {"segment", bonmun_segment, METH_VARARGS, bonmun_segment_doc},
    {"formula_rows", bonmun_formula_rows, METH_VARARGS, bonmun_formula_rows_doc},
    {"nodes", bonmun_nodes, METH_VARARGS, bonmun_nodes_doc},
    {"attribute", FAST(bonmun_attribute), METH_FASTCALL, bonmun_attribute_doc},
    {"text", FAST(bonmun_text), METH_FASTCALL, bonmun_text_doc},
    {"content", FAST(bonmun_content), METH_FASTCALL, bonmun_content_doc},
    {"attribute_rows", bonmun_attribute_rows, METH_VARARGS, bonmun_attribute_rows_doc},
    {"tag_rows", bonmun_tag_rows, METH_VARARGS, bonmun_tag_rows_doc},
    {"elements", bonmun_elements, METH_VARARGS, bonmun_elements_doc},
    {"group", bonmun_group, METH_VARARGS, bonmun_group_doc},
    {"inline_markdown", bonmun_inline_markdown, METH_VARARGS, bonmun_inline_markdown_doc},
    {"json_links", bonmun_json_links, METH_VARARGS, bonmun_json_links_doc},
    {"json_string", bonmun_json_string, METH_O, bonmun_json_string_doc},
    {"json_blocks", bonmun_json_blocks, METH_VARARGS, bonmun_json_blocks_doc},
    {"places", bonmun_places, METH_VARARGS, bonmun_places_doc},
    {"measure", bonmun_measure, METH_VARARGS, bonmun_measure_doc},
    {"features", bonmun_features, METH_VARARGS, bonmun_features_doc},
    {"forest", bonmun_forest, METH_VARARGS, bonmun_forest_doc},
    {"sums", bonmun_sums, METH_VARARGS, bonmun_sums_doc},
    {"contributions", bonmun_contributions, METH_VARARGS, bonmun_contributions_doc},
    {"judge", bonmun_judge, METH_VARARGS, bonmun_judge_doc},
    {"end_of_text", bonmun_end_of_text, METH_VARARGS, bonmun_end_of_text_doc},
    {"text_ends", bonmun_text_ends, METH_VARARGS, bonmun_text_ends_doc},
    {"gaps", bonmun_gaps, METH_VARARGS, bonmun_gaps_doc},
    {"callout_titles", bonmun_callout_titles, METH_VARARGS, bonmun_callout_titles_doc},
    {"linked_headings", bonmun_linked_headings, METH_VARARGS, bonmun_linked_headings_doc},
    {"pictures", bonmun_pictures, METH_VARARGS, bonmun_pictures_doc},
    {"dated_blocks", bonmun_dated_blocks, METH_VARARGS, bonmun_dated_blocks_doc},
    {"letters", bonmun_letters, METH_VARARGS, bonmun_letters_doc},
    {"calibrate", bonmun_calibrate, METH_VARARGS, bonmun_calibrate_doc},
    {"means", bonmun_means, METH_VARARGS, bonmun_means_doc},
    {"ranks", bonmun_ranks, METH_VARARGS, bonmun_ranks_doc},
    {"writer_page", bonmun_writer_page, METH_VARARGS, bonmun_writer_page_doc},
    {"write_text", bonmun_write_text, METH_VARARGS, bonmun_write_text_doc},
    {"write_markdown", bonmun_write_markdown, METH_VARARGS, bonmun_write_markdown_doc},
    {"write_html", bonmun_write_html, METH_VARARGS, bonmun_write_html_doc},
    {"json_groups", bonmun_json_groups, METH_VARARGS, bonmun_json_groups_doc},
    {"finish_plan", bonmun_finish_plan, METH_VARARGS, bonmun_finish_plan_doc},
    {"known_pictures", bonmun_known_pictures, METH_VARARGS, bonmun_known_pictures_doc},
    {"tokenize", bonmun_tokenize, METH_VARARGS, "Tokens of a source, for conformance tests."},
    {NULL, NULL, 0, NULL},
};

static int start(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    if (tree_tables_init(&state->tables)) {
        PyErr_NoMemory();
        return -1;
    }
    return bonmun_cell_types_init(module, &state->types);
}

static int visit_state(PyObject *module, visitproc visit, void *arg) {
    const module_state *state = PyModule_GetState(module);
    Py_VISIT(state->types.cells);
    Py_VISIT(state->types.column);
    return 0;
}

static int clear_state(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->types.cells);
    Py_CLEAR(state->types.column);
    return 0;
}

static void free_state(void *module) {
    module_state *state = PyModule_GetState(module);
    clear_state(module);
    tree_tables_free(&state->tables);
}

/* Multi-phase initialisation: any number of interpreters may load it. */
static PyModuleDef_Slot slots[] = {{Py_mod_exec, start}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "bonmun._core", "The compiled core.", sizeof(module_state),
                                        methods, slots, visit_state, clear_state, free_state};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
