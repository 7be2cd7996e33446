#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "contributions.h"
#include "feature_table.h"
#include "features_py.h"
#include "forest.h"
#include "views_py.h"

const char bonmun_measure_doc[] =
    "measure(nodes, blocks, texts, tables)\n--\n\n"
    "A page measured for `features`; bonmun/features/matrix.py builds the arguments.";

const char bonmun_features_doc[] =
    "features(measured, first, stop)\n--\n\n"
    "The features of some blocks of a measured page, row by row, in 32-bit floats. Not for two threads at once.";

const char bonmun_forest_doc[] =
    "forest(feature, threshold, left, right, leaf, start)\n--\n\n"
    "Validated decision trees, for `sums` and `contributions`.";

const char bonmun_sums_doc[] =
    "sums(forest, table, width)\n--\n\n"
    "For each row of a table of floats the sum of the leaves it reaches, in floats.";

const char bonmun_contributions_doc[] =
    "contributions(forest, table, width, picked)\n--\n\n"
    "For each cell of some rows of a table of floats its column's contribution to the sum of its row, in floats.";

const char bonmun_means_doc[] =
    "means(forest, table, width, picked)\n--\n\n"
    "The mean contribution of each column of a table of floats to the sums of some of its rows, in doubles.";

/* What the tuples `texts` and `tables` hold. */
enum { BUFFER, SPILL, TEXT, NAMING, TEXTS };
enum { ROLES = TEXTS, CONCEPTS, TERM_WEIGHTS, NAME_WEIGHTS, OTHERS };
enum { VIEWS = FEATURE_NODE_COLUMNS + BLOCK_COLUMNS + OTHERS };

static bool sizes_fit(const Py_buffer *nodes, const Py_buffer *blocks, const Py_buffer *others) {
    size_t slots = (size_t)others[CONCEPTS].len / sizeof(concept_slot);
    for (int at = 1; at < BLOCK_COLUMNS; at++)
        if (blocks[at].len != blocks[0].len) return false;
    return bonmun_nodes_fit(nodes, FEATURE_NODE_COLUMNS) && others[BUFFER].len <= INT32_MAX / 2 &&
           others[TEXT].len <= INT32_MAX / 2 && others[NAMING].len == 4 * NAMING_ATTRIBUTES && slots && !(slots & (slots - 1)) &&
           others[TERM_WEIGHTS].len == 4 * TERM_BUCKETS && others[NAME_WEIGHTS].len == 4 * TERM_BUCKETS * NAME_RANGES;
}

/* Nodes are trusted to come from a reader; blocks are checked to be blocks of these nodes, in order. */
static bool blocks_fit(const feature_page *page, Py_ssize_t text_length) {
    int32_t rows = page->nodes.rows, last = 0;
    for (int32_t at = 0; at < page->count; at++) {
        int32_t element = page->element[at], first = page->first[at], stop = page->stop[at];
        if (element < 0 || element >= rows || first <= last || stop <= first || stop > rows) return false;
        if (page->text_start[at] < 0 || page->text_start[at] > page->text_stop[at] || page->text_stop[at] > text_length) return false;
        if (page->kind[at] < 0 || page->kind[at] >= KIND_COUNT) return false;
        last = first;
    }
    return true;
}

static bool has_free_slot(const feature_rules *rules) {
    for (uint32_t at = 0; at <= rules->concept_mask; at++)
        if (!rules->concepts[at].concepts) return true;
    return false;
}

static feature_page page_of(const Py_buffer *nodes, const Py_buffer *blocks, const Py_buffer *others) {
    return (feature_page){
        .nodes = bonmun_node_view(nodes, &others[BUFFER], &others[SPILL]),
        .depth = nodes[NODE_DEPTH].buf,
        .kind = blocks[BLOCK_KIND_CODE].buf,
        .level = blocks[BLOCK_LEVEL].buf,
        .element = blocks[BLOCK_ELEMENT].buf,
        .first = blocks[BLOCK_FIRST].buf,
        .stop = blocks[BLOCK_STOP].buf,
        .link_chars = blocks[BLOCK_LINK_CHARS].buf,
        .flags = blocks[BLOCK_FLAGS].buf,
        .chars = blocks[BLOCK_CHARS].buf,
        .text_start = blocks[BLOCK_TEXT_START].buf,
        .text_stop = blocks[BLOCK_TEXT_STOP].buf,
        .text = others[TEXT].buf,
        .text_length = (int32_t)others[TEXT].len,
        .count = (int32_t)(blocks[0].len / (Py_ssize_t)sizeof(int32_t)),
    };
}

static feature_rules rules_of(const Py_buffer *others) {
    return (feature_rules){
        .roles = others[ROLES].buf,
        .known_tags = (int32_t)others[ROLES].len,
        .naming = others[NAMING].buf,
        .concepts = others[CONCEPTS].buf,
        .concept_mask = (uint32_t)((size_t)others[CONCEPTS].len / sizeof(concept_slot) - 1),
        .term_weights = others[TERM_WEIGHTS].buf,
        .name_weights = others[NAME_WEIGHTS].buf,
    };
}

static const char measured_name[] = "bonmun.measured";
static const char forest_name[] = "bonmun.forest";

/* A measured page with the buffers that it points into. */
typedef struct {
    feature_state *state;
    Py_buffer views[VIEWS];
    Py_ssize_t taken;
} measured_page;

static void free_measured(measured_page *page) {
    features_free(page->state);
    bonmun_release_views(page->views, page->taken);
    PyMem_Free(page);
}

static void forget_measured(PyObject *capsule) { free_measured(PyCapsule_GetPointer(capsule, measured_name)); }

static bool measure_page(measured_page *measured) {
    const Py_buffer *nodes = measured->views, *blocks = nodes + FEATURE_NODE_COLUMNS, *others = blocks + BLOCK_COLUMNS;
    if (!sizes_fit(nodes, blocks, others)) {
        PyErr_SetString(PyExc_ValueError, "columns, weights or concept table of wrong lengths");
        return false;
    }
    feature_page page = page_of(nodes, blocks, others);
    feature_rules rules = rules_of(others);
    if (!blocks_fit(&page, others[TEXT].len) || !has_free_slot(&rules)) {
        PyErr_SetString(PyExc_ValueError, "invalid blocks or concept table");
        return false;
    }
    Py_BEGIN_ALLOW_THREADS
    measured->state = features_measure(&page, &rules);
    Py_END_ALLOW_THREADS
    if (!measured->state) PyErr_NoMemory();
    return measured->state != NULL;
}

/* The page of four tuples; NULL: a Python error is set. */
static measured_page *measured_of(PyObject *nodes, PyObject *blocks, PyObject *texts, PyObject *tables) {
    measured_page *page = PyMem_Calloc(1, sizeof *page);
    if (!page) {
        PyErr_NoMemory();
        return NULL;
    }
    if (bonmun_take_views(nodes, 0, FEATURE_NODE_COLUMNS, page->views, &page->taken) == 0 &&
        bonmun_take_views(blocks, 0, BLOCK_COLUMNS, page->views, &page->taken) == 0 &&
        bonmun_take_views(texts, 0, TEXTS, page->views, &page->taken) == 0 &&
        bonmun_take_views(tables, 0, OTHERS - TEXTS, page->views, &page->taken) == 0 && measure_page(page))
        return page;
    free_measured(page);
    return NULL;
}

PyObject *bonmun_measured_page(PyObject *nodes, PyObject *blocks, PyObject *texts, PyObject *tables) {
    measured_page *page = measured_of(nodes, blocks, texts, tables);
    PyObject *capsule = page ? PyCapsule_New(page, measured_name, forget_measured) : NULL;
    if (page && !capsule) free_measured(page);
    return capsule;
}

PyObject *bonmun_measure(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *nodes, *blocks, *texts, *tables;
    if (!PyArg_ParseTuple(args, "O!O!O!O!", &PyTuple_Type, &nodes, &PyTuple_Type, &blocks, &PyTuple_Type, &texts, &PyTuple_Type,
                          &tables)) return NULL;
    return bonmun_measured_page(nodes, blocks, texts, tables);
}

PyObject *bonmun_features(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule;
    int first, stop;
    if (!PyArg_ParseTuple(args, "Oii", &capsule, &first, &stop)) return NULL;
    measured_page *page = PyCapsule_GetPointer(capsule, measured_name);
    if (!page) return NULL;
    if (first < 0 || stop < first || stop > features_count(page->state)) {
        PyErr_SetString(PyExc_ValueError, "first, stop: not a range of blocks of the page");
        return NULL;
    }
    PyObject *rows = PyBytes_FromStringAndSize(NULL, (stop - first) * (COLUMN_COUNT * (Py_ssize_t)sizeof(float)));
    if (!rows) return NULL;
    float *cells = (float *)(void *)PyBytes_AsString(rows);
    Py_BEGIN_ALLOW_THREADS
    features_put(page->state, first, stop, cells);
    Py_END_ALLOW_THREADS
    return rows;
}

feature_state *bonmun_measured_of(PyObject *capsule) {
    const measured_page *page = PyCapsule_GetPointer(capsule, measured_name);
    return page ? page->state : NULL;
}

const forest *bonmun_forest_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, forest_name); }

static void free_forest(PyObject *capsule) { forest_free(PyCapsule_GetPointer(capsule, forest_name)); }

enum { FEATURE, THRESHOLD, LEFT, RIGHT, LEAF, START, FOREST_ARRAYS };

static PyObject *forest_of(const Py_buffer *v) {
    const char *fault = v[START].len ? NULL : "no trees";
    for (int at = 0; at < FOREST_ARRAYS; at++)
        if (v[at].len / 4 > INT32_MAX || v[at].len % 4 || (at < LEAF && v[at].len != v[FEATURE].len))
            fault = "arrays of different lengths";
    forest_arrays arrays = {v[FEATURE].buf, v[LEFT].buf, v[RIGHT].buf, v[START].buf, v[THRESHOLD].buf, v[LEAF].buf,
                            (int32_t)(v[FEATURE].len / 4), (int32_t)(v[LEAF].len / 4), (int32_t)(v[START].len / 4) - 1};
    forest *trees = fault ? NULL : forest_create(&arrays, &fault);
    if (!trees) {
        if (fault) PyErr_SetString(PyExc_ValueError, fault);
        else PyErr_NoMemory();
        return NULL;
    }
    PyObject *capsule = PyCapsule_New(trees, forest_name, free_forest);
    if (!capsule) forest_free(trees);
    return capsule;
}

PyObject *bonmun_forest(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer views[FOREST_ARRAYS];
    Py_ssize_t taken = 0;
    PyObject *answer = NULL;
    if (bonmun_take_views(args, 0, FOREST_ARRAYS, views, &taken) == 0) answer = forest_of(views);
    bonmun_release_views(views, taken);
    return answer;
}

/* The trees for a table; NULL with an exception if they do not fit. */
static forest *fitting(PyObject *capsule, const Py_buffer *table, int width) {
    forest *trees = PyCapsule_GetPointer(capsule, forest_name);
    if (!trees || (width > 0 && width >= forest_width(trees) && table->len % (4 * (Py_ssize_t)width) == 0 &&
                   (!table->len || (uintptr_t)table->buf % sizeof(float) == 0)))
        return trees;
    PyErr_SetString(PyExc_ValueError, "the table's size is no multiple of its width, or the trees need more columns");
    return NULL;
}

PyObject *bonmun_sums(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule;
    Py_buffer table;
    int width, failed = 0;
    if (!PyArg_ParseTuple(args, "Oy*i", &capsule, &table, &width)) return NULL;
    const forest *trees = fitting(capsule, &table, width);
    if (!trees) {
        PyBuffer_Release(&table);
        return NULL;
    }
    Py_ssize_t rows = table.len / 4 / width;
    PyObject *answer = PyBytes_FromStringAndSize(NULL, 4 * rows);
    if (answer) {
        float *cells = (float *)(void *)PyBytes_AsString(answer);
        Py_BEGIN_ALLOW_THREADS
        failed = forest_sum(trees, table.buf, width, NULL, rows, cells);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&table);
    if (!failed) return answer;
    Py_DECREF(answer);
    return PyErr_NoMemory();
}

/* The numbers of rows; NULL with an exception if the table does not have them all. */
static const int32_t *take_picked(const Py_buffer *picked, Py_ssize_t rows) {
    const int32_t *numbers = picked->buf;
    Py_ssize_t count = picked->len / 4;
    bool fit = picked->len % 4 == 0 && (!count || (uintptr_t)picked->buf % sizeof(int32_t) == 0);
    for (Py_ssize_t at = 0; fit && at < count; at++) fit = numbers[at] >= 0 && numbers[at] < rows;
    if (!fit) PyErr_SetString(PyExc_ValueError, "picked: must be numbers of rows");
    return fit ? numbers : NULL;
}

/* Trees, a table and some of its rows. */
typedef struct {
    forest *trees;
    Py_buffer table, picked;
    int width;
} picked_rows;

/* False: a Python error is set, and nothing is taken. */
static bool take_rows(PyObject *args, picked_rows *r) {
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "Oy*iy*", &capsule, &r->table, &r->width, &r->picked)) return false;
    r->trees = fitting(capsule, &r->table, r->width);
    if (r->trees && take_picked(&r->picked, r->table.len / 4 / r->width)) return true;
    PyBuffer_Release(&r->table);
    PyBuffer_Release(&r->picked);
    return false;
}

/* Takes a reference to the answer. */
static PyObject *give_rows(picked_rows *r, PyObject *answer, int failed) {
    PyBuffer_Release(&r->table);
    PyBuffer_Release(&r->picked);
    if (!failed) return answer;
    Py_XDECREF(answer);
    return PyErr_NoMemory();
}

PyObject *bonmun_contributions(PyObject *self, PyObject *args) {
    (void)self;
    picked_rows r;
    if (!take_rows(args, &r)) return NULL;
    Py_ssize_t rows = r.picked.len / 4;
    const forest_paths *paths = forest_paths_of(r.trees);
    PyObject *answer = paths ? PyBytes_FromStringAndSize(NULL, rows * r.width * 4) : PyErr_NoMemory();
    int failed = 0;
    if (answer) {
        float *cells = (float *)(void *)PyBytes_AsString(answer);
        Py_BEGIN_ALLOW_THREADS
        failed = forest_contributions(r.trees, paths, r.table.buf, r.width, r.picked.buf, rows, cells);
        Py_END_ALLOW_THREADS
    }
    return give_rows(&r, answer, failed);
}

PyObject *bonmun_means(PyObject *self, PyObject *args) {
    (void)self;
    picked_rows r;
    if (!take_rows(args, &r)) return NULL;
    PyObject *answer = NULL;
    int failed = 0;
    const forest_paths *paths = forest_paths_of(r.trees);
    if (!paths) PyErr_NoMemory();
    else if (!r.picked.len) PyErr_SetString(PyExc_ValueError, "picked: must be at least one row");
    else answer = PyBytes_FromStringAndSize(NULL, 8 * (Py_ssize_t)r.width);
    if (answer) {
        double *means = (double *)(void *)PyBytes_AsString(answer);
        Py_BEGIN_ALLOW_THREADS
        failed = contribution_means(r.trees, paths, r.table.buf, r.width, r.picked.buf, r.picked.len / 4, means);
        Py_END_ALLOW_THREADS
    }
    return give_rows(&r, answer, failed);
}
