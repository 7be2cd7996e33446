#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <string.h>

#include "groups.h"
#include "page_py.h"
#include "segment.h"

enum { COLUMNS = 11 };

const char bonmun_segment_doc[] =
    "segment(columns, buffer, spill, roles, names)\n--\n\n"
    "The blocks of a page: a tuple of columns (kind, level, element, first, stop, continues, link_chars, flags, chars,\n"
    "text_start, text_stop), the texts one after the other in UTF-8, and the rows of tables that hold data.";

const char bonmun_group_doc[] =
    "group(parent, tag, chars, flags)\n--\n\n"
    "The path numbers of all rows, the rows of the text nodes, and for each group its first text node, path and length;\n"
    "last the index of the longest group.";

/* Columns are trusted to come from a reader: as long as they say, 32-bit, contiguous. Their number and size are checked. */
static int take_columns(PyObject *columns, Py_buffer *views, Py_ssize_t *taken) {
    for (*taken = 0; *taken < COLUMNS; (*taken)++) {
        PyObject *column = PyTuple_GetItem(columns, *taken);
        if (!column || PyObject_GetBuffer(column, &views[*taken], PyBUF_SIMPLE)) return -1;
    }
    Py_ssize_t rows = views[0].len, attributes = views[8].len;
    for (int at = 0; at < COLUMNS; at++) {
        Py_ssize_t wanted = at < 7 ? rows : at == 7 ? rows + 4 : attributes;
        if (views[at].len != wanted) {
            PyErr_SetString(PyExc_ValueError, "columns of different lengths");
            return -1;
        }
    }
    return 0;
}

static PyObject *int_column(Py_ssize_t count, int32_t **cells) {
    PyObject *column = PyBytes_FromStringAndSize(NULL, count * 4);
    *cells = column ? (int32_t *)(void *)PyBytes_AsString(column) : NULL;
    return column;
}

static PyObject *copy_column(const int32_t *from, Py_ssize_t count) {
    return PyBytes_FromStringAndSize((const char *)from, count * 4);
}

static PyObject *block_columns(const block_list *list) {
    enum { FIELDS = 11 };
    int32_t *cells[FIELDS];
    PyObject *columns = PyTuple_New(FIELDS);
    for (int field = 0; columns && field < FIELDS; field++) {
        PyObject *column = int_column(list->count, &cells[field]);
        if (!column || PyTuple_SetItem(columns, field, column)) {
            Py_DECREF(columns);
            return NULL;
        }
    }
    for (int32_t at = 0; columns && at < list->count; at++) {
        const block *b = &list->blocks[at];
        const int32_t values[FIELDS] = {b->kind, b->level, b->element, b->first, b->stop, b->continues,
                                        b->link_chars, b->flags, b->chars, b->text_start, b->text_stop};
        for (int field = 0; field < FIELDS; field++) cells[field][at] = values[field];
    }
    return columns;
}

PyObject *bonmun_segment(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *answer = NULL;
    Py_buffer buffer, spill, roles, names, views[COLUMNS];
    if (!PyArg_ParseTuple(args, "O!y*y*y*y*", &PyTuple_Type, &columns, &buffer, &spill, &roles, &names)) return NULL;
    Py_ssize_t taken = 0;
    if (take_columns(columns, views, &taken) == 0 && names.len == 4 * NAME_COUNT) {
        node_view nodes = {views[0].buf, views[1].buf, views[2].buf, views[3].buf, views[4].buf, views[5].buf, views[6].buf,
                           views[7].buf, views[8].buf, views[9].buf, views[10].buf, buffer.buf, spill.buf,
                           (int32_t)buffer.len, (int32_t)(views[0].len / 4)};
        segment_rules rules = {roles.buf, (int32_t)roles.len, {0}};
        memcpy(rules.names, names.buf, sizeof rules.names);
        block_list list;
        int failed;
        Py_BEGIN_ALLOW_THREADS
        failed = segment(&nodes, &rules, &list);
        Py_END_ALLOW_THREADS
        if (failed) PyErr_NoMemory();
        else answer = Py_BuildValue("NNN", block_columns(&list), PyBytes_FromStringAndSize((const char *)list.text, list.text_used),
                                    copy_column(list.tables, list.table_count));
        block_list_free(&list);
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "not the attribute names that segmentation looks at");
    }
    while (taken > 0) PyBuffer_Release(&views[--taken]);
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
    failed = number_paths(parent->buf, tag->buf, rows, path) || group_texts(tag->buf, chars->buf, flags->buf, path, rows, &list);
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
