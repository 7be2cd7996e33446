#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>
#include <string.h>

#include "attribute_rows.h"
#include "mark_rows.h"
#include "nodes_py.h"
#include "picture_source.h"
#include "recipe_signs.h"
#include "roles.h"
#include "tags_table.h"
#include "views_py.h"

const char bonmun_nodes_doc[] =
    "nodes(columns, buffer, spill)\n--\n\n"
    "The columns of a page, held for many calls.";

const char bonmun_attribute_doc[] =
    "attribute(nodes, row, name, most)\n--\n\n"
    "The value of the attribute of that number, its first `most` bytes (-1: all); None for one that the row does not have.";

const char bonmun_text_doc[] =
    "text(nodes, row)\n--\n\n"
    "The characters of a text node, or a formula's LaTeX; the row of a negative number counts from the end.";

const char bonmun_content_doc[] =
    "content(nodes, row)\n--\n\n"
    "All text inside an element, words separated by single spaces.";

const char bonmun_attribute_rows_doc[] =
    "attribute_rows(nodes, name, words, first, stop)\n--\n\n"
    "The rows from first up to stop whose attribute of that number contains one of the words, in order; each word ends with a NUL.";

const char bonmun_mark_rows_doc[] =
    "mark_rows(nodes, href, url, targets)\n--\n\n"
    "The rows of links that may be marks of footnotes: `href` is the number of the attribute, `url` that of the page without a\n"
    "fragment. Without superscripts an address has one of the targets, each of which ends with a NUL.";

const char bonmun_may_be_recipe_doc[] =
    "may_be_recipe(nodes, type, item_type)\n--\n\n"
    "Whether JSON-LD or microdata mention a recipe; the numbers of the attributes, -1 for one that the page does not have.";

const char bonmun_picture_source_doc[] =
    "picture_source(nodes, names, row)\n--\n\n"
    "The address of a picture as its attribute has it, empty for none; None where Python has to look. `names`: the numbers of the\n"
    "attributes that writers read.";

const char bonmun_role_kinds_doc[] =
    "role_kinds(nodes, blocks, roles, level)\n--\n\n"
    "Kinds and levels of blocks by the ARIA roles around them, None if no role changes one. `roles`: the rows with roles, each with\n"
    "the number of its role; `level`: the number of aria-level.";

static const char nodes_name[] = "bonmun.nodes";

enum { BUFFER = SEGMENT_NODE_COLUMNS, SPILL, VIEWS };

typedef struct {
    Py_buffer views[VIEWS];
    Py_ssize_t taken;
    node_view nodes;
} held_nodes;

static void free_nodes(held_nodes *held) {
    bonmun_release_views(held->views, held->taken);
    PyMem_Free(held);
}

static void forget_nodes(PyObject *capsule) { free_nodes(PyCapsule_GetPointer(capsule, nodes_name)); }

static int take_nodes(held_nodes *held, PyObject *columns, PyObject *buffer, PyObject *spill) {
    if (bonmun_take_views(columns, 0, SEGMENT_NODE_COLUMNS, held->views, &held->taken)) return -1;
    if (!bonmun_nodes_fit(held->views, SEGMENT_NODE_COLUMNS)) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return -1;
    }
    if (PyObject_GetBuffer(buffer, &held->views[BUFFER], PyBUF_SIMPLE)) return -1;
    held->taken++;
    if (PyObject_GetBuffer(spill, &held->views[SPILL], PyBUF_SIMPLE)) return -1;
    held->taken++;
    held->nodes = bonmun_node_view(held->views, &held->views[BUFFER], &held->views[SPILL]);
    return 0;
}

PyObject *bonmun_nodes(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *buffer, *spill, *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O!SS", &PyTuple_Type, &columns, &buffer, &spill)) return NULL;
    held_nodes *held = PyMem_Calloc(1, sizeof *held);
    if (!held) return PyErr_NoMemory();
    if (take_nodes(held, columns, buffer, spill) == 0) capsule = PyCapsule_New(held, nodes_name, forget_nodes);
    if (!capsule) free_nodes(held);
    return capsule;
}

const node_view *bonmun_held_nodes(PyObject *capsule) {
    const held_nodes *held = PyCapsule_GetPointer(capsule, nodes_name);
    return held ? &held->nodes : NULL;
}

/* Bytes of a page; none where columns point outside of it. */
typedef struct {
    const uint8_t *bytes;
    Py_ssize_t length;
} piece;

static piece piece_at(const held_nodes *held, int32_t start, int32_t stop) {
    const Py_buffer *of = &held->views[start < held->nodes.buffer_length ? BUFFER : SPILL];
    Py_ssize_t first = start - (of == &held->views[SPILL] ? held->nodes.buffer_length : 0), length = stop - (Py_ssize_t)start;
    if (start < 0 || length <= 0 || first >= of->len) return (piece){(const uint8_t *)"", 0};
    return (piece){(const uint8_t *)of->buf + first, length < of->len - first ? length : of->len - first};
}

static PyObject *string_of(piece p) { return PyUnicode_DecodeUTF8((const char *)p.bytes, p.length, "replace"); }

/* The page and the row of a call with `wanted` arguments; NULL: a Python error is set. */
static const held_nodes *take_call(PyObject *const *args, Py_ssize_t count, Py_ssize_t wanted, long *row) {
    if (count != wanted) {
        PyErr_SetString(PyExc_TypeError, "wrong number of arguments");
        return NULL;
    }
    const held_nodes *held = PyCapsule_GetPointer(args[0], nodes_name);
    *row = held ? PyLong_AsLong(args[1]) : -1;
    if (!held || (*row == -1 && PyErr_Occurred())) return NULL;
    if (*row < held->nodes.rows && *row >= -(long)held->nodes.rows) return held;
    PyErr_SetString(PyExc_IndexError, "no such row");
    return NULL;
}

/* The same for calls of a page and a row, where a negative number counts from the end. */
static const held_nodes *take_row(PyObject *const *args, Py_ssize_t count, int32_t *row) {
    long number;
    const held_nodes *held = take_call(args, count, 2, &number);
    if (held) *row = (int32_t)(number < 0 ? number + held->nodes.rows : number);
    return held;
}

PyObject *bonmun_text(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    int32_t row;
    const held_nodes *held = take_row(args, count, &row);
    if (!held) return NULL;
    return string_of(piece_at(held, held->nodes.start[row], held->nodes.stop[row]));
}

/* The texts of an element one after another, and the bytes of all; `to`: where they are copied, if not NULL. */
static Py_ssize_t join_texts(const held_nodes *held, int32_t element, uint8_t *to) {
    const node_view *nodes = &held->nodes;
    Py_ssize_t length = 0;
    int32_t stop = nodes->end[element] < nodes->rows ? nodes->end[element] : nodes->rows;
    for (int32_t row = element, next; row < stop; row = next) {
        bool is_text = nodes->tag[row] == TAG_TEXT, is_shown = is_text || nodes->chars[row];
        next = is_shown && !is_text && nodes->end[row] > row ? nodes->end[row] : row + 1; /* a formula's own text, without its inside */
        if (!is_shown) continue;
        piece text = piece_at(held, nodes->start[row], nodes->stop[row]);
        if (to) memcpy(to + length, text.bytes, (size_t)text.length);
        length += text.length;
    }
    return length;
}

/* The length of the white space at a place, as str.split() has it; 0: there is none. */
static Py_ssize_t space_at(const uint8_t *at, const uint8_t *end) {
    if (at[0] < 0x80) return at[0] == ' ' || (at[0] >= '\t' && at[0] <= '\r') || (at[0] >= 0x1C && at[0] <= 0x1F);
    if (at[0] == 0xC2) return end - at > 1 && (at[1] == 0x85 || at[1] == 0xA0) ? 2 : 0;
    if (at[0] < 0xE1 || at[0] > 0xE3 || end - at < 3) return 0;
    uint32_t character = (uint32_t)(at[0] & 0xF) << 12 | (uint32_t)(at[1] & 0x3F) << 6 | (at[2] & 0x3F);
    bool is_space = character == 0x1680 || (character >= 0x2000 && character <= 0x200A) || character == 0x2028 || character == 0x2029 ||
                    character == 0x202F || character == 0x205F || character == 0x3000;
    return is_space ? 3 : 0;
}

/* Collapse white space in place; the bytes that are left. */
static Py_ssize_t collapse(uint8_t *bytes, Py_ssize_t length) {
    const uint8_t *from = bytes, *end = bytes + length;
    uint8_t *to = bytes;
    while (from < end) {
        if (*from > ' ' && *from < 0x80) {
            *to++ = *from++;
            continue;
        }
        Py_ssize_t space = space_at(from, end);
        if (!space) *to++ = *from++;
        else if (to > bytes && to[-1] != ' ') *to++ = ' ';
        from += space;
    }
    return to > bytes && to[-1] == ' ' ? to - bytes - 1 : to - bytes;
}

PyObject *bonmun_content(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    int32_t row;
    const held_nodes *held = take_row(args, count, &row);
    if (!held) return NULL;
    Py_ssize_t length = join_texts(held, row, NULL);
    uint8_t *bytes = PyMem_Malloc((size_t)length + 1);
    if (!bytes) return PyErr_NoMemory();
    join_texts(held, row, bytes);
    PyObject *content = string_of((piece){bytes, collapse(bytes, length)});
    PyMem_Free(bytes);
    return content;
}

PyObject *bonmun_attribute(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    long row;
    const held_nodes *held = take_call(args, count, 4, &row);
    if (!held) return NULL;
    long name = PyLong_AsLong(args[2]), most = PyLong_AsLong(args[3]);
    if ((name == -1 || most == -1) && PyErr_Occurred()) return NULL;
    const node_view *nodes = &held->nodes;
    for (int32_t at = row < 0 ? 0 : nodes->attr_first[row]; row >= 0 && at < nodes->attr_first[row + 1]; at++) {
        if (nodes->attr_name[at] != name) continue;
        piece value = piece_at(held, nodes->attr_start[at], nodes->attr_stop[at]);
        if (most >= 0 && value.length > most) value.length = most;
        return string_of(value);
    }
    return Py_NewRef(Py_None);
}

static PyObject *rows_having(const node_view *nodes, const int range[2], int32_t name, const Py_buffer *words) {
    int32_t count, *rows;
    Py_BEGIN_ALLOW_THREADS
    rows = attribute_rows(nodes, range[0], range[1], name, words->buf, (size_t)words->len, &count);
    Py_END_ALLOW_THREADS
    PyObject *answer =
        count < 0 ? PyErr_NoMemory() : PyBytes_FromStringAndSize((const char *)rows, count * (Py_ssize_t)sizeof *rows);
    free(rows);
    return answer;
}

PyObject *bonmun_attribute_rows(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer words;
    int name, range[2];
    if (!PyArg_ParseTuple(args, "Oiy*ii", &capsule, &name, &words, &range[0], &range[1])) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    if (nodes && !attribute_words_fit(words.buf, (size_t)words.len))
        PyErr_SetString(PyExc_ValueError, "words: must be in lower case and each end with a NUL");
    else if (nodes && (range[0] < 0 || range[0] > range[1] || range[1] > nodes->rows))
        PyErr_SetString(PyExc_ValueError, "first, stop: must be rows of the page, in order");
    else if (nodes) answer = rows_having(nodes, range, name, &words);
    PyBuffer_Release(&words);
    return answer;
}

PyObject *bonmun_mark_rows(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer url, targets;
    mark_rules rules = {0};
    int32_t count = 0, *rows = NULL;
    if (!PyArg_ParseTuple(args, "Oiy*y*", &capsule, &rules.href, &url, &targets)) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    if (nodes) {
        rules.url = url.buf;
        rules.url_length = (int32_t)(url.len < INT32_MAX ? url.len : 0); /* no attribute is so long */
        rules.targets = targets.buf;
        rules.targets_length = (size_t)targets.len;
        Py_BEGIN_ALLOW_THREADS
        rows = mark_rows(nodes, &rules, &count);
        Py_END_ALLOW_THREADS
        answer = count < 0 ? PyErr_NoMemory() : PyBytes_FromStringAndSize((const char *)rows, count * (Py_ssize_t)sizeof *rows);
        free(rows);
    }
    PyBuffer_Release(&url);
    PyBuffer_Release(&targets);
    return answer;
}

/* Whether the rows are those of elements of the page, in order. */
static bool roles_fit(const role_input *input, const Py_buffer *roles) {
    if (roles->len % (Py_ssize_t)sizeof *input->roles || (uintptr_t)roles->buf % sizeof(int32_t)) return false;
    for (int32_t at = 0; at < input->role_count; at++)
        if (input->roles[at].row <= (at ? input->roles[at - 1].row : -1) || input->roles[at].row >= input->nodes->rows) return false;
    return true;
}

static PyObject *kinds_by_role(const role_input *input, const Py_buffer *kinds, const Py_buffer *levels) {
    PyObject *kind = PyBytes_FromStringAndSize(kinds->buf, kinds->len), *level = PyBytes_FromStringAndSize(levels->buf, levels->len);
    int failed = -1;
    if (kind && level) {
        int32_t *to_kind = (int32_t *)(void *)PyBytes_AsString(kind), *to_level = (int32_t *)(void *)PyBytes_AsString(level);
        Py_BEGIN_ALLOW_THREADS
        failed = role_kinds(input, to_kind, to_level);
        Py_END_ALLOW_THREADS
        if (failed) PyErr_NoMemory();
    }
    PyObject *answer = failed ? NULL : PyTuple_Pack(2, kind, level);
    Py_XDECREF(kind);
    Py_XDECREF(level);
    return answer;
}

PyObject *bonmun_role_kinds(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *columns, *answer = NULL;
    Py_buffer roles, views[BLOCK_COLUMNS];
    Py_ssize_t taken = 0;
    role_input input = {0};
    if (!PyArg_ParseTuple(args, "OO!y*i", &capsule, &PyTuple_Type, &columns, &roles, &input.level_name)) return NULL;
    input.nodes = bonmun_held_nodes(capsule);
    input.roles = roles.buf;
    input.role_count = (int32_t)(roles.len / (Py_ssize_t)sizeof *input.roles);
    if (input.nodes && bonmun_take_views(columns, 0, BLOCK_COLUMNS, views, &taken) == 0) {
        bool fit = roles_fit(&input, &roles);
        for (int at = 1; at < BLOCK_COLUMNS; at++) fit &= views[at].len == views[0].len;
        input.first = views[BLOCK_FIRST].buf;
        input.stop = views[BLOCK_STOP].buf;
        input.blocks = (int32_t)(views[0].len / (Py_ssize_t)sizeof(int32_t));
        if (!fit) PyErr_SetString(PyExc_ValueError, "roles, blocks: must be rows of the page, in order, and columns of one length");
        else if (!has_role_kinds(input.roles, input.role_count)) answer = Py_NewRef(Py_None);
        else answer = kinds_by_role(&input, &views[BLOCK_KIND_CODE], &views[BLOCK_LEVEL]);
    }
    bonmun_release_views(views, taken);
    PyBuffer_Release(&roles);
    return answer;
}

PyObject *bonmun_may_be_recipe(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    if (count != 3) return PyErr_Format(PyExc_TypeError, "wrong number of arguments");
    const node_view *nodes = bonmun_held_nodes(args[0]);
    long type = nodes ? PyLong_AsLong(args[1]) : -1, item_type = nodes ? PyLong_AsLong(args[2]) : -1;
    if (PyErr_Occurred()) return NULL;
    bool may_be;
    Py_BEGIN_ALLOW_THREADS
    may_be = may_be_recipe(nodes, (int32_t)type, (int32_t)item_type);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(may_be);
}

PyObject *bonmun_picture_source(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    attribute_value source = {NULL, 0};
    char *bytes;
    Py_ssize_t length;
    if (count != 3) return PyErr_Format(PyExc_TypeError, "wrong number of arguments");
    const node_view *nodes = bonmun_held_nodes(args[0]);
    if (!nodes || PyBytes_AsStringAndSize(args[1], &bytes, &length)) return NULL;
    long row = PyLong_AsLong(args[2]);
    if (row == -1 && PyErr_Occurred()) return NULL;
    int32_t names[WRITER_NAME_COUNT];
    if (row < 0 || row >= nodes->rows || length != (Py_ssize_t)sizeof names)
        return PyErr_Format(PyExc_ValueError, "names, row: must be one number per attribute that writers read, and a row of the page");
    memcpy(names, bytes, sizeof names);
    switch (picture_source(nodes, names, (int32_t)row, &source)) {
    case SOURCE_NONE: return PyUnicode_FromStringAndSize("", 0);
    case SOURCE_ADDRESS: return PyUnicode_DecodeUTF8((const char *)source.bytes, source.length, "replace");
    default: return Py_NewRef(Py_None);
    }
}
