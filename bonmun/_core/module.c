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
#include "one_call_py.h"
#include "page_facts.h"
#include "page_py.h"
#include "phrases_py.h"
#include "ranks_py.h"
#include "reading_py.h"
#include "rules_py.h"
#include "tokenize_py.h"
#include "utf8.h"
#include "writers_py.h"

/* Per interpreter; immutable after initialisation. */
typedef struct {
    tree_tables tables;
    cell_types types;
} module_state;

const cell_types *bonmun_cell_types(PyObject *module) { return &((const module_state *)PyModule_GetState(module))->types; }

const tree_tables *bonmun_tree_tables(PyObject *module) { return &((const module_state *)PyModule_GetState(module))->tables; }

PyDoc_STRVAR(look_doc,
             "look(data)\n--\n\n0: not UTF-8; 1: only ASCII; 2: UTF-8 beyond ASCII; plus 4 for UTF-8 with a character that XML 1.0\n"
             "forbids, plus 8 for UTF-8 with a carriage return.");

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
    {"read", bonmun_read, METH_VARARGS, bonmun_read_doc},
    {"read_ordinary", bonmun_read_ordinary, METH_VARARGS, bonmun_read_ordinary_doc},
    {"read_and_judge", bonmun_read_and_judge, METH_VARARGS, bonmun_read_and_judge_doc},
    {"look", look, METH_O, look_doc},
    {"has_forbidden", has_forbidden, METH_O, has_forbidden_doc},
    {"forbidden_ranges", bonmun_forbidden_ranges, METH_VARARGS, bonmun_forbidden_ranges_doc},
    {"late_parts", bonmun_late_parts, METH_O, bonmun_late_parts_doc},
    {"next_meta", bonmun_next_meta, METH_VARARGS, bonmun_next_meta_doc},
    {"segment", bonmun_segment, METH_VARARGS, bonmun_segment_doc},
    {"formula_rows", bonmun_formula_rows, METH_VARARGS, bonmun_formula_rows_doc},
    {"nodes", bonmun_nodes, METH_VARARGS, bonmun_nodes_doc},
    {"attribute", FAST(bonmun_attribute), METH_FASTCALL, bonmun_attribute_doc},
    {"text", FAST(bonmun_text), METH_FASTCALL, bonmun_text_doc},
    {"content", FAST(bonmun_content), METH_FASTCALL, bonmun_content_doc},
    {"attribute_rows", bonmun_attribute_rows, METH_VARARGS, bonmun_attribute_rows_doc},
    {"mark_rows", bonmun_mark_rows, METH_VARARGS, bonmun_mark_rows_doc},
    {"may_be_recipe", FAST(bonmun_may_be_recipe), METH_FASTCALL, bonmun_may_be_recipe_doc},
    {"picture_source", FAST(bonmun_picture_source), METH_FASTCALL, bonmun_picture_source_doc},
    {"role_kinds", bonmun_role_kinds, METH_VARARGS, bonmun_role_kinds_doc},
    {"fold", bonmun_fold, METH_O, bonmun_fold_doc},
    {"plain", bonmun_plain, METH_O, bonmun_plain_doc},
    {"worded_rows", bonmun_worded_rows, METH_VARARGS, bonmun_worded_rows_doc},
    {"tag_rows", bonmun_tag_rows, METH_VARARGS, bonmun_tag_rows_doc},
    {"elements", bonmun_elements, METH_VARARGS, bonmun_elements_doc},
    {"named_contents", bonmun_named_contents, METH_VARARGS, bonmun_named_contents_doc},
    {"marked_attributes", bonmun_marked_attributes, METH_VARARGS, bonmun_marked_attributes_doc},
    {"values_above", bonmun_values_above, METH_VARARGS, bonmun_values_above_doc},
    {"group", bonmun_group, METH_VARARGS, bonmun_group_doc},
    {"inline_markdown", bonmun_inline_markdown, METH_VARARGS, bonmun_inline_markdown_doc},
    {"json_string", bonmun_json_string, METH_O, bonmun_json_string_doc},
    {"json_blocks", bonmun_json_blocks, METH_VARARGS, bonmun_json_blocks_doc},
    {"places", bonmun_places, METH_VARARGS, bonmun_places_doc},
    {"measure", bonmun_measure, METH_VARARGS, bonmun_measure_doc},
    {"features", bonmun_features, METH_VARARGS, bonmun_features_doc},
    {"forest", bonmun_forest, METH_VARARGS, bonmun_forest_doc},
    {"sums", bonmun_sums, METH_VARARGS, bonmun_sums_doc},
    {"contributions", bonmun_contributions, METH_VARARGS, bonmun_contributions_doc},
    {"judge", bonmun_judge, METH_VARARGS, bonmun_judge_doc},
    {"rule_signs", bonmun_rule_signs, METH_VARARGS, bonmun_rule_signs_doc},
    {"overrule", bonmun_overrule, METH_VARARGS, bonmun_overrule_doc},
    {"kept_blocks", bonmun_kept_blocks, METH_VARARGS, bonmun_kept_blocks_doc},
    {"dated_blocks", bonmun_dated_blocks, METH_VARARGS, bonmun_dated_blocks_doc},
    {"worded_blocks", bonmun_worded_blocks, METH_VARARGS, bonmun_worded_blocks_doc},
    {"labelled_blocks", bonmun_labelled_blocks, METH_VARARGS, bonmun_labelled_blocks_doc},
    {"letters", bonmun_letters, METH_VARARGS, bonmun_letters_doc},
    {"calibrate", bonmun_calibrate, METH_VARARGS, bonmun_calibrate_doc},
    {"means", bonmun_means, METH_VARARGS, bonmun_means_doc},
    {"phrases", bonmun_phrases, METH_VARARGS, bonmun_phrases_doc},
    {"ranks", bonmun_ranks, METH_VARARGS, bonmun_ranks_doc},
    {"writer_page", bonmun_writer_page, METH_VARARGS, bonmun_writer_page_doc},
    {"write_text", bonmun_write_text, METH_VARARGS, bonmun_write_text_doc},
    {"write_markdown", bonmun_write_markdown, METH_VARARGS, bonmun_write_markdown_doc},
    {"write_html", bonmun_write_html, METH_VARARGS, bonmun_write_html_doc},
    {"json_groups", bonmun_json_groups, METH_VARARGS, bonmun_json_groups_doc},
    {"finish_plan", bonmun_finish_plan, METH_VARARGS, bonmun_finish_plan_doc},
    {"shown_signs", bonmun_shown_signs, METH_VARARGS, bonmun_shown_signs_doc},
    {"part_texts", bonmun_part_texts, METH_VARARGS, bonmun_part_texts_doc},
    {"box_rows", bonmun_box_rows, METH_VARARGS, bonmun_box_rows_doc},
    {"tokenize", bonmun_tokenize, METH_VARARGS, "Tokens of a source, for conformance tests."},
    {NULL, NULL, 0, NULL},
};

static int start(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    if (tree_tables_init(&state->tables)) {
        PyErr_NoMemory();
        return -1;
    }
    page_facts_prepare(&state->tables);
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
