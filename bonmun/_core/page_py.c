#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>
#include <string.h>

#include "cells_py.h"
#include "formula_rows.h"
#include "groups.h"
#include "page_py.h"
#include "places.h"
#include "segment.h"
#include "views_py.h"

const char bonmun_segment_doc[] =
    "segment(columns, buffer, spill, roles, names, most_blocks)\n--\n\n"
    "The blocks of a page: their columns in the order of bonmun/core.py, their texts joined in UTF-8, and the rows of\n"
    "data tables; or the name of the limit exceeded.";

const char bonmun_group_doc[] =
    "group(parent, tag, chars, flags)\n--\n\n"
    "Path numbers of all rows; rows of the text nodes; first text node, path and length of each group; the index of the\n"
    "longest group.";

const char bonmun_places_doc[] =
    "places(parent, depth, tag, end, kinds, deepest, anchor)\n--\n\n"
    "The index of each row among its siblings of the same tag, or negative among all elements; bonmun/model/xpaths.py.";

const char bonmun_formula_rows_doc[] =
    "formula_rows(columns, buffer, spill, tags, names)\n--\n\n"
    "The rows that may be formulas, in order; `tags` and `names` are numbers of elements and attributes on the page.";

const char bonmun_tag_rows_doc[] = "tag_rows(tag, number)\n--\n\nThe rows with the tag of that number, in order.";

static PyObject *int_column(Py_ssize_t count, int32_t **cells) {
    PyObject *column = PyBytes_FromStringAndSize(NULL, count * 4);
    *cells = column ? (int32_t *)(void *)PyBytes_AsString(column) : NULL;
    return column;
}

static PyObject *copy_column(const int32_t *from, Py_ssize_t count) {
    return PyBytes_FromStringAndSize((const char *)from, count * 4);
}

/* The blocks as columns, one after the other. */
static int32_t *columns_of(const block_list *list) {
    size_t count = (size_t)list->count;
    int32_t *cells = malloc((count ? count : 1) * BLOCK_COLUMNS * sizeof *cells);
    for (size_t at = 0; cells && at < count; at++) {
        const block *b = &list->blocks[at];
        int32_t *to = cells + at;
        to[BLOCK_KIND_CODE * count] = b->kind;
        to[BLOCK_LEVEL * count] = b->level;
        to[BLOCK_ELEMENT * count] = b->element;
        to[BLOCK_FIRST * count] = b->first;
        to[BLOCK_STOP * count] = b->stop;
        to[BLOCK_CONTINUES * count] = b->continues;
        to[BLOCK_LINK_CHARS * count] = b->link_chars;
        to[BLOCK_FLAGS * count] = b->flags;
        to[BLOCK_CHARS * count] = b->chars;
        to[BLOCK_TEXT_START * count] = b->text_start;
        to[BLOCK_TEXT_STOP * count] = b->text_stop;
    }
    return cells;
}

static PyObject *block_columns(const cell_types *types, int32_t *cells, Py_ssize_t count) {
    PyObject *owner = bonmun_cells(types, cells), *all = owner ? PyTuple_New(BLOCK_COLUMNS) : NULL;
    for (int at = 0; all && at < BLOCK_COLUMNS; at++) {
        PyObject *column = bonmun_column(types, owner, cells + at * count, count);
        if (!column || PyTuple_SetItem(all, at, column)) Py_CLEAR(all);
    }
    Py_XDECREF(owner);
    return all;
}

PyObject *bonmun_block_answer(const cell_types *types, const block_list *list) {
    int32_t *cells = columns_of(list);
    if (!cells) return PyErr_NoMemory();
    return Py_BuildValue("NNN", block_columns(types, cells, list->count),
                         PyBytes_FromStringAndSize((const char *)list->text, list->text_used),
                         copy_column(list->tables, list->table_count));
}

static PyObject *segmented(const cell_types *types, const node_view *nodes, const segment_rules *rules) {
    block_list list;
    PyObject *answer = NULL;
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = segment(nodes, rules, &list);
    Py_END_ALLOW_THREADS
    if (failed) PyErr_NoMemory();
    else if (list.count > rules->most_blocks) answer = PyUnicode_FromString("blocks");
    else answer = bonmun_block_answer(types, &list);
    block_list_free(&list);
    return answer;
}

PyObject *bonmun_segment(PyObject *self, PyObject *args) {
    PyObject *columns, *answer = NULL;
    Py_buffer buffer, spill, roles, names, views[SEGMENT_NODE_COLUMNS];
    int most_blocks;
    if (!PyArg_ParseTuple(args, "O!y*y*y*y*i", &PyTuple_Type, &columns, &buffer, &spill, &roles, &names, &most_blocks)) return NULL;
    Py_ssize_t taken = 0;
    if (bonmun_take_views(columns, 0, SEGMENT_NODE_COLUMNS, views, &taken) == 0) {
        segment_rules rules = {roles.buf, (int32_t)roles.len, {0}, most_blocks};
        if (!bonmun_nodes_fit(views, SEGMENT_NODE_COLUMNS)) {
            PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        } else if (names.len != sizeof rules.names) {
            PyErr_SetString(PyExc_ValueError, "names: must hold one 32-bit number per attribute that segmentation reads");
        } else {
            node_view nodes = bonmun_node_view(views, &buffer, &spill);
            memcpy(rules.names, names.buf, sizeof rules.names);
            answer = segmented(bonmun_cell_types(self), &nodes, &rules);
        }
    }
    bonmun_release_views(views, taken);
    PyBuffer_Release(&buffer);
    PyBuffer_Release(&spill);
    PyBuffer_Release(&roles);
    PyBuffer_Release(&names);
    return answer;
}

static PyObject *grouped(const Py_buffer *parent, const Py_buffer *tag, const Py_buffer *chars, const Py_buffer *flags) {
    int32_t *path, rows = (int32_t)(parent->len / 4);
    PyObject *paths = int_column(rows, &path), *answer = NULL;
    if (!paths) return NULL;
    group_list list;
    memset(&list, 0, sizeof list);
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = number_paths(parent->buf, tag->buf, rows, path) || group_texts(chars->buf, flags->buf, path, rows, &list);
    Py_END_ALLOW_THREADS
    if (failed) {
        Py_DECREF(paths);
        PyErr_NoMemory();
    } else {
        PyObject *lengths = PyBytes_FromStringAndSize((const char *)list.length, (Py_ssize_t)list.group_count * 8);
        answer = Py_BuildValue("NNNNNi", paths, copy_column(list.nodes, list.node_count), copy_column(list.first, list.group_count),
                               copy_column(list.path, list.group_count), lengths, (int)list.longest);
    }
    group_list_free(&list);
    return answer;
}

PyObject *bonmun_group(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer parent, tag, chars, flags;
    PyObject *answer = NULL;
    if (!PyArg_ParseTuple(args, "y*y*y*y*", &parent, &tag, &chars, &flags)) return NULL;
    if (parent.len == tag.len && tag.len == chars.len && chars.len == flags.len)
        answer = grouped(&parent, &tag, &chars, &flags);
    else PyErr_SetString(PyExc_ValueError, "columns of different lengths");
    PyBuffer_Release(&parent);
    PyBuffer_Release(&tag);
    PyBuffer_Release(&chars);
    PyBuffer_Release(&flags);
    return answer;
}

/* Whether every parent comes before its row, every end behind it, and every tag has a kind. */
static bool places_fit(const place_nodes *nodes, Py_ssize_t tags) {
    for (int32_t row = 0; row < nodes->rows; row++)
        if (nodes->parent[row] >= row || nodes->end[row] <= row || nodes->tag[row] < 0 || nodes->tag[row] >= tags) return false;
    return true;
}

PyObject *bonmun_places(PyObject *self, PyObject *args) {
    (void)self;
    enum { PARENT, DEPTH, TAG, END, COLUMNS };
    Py_buffer v[COLUMNS], kinds;
    int deepest, anchor, failed = 0;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*ii", &v[PARENT], &v[DEPTH], &v[TAG], &v[END], &kinds, &deepest, &anchor)) return NULL;
    place_nodes nodes = {v[PARENT].buf, v[DEPTH].buf, v[TAG].buf, v[END].buf, (int32_t)(v[PARENT].len / 4)};
    bool same = v[DEPTH].len == v[PARENT].len && v[TAG].len == v[PARENT].len && v[END].len == v[PARENT].len;
    int32_t *place;
    PyObject *answer = NULL;
    if (!same || !places_fit(&nodes, kinds.len)) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths, or not of a tree");
    } else if ((answer = int_column(nodes.rows, &place))) {
        Py_BEGIN_ALLOW_THREADS
        failed = number_places(&nodes, kinds.buf, (int32_t)kinds.len, deepest, anchor, place);
        Py_END_ALLOW_THREADS
    }
    if (failed) {
        Py_DECREF(answer);
        answer = PyErr_NoMemory();
    }
    for (int at = 0; at < COLUMNS; at++) PyBuffer_Release(&v[at]);
    PyBuffer_Release(&kinds);
    return answer;
}

static PyObject *rows_found(const node_view *nodes, const formula_rules *rules) {
    int32_t count, *rows;
    Py_BEGIN_ALLOW_THREADS
    rows = formula_rows(nodes, rules, &count);
    Py_END_ALLOW_THREADS
    PyObject *answer = count < 0 ? PyErr_NoMemory() : copy_column(rows, count);
    free(rows);
    return answer;
}

PyObject *bonmun_formula_rows(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *answer = NULL;
    Py_buffer buffer, spill, tags, names, views[SEGMENT_NODE_COLUMNS];
    if (!PyArg_ParseTuple(args, "O!y*y*y*y*", &PyTuple_Type, &columns, &buffer, &spill, &tags, &names)) return NULL;
    Py_ssize_t taken = 0;
    if (bonmun_take_views(columns, 0, SEGMENT_NODE_COLUMNS, views, &taken) == 0) {
        formula_rules rules = {.only_images = false};
        if (!bonmun_nodes_fit(views, SEGMENT_NODE_COLUMNS)) {
            PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        } else if (tags.len != sizeof rules.tags || names.len != sizeof rules.names) {
            PyErr_SetString(PyExc_ValueError, "tags, names: must hold one 32-bit number per element or attribute");
        } else {
            node_view nodes = bonmun_node_view(views, &buffer, &spill);
            memcpy(rules.tags, tags.buf, sizeof rules.tags);
            memcpy(rules.names, names.buf, sizeof rules.names);
            answer = rows_found(&nodes, &rules);
        }
    }
    bonmun_release_views(views, taken);
    PyBuffer_Release(&buffer);
    PyBuffer_Release(&spill);
    PyBuffer_Release(&tags);
    PyBuffer_Release(&names);
    return answer;
}

PyObject *bonmun_tag_rows(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer tag;
    int number;
    if (!PyArg_ParseTuple(args, "y*i", &tag, &number)) return NULL;
    const int32_t *tags = tag.buf;
    Py_ssize_t rows = tag.len / (Py_ssize_t)sizeof(int32_t), count = 0;
    for (Py_ssize_t row = 0; row < rows; row++) count += tags[row] == number;
    int32_t *cells;
    PyObject *answer = int_column(count, &cells);
    for (Py_ssize_t row = 0; answer && count; row++)
        if (tags[row] == number) {
            *cells++ = (int32_t)row;
            count--;
        }
    PyBuffer_Release(&tag);
    return answer;
}
