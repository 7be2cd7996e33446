#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "attribute_rows.h"
#include "box_rows.h"
#include "nodes_py.h"
#include "part_texts.h"
#include "views_py.h"
#include "write_text.h"
#include "writers_py.h"

const char bonmun_writer_page_doc[] =
    "writer_page(nodes, blocks, buffer, spill, text, tables, names, roles)\n--\n\n"
    "The columns of a page, prepared for the writers: those of nodes with the tags of ARIA roles, and of blocks with their kinds;\n"
    "the rows of data tables in order; the numbers of the attributes that writers read; for each tag ROLE_BLOCK or 0.";

const char bonmun_write_text_doc[] =
    "write_text(page, shown, nesting, places, starts, texts)\n--\n\n"
    "Blocks as plain text. `places` are those among the blocks shown whose text is given, from one of `starts` to the next.";

const char bonmun_part_texts_doc[] =
    "part_texts(nodes, roles, style, kinds, starts, rows)\n--\n\n"
    "The texts of blocks by the rows kept of them, whose kinds are given: their ends, and the texts; None for rows that are\n"
    "not texts in order.\n"
    "`roles`: for each tag ROLE_BLOCK or 0; `style`: the number of the attribute.";

const char bonmun_box_rows_doc[] =
    "box_rows(page, shown, words, roles)\n--\n\n"
    "The rows around blocks that may be callouts, by words in their class and role, and `~row` of other details, in no order.";

static const char page_name[] = "bonmun.writer_page";

enum {
    FIRST_BLOCK_VIEW = SEGMENT_NODE_COLUMNS,
    BUFFER = FIRST_BLOCK_VIEW + BLOCK_COLUMNS,
    SPILL,
    TEXT,
    TABLES,
    NAMES,
    ROLES,
    VIEWS
};

typedef struct {
    Py_buffer views[VIEWS];
    Py_ssize_t taken;
    writer_page page;
} held_page;

static void free_page(held_page *held) {
    bonmun_release_views(held->views, held->taken);
    PyMem_Free(held);
}

static void forget_page(PyObject *capsule) { free_page(PyCapsule_GetPointer(capsule, page_name)); }

static bool columns_fit(const Py_buffer *views) {
    for (int at = 1; at < BLOCK_COLUMNS; at++)
        if (views[FIRST_BLOCK_VIEW + at].len != views[FIRST_BLOCK_VIEW].len) return false;
    return bonmun_nodes_fit(views, SEGMENT_NODE_COLUMNS);
}

static void fill_page(held_page *held) {
    const Py_buffer *views = held->views, *blocks = views + FIRST_BLOCK_VIEW;
    writer_page *page = &held->page;
    page->nodes = bonmun_node_view(views, &views[BUFFER], &views[SPILL]);
    page->kind = blocks[BLOCK_KIND_CODE].buf;
    page->level = blocks[BLOCK_LEVEL].buf;
    page->element = blocks[BLOCK_ELEMENT].buf;
    page->first = blocks[BLOCK_FIRST].buf;
    page->stop = blocks[BLOCK_STOP].buf;
    page->continues = blocks[BLOCK_CONTINUES].buf;
    page->flags = blocks[BLOCK_FLAGS].buf;
    page->text_start = blocks[BLOCK_TEXT_START].buf;
    page->text_stop = blocks[BLOCK_TEXT_STOP].buf;
    page->text = views[TEXT].buf;
    page->blocks = (int32_t)(blocks->len / (Py_ssize_t)sizeof(int32_t));
    page->tables = views[TABLES].buf;
    page->table_count = (int32_t)(views[TABLES].len / (Py_ssize_t)sizeof(int32_t));
    memcpy(page->names, views[NAMES].buf, sizeof page->names);
    page->rules.roles = views[ROLES].buf;
    page->rules.known = (int32_t)views[ROLES].len;
    for (int at = 0; at < NAME_COUNT; at++) page->rules.names[at] = -1;
    page->rules.names[NAME_STYLE] = page->names[WRITER_NAME_STYLE];
}

/* Take the views in the order of their enum. */
static int take_page(held_page *held, PyObject *nodes, PyObject *blocks, PyObject *const *others) {
    if (bonmun_take_views(nodes, 0, SEGMENT_NODE_COLUMNS, held->views, &held->taken)) return -1;
    if (bonmun_take_views(blocks, 0, BLOCK_COLUMNS, held->views, &held->taken)) return -1;
    for (int at = BUFFER; at < VIEWS; at++) {
        if (PyObject_GetBuffer(others[at - BUFFER], &held->views[at], PyBUF_SIMPLE)) return -1;
        held->taken++;
    }
    if (!columns_fit(held->views) || held->views[NAMES].len != sizeof held->page.names) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths, or not one number per attribute that writers read");
        return -1;
    }
    return 0;
}

PyObject *bonmun_writer_page(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *nodes, *blocks, *others[VIEWS - BUFFER], *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O!O!SSSSSS", &PyTuple_Type, &nodes, &PyTuple_Type, &blocks, &others[0], &others[1], &others[2],
                          &others[3], &others[4], &others[5]))
        return NULL;
    held_page *held = PyMem_Calloc(1, sizeof *held);
    if (!held) return PyErr_NoMemory();
    if (take_page(held, nodes, blocks, others) == 0) {
        fill_page(held);
        capsule = PyCapsule_New(held, page_name, forget_page);
    }
    if (!capsule) free_page(held);
    return capsule;
}

const writer_page *bonmun_held_page(PyObject *capsule) {
    const held_page *held = PyCapsule_GetPointer(capsule, page_name);
    return held ? &held->page : NULL;
}

bool bonmun_is_column(const Py_buffer *view) { return !view->len || (uintptr_t)view->buf % sizeof(int32_t) == 0; }

bool bonmun_blocks_fit(const writer_page *page, const Py_buffer *shown, outline_input *input) {
    input->shown = shown->buf;
    input->count = (int32_t)(shown->len / (Py_ssize_t)sizeof(int32_t));
    bool fit = bonmun_is_column(shown) && input->nesting >= 0 && input->nesting <= OUTLINE_NESTING;
    for (int32_t at = 0; fit && at < input->count; at++) {
        int32_t index = input->shown[at];
        fit = index < page->blocks && ~index < page->nodes.rows;
    }
    if (!fit) PyErr_SetString(PyExc_ValueError, "shown, nesting: must be blocks or rows of the page, and within the limit");
    return fit;
}

bool bonmun_given_fit(const Py_buffer *places, const Py_buffer *starts, const Py_buffer *texts, given_texts *given) {
    *given = (given_texts){places->buf, starts->buf, texts->buf, (int32_t)(places->len / (Py_ssize_t)sizeof(int32_t))};
    bool fit = bonmun_is_column(places) && bonmun_is_column(starts) && starts->len == places->len + (Py_ssize_t)sizeof(int32_t);
    for (int32_t at = 0; fit && at < given->count; at++)
        fit = given->starts[at] >= 0 && given->starts[at] <= given->starts[at + 1] &&
              (!at || given->places[at] > given->places[at - 1]);
    fit = fit && given->starts[given->count] <= texts->len;
    if (!fit) PyErr_SetString(PyExc_ValueError, "places, starts: must be in order, and within the texts");
    return fit;
}

PyObject *bonmun_write_text(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer shown, places, starts, texts;
    outline_input input = {0};
    given_texts given;
    int nesting, failed;
    if (!PyArg_ParseTuple(args, "Oy*iy*y*y*", &capsule, &shown, &nesting, &places, &starts, &texts)) return NULL;
    const writer_page *page = bonmun_held_page(capsule);
    input.nesting = nesting;
    if (page && bonmun_blocks_fit(page, &shown, &input) && bonmun_given_fit(&places, &starts, &texts, &given)) {
        output_buffer out = {0};
        Py_BEGIN_ALLOW_THREADS
        failed = write_text(page, &input, &given, &out);
        Py_END_ALLOW_THREADS
        if (failed) PyErr_NoMemory();
        else answer = PyUnicode_DecodeUTF8((const char *)out.bytes, (Py_ssize_t)out.used, NULL);
        free(out.bytes);
    }
    PyBuffer_Release(&shown);
    PyBuffer_Release(&places);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&texts);
    return answer;
}

static PyObject *texts_of_parts(const text_parts *parts) {
    output_buffer out = {0};
    int32_t *stops = malloc((size_t)parts->count * sizeof *stops + 1);
    int failed = -1;
    Py_BEGIN_ALLOW_THREADS
    if (stops) failed = part_texts(parts, &out, stops);
    Py_END_ALLOW_THREADS
    PyObject *answer = failed ? PyErr_NoMemory()
                              : Py_BuildValue("y#y#", stops, parts->count * (Py_ssize_t)sizeof *stops, out.bytes ? (char *)out.bytes : "",
                                              (Py_ssize_t)out.used);
    free(stops);
    free(out.bytes);
    return answer;
}

PyObject *bonmun_part_texts(PyObject *self, PyObject *args) {
    (void)self;
    enum { KINDS_OF, STARTS, PART_ROWS, COLUMNS };
    PyObject *capsule, *answer = NULL;
    Py_buffer roles, v[COLUMNS];
    segment_rules rules = {0};
    int style;
    if (!PyArg_ParseTuple(args, "Oy*iy*y*y*", &capsule, &roles, &style, &v[KINDS_OF], &v[STARTS], &v[PART_ROWS])) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    text_parts parts = {nodes, &rules, v[KINDS_OF].buf, v[STARTS].buf, v[PART_ROWS].buf, (int32_t)(v[KINDS_OF].len / 4)};
    rules.roles = roles.buf;
    rules.known = (int32_t)roles.len;
    for (int at = 0; at < NAME_COUNT; at++) rules.names[at] = at == NAME_STYLE ? style : -1;
    bool fit = v[STARTS].len == v[KINDS_OF].len + 4;
    for (int at = 0; at < COLUMNS; at++) fit = fit && bonmun_is_column(&v[at]);
    if (nodes && !fit) PyErr_SetString(PyExc_ValueError, "starts: must be one more than kinds");
    else if (nodes && parts_fit(&parts, (int32_t)(v[PART_ROWS].len / 4))) answer = texts_of_parts(&parts);
    else if (nodes) answer = Py_NewRef(Py_None);
    PyBuffer_Release(&roles);
    for (int at = 0; at < COLUMNS; at++) PyBuffer_Release(&v[at]);
    return answer;
}

PyObject *bonmun_box_rows(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer shown, words, roles;
    outline_input input = {0};
    int32_t count, *rows;
    if (!PyArg_ParseTuple(args, "Oy*y*y*", &capsule, &shown, &words, &roles)) return NULL;
    const writer_page *page = bonmun_held_page(capsule);
    if (page && (!attribute_words_fit(words.buf, (size_t)words.len) || !attribute_words_fit(roles.buf, (size_t)roles.len)))
        PyErr_SetString(PyExc_ValueError, "words, roles: must be in lower case and each end with a NUL");
    else if (page && bonmun_blocks_fit(page, &shown, &input)) {
        const box_signs signs = {words.buf, roles.buf, (size_t)words.len, (size_t)roles.len};
        Py_BEGIN_ALLOW_THREADS
        rows = box_rows(page, &input, &signs, &count);
        Py_END_ALLOW_THREADS
        answer = count < 0 ? PyErr_NoMemory() : PyBytes_FromStringAndSize((const char *)rows, count * (Py_ssize_t)sizeof *rows);
        free(rows);
    }
    PyBuffer_Release(&shown);
    PyBuffer_Release(&words);
    PyBuffer_Release(&roles);
    return answer;
}
