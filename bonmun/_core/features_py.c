#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "feature_table.h"
#include "features_py.h"
#include "terms.h"
#include "forest.h"

const char bonmun_features_doc[] =
    "features(nodes, blocks, buffer, spill, text, roles, naming, concepts, term_weights, name_weights)\n--\n\n"
    "The feature table of a page, row by row, in floats; bonmun/features/matrix.py says what each argument holds.";

const char bonmun_forest_doc[] =
    "forest(feature, threshold, left, right, leaf, start)\n--\n\n"
    "Decision trees, checked and made ready for `sums` and `contributions`.";

const char bonmun_sums_doc[] =
    "sums(forest, table, width)\n--\n\n"
    "For each row of a table of floats the sum of the leaves that it reaches, in floats.";

const char bonmun_contributions_doc[] =
    "contributions(forest, table, width)\n--\n\n"
    "For each cell of a table of floats what its column did to the sum of its row, in floats.";

enum { NODE_COLUMNS = 12, BLOCK_COLUMNS = 10, BUFFERS = 8, VIEWS = NODE_COLUMNS + BLOCK_COLUMNS + BUFFERS };

/* The objects of a tuple from `first` on as buffers; what was taken is counted, to be given back. */
static int take_views(PyObject *tuple, Py_ssize_t first, Py_ssize_t count, Py_buffer *views, Py_ssize_t *taken) {
    for (Py_ssize_t at = first; at < first + count; at++) {
        PyObject *object = PyTuple_GetItem(tuple, at);
        if (!object || PyObject_GetBuffer(object, &views[*taken], PyBUF_SIMPLE)) return -1;
        const Py_buffer *view = &views[(*taken)++];
        if (view->len && (uintptr_t)view->buf % sizeof(int32_t)) {
            PyErr_SetString(PyExc_ValueError, "a column that does not start at a multiple of four");
            return -1;
        }
    }
    return 0;
}

static void give_back(Py_buffer *views, Py_ssize_t taken) {
    while (taken > 0) PyBuffer_Release(&views[--taken]);
}

/* Columns of rows, then attr_first, then those of attributes; columns of blocks; weights and tables. */
static bool sizes_fit(const Py_buffer *views) {
    const Py_buffer *blocks = views + NODE_COLUMNS, *rest = blocks + BLOCK_COLUMNS;
    bool fit = true;
    for (int at = 0; at < NODE_COLUMNS; at++)
        fit = fit && views[at].len == (at < 8 ? views[0].len : at == 8 ? views[0].len + 4 : views[9].len);
    for (int at = 1; at < BLOCK_COLUMNS; at++) fit = fit && blocks[at].len == blocks[0].len;
    size_t slots = (size_t)rest[5].len / sizeof(concept_slot);
    return fit && rest[0].len <= INT32_MAX / 2 && rest[2].len <= INT32_MAX && rest[4].len == 4 * NAMING_ATTRIBUTES &&
           slots && !(slots & (slots - 1)) && rest[6].len == 4 * TERM_BUCKETS && rest[7].len == 4 * TERM_BUCKETS * NAME_RANGES;
}

/* Nodes are trusted to come from a reader; blocks have to be blocks of these nodes, in order. */
static bool blocks_fit(const feature_page *page, Py_ssize_t text_length) {
    int32_t rows = page->nodes.rows, last = 0;
    for (int32_t at = 0; at < page->count; at++) {
        int32_t element = page->element[at], first = page->first[at], stop = page->stop[at];
        if (element < 0 || element >= rows || first <= last || stop <= first || stop > rows) return false;
        if (page->text_start[at] < 0 || page->text_start[at] > page->text_stop[at] || page->text_stop[at] > text_length) return false;
        if (page->kind[at] < 0 || page->kind[at] > KIND_IMAGE) return false;
        last = first;
    }
    return true;
}

static bool has_free_slot(const feature_rules *rules) {
    for (uint32_t at = 0; at <= rules->concept_mask; at++)
        if (!rules->concepts[at].concepts) return true;
    return false;
}

static PyObject *table_of(const Py_buffer *v) {
    const Py_buffer *b = v + NODE_COLUMNS, *rest = b + BLOCK_COLUMNS;
    feature_page page = {
        {v[0].buf, v[1].buf, v[2].buf, v[3].buf, v[4].buf, v[5].buf, v[6].buf, v[8].buf, v[9].buf, v[10].buf, v[11].buf,
         rest[0].buf, rest[1].buf, (int32_t)rest[0].len, (int32_t)(v[0].len / 4)},
        v[7].buf, b[0].buf, b[1].buf, b[2].buf, b[3].buf, b[4].buf, b[5].buf, b[6].buf, b[7].buf, b[8].buf, b[9].buf,
        rest[2].buf, (int32_t)(b[0].len / 4)};
    feature_rules rules = {rest[3].buf, (int32_t)rest[3].len, rest[4].buf, rest[5].buf,
                           (uint32_t)((size_t)rest[5].len / sizeof(concept_slot) - 1), rest[6].buf, rest[7].buf};
    if (!blocks_fit(&page, rest[2].len) || !has_free_slot(&rules)) {
        PyErr_SetString(PyExc_ValueError, "blocks or concepts that are none");
        return NULL;
    }
    if ((Py_ssize_t)page.count > PY_SSIZE_T_MAX / (FEATURES * (Py_ssize_t)sizeof(float))) return PyErr_NoMemory();
    PyObject *table = PyBytes_FromStringAndSize(NULL, page.count * FEATURES * (Py_ssize_t)sizeof(float));
    if (!table) return NULL;
    float *cells = (float *)(void *)PyBytes_AsString(table);
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = features(&page, &rules, cells);
    Py_END_ALLOW_THREADS
    if (!failed) return table;
    Py_DECREF(table);
    return PyErr_NoMemory();
}

PyObject *bonmun_features(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *nodes, *blocks, *rest[BUFFERS], *answer = NULL;
    if (!PyArg_ParseTuple(args, "O!O!OOOOOOOO", &PyTuple_Type, &nodes, &PyTuple_Type, &blocks, &rest[0], &rest[1], &rest[2],
                          &rest[3], &rest[4], &rest[5], &rest[6], &rest[7])) return NULL;
    Py_buffer views[VIEWS];
    Py_ssize_t taken = 0;
    if (take_views(nodes, 0, NODE_COLUMNS, views, &taken) == 0 && take_views(blocks, 0, BLOCK_COLUMNS, views, &taken) == 0 &&
        take_views(args, 2, BUFFERS, views, &taken) == 0) {
        if (sizes_fit(views)) answer = table_of(views);
        else PyErr_SetString(PyExc_ValueError, "columns of different lengths");
    }
    give_back(views, taken);
    return answer;
}

static const char forest_name[] = "bonmun.forest";

static void uproot(PyObject *capsule) { forest_free(PyCapsule_GetPointer(capsule, forest_name)); }

enum { FEATURE, THRESHOLD, LEFT, RIGHT, LEAF, START, TREE_ARRAYS };

static PyObject *planted_from(const Py_buffer *v) {
    const char *fault = v[START].len ? NULL : "no trees";
    for (int at = 0; at < TREE_ARRAYS; at++)
        if (v[at].len / 4 > INT32_MAX || v[at].len % 4 || (at < LEAF && v[at].len != v[FEATURE].len))
            fault = "arrays of different lengths";
    tree_arrays arrays = {v[FEATURE].buf, v[LEFT].buf, v[RIGHT].buf, v[START].buf, v[THRESHOLD].buf, v[LEAF].buf,
                          (int32_t)(v[FEATURE].len / 4), (int32_t)(v[LEAF].len / 4), (int32_t)(v[START].len / 4) - 1};
    forest *made = fault ? NULL : forest_plant(&arrays, &fault);
    if (!made) {
        if (fault) PyErr_SetString(PyExc_ValueError, fault);
        else PyErr_NoMemory();
        return NULL;
    }
    PyObject *capsule = PyCapsule_New(made, forest_name, uproot);
    if (!capsule) forest_free(made);
    return capsule;
}

PyObject *bonmun_forest(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer views[TREE_ARRAYS];
    Py_ssize_t taken = 0;
    PyObject *answer = NULL;
    if (take_views(args, 0, TREE_ARRAYS, views, &taken) == 0) answer = planted_from(views);
    give_back(views, taken);
    return answer;
}

/* What a forest says of each row of a table: one number, or one a column. */
static PyObject *asked(PyObject *args, bool by_column) {
    PyObject *capsule, *answer = NULL;
    Py_buffer table;
    int width, failed = 0;
    if (!PyArg_ParseTuple(args, "Oy*i", &capsule, &table, &width)) return NULL;
    const forest *trees = PyCapsule_GetPointer(capsule, forest_name);
    if (!trees) goto done;
    if (width <= 0 || width < forest_width(trees) || table.len % (4 * (Py_ssize_t)width) ||
        (table.len && (uintptr_t)table.buf % sizeof(float))) {
        PyErr_SetString(PyExc_ValueError, "a table that is not as wide as said, or not wide enough");
        goto done;
    }
    Py_ssize_t rows = table.len / 4 / width;
    answer = PyBytes_FromStringAndSize(NULL, by_column ? table.len : 4 * rows);
    if (!answer) goto done;
    float *cells = (float *)(void *)PyBytes_AsString(answer);
    Py_BEGIN_ALLOW_THREADS
    failed = (by_column ? forest_explain : forest_sum)(trees, table.buf, width, rows, cells);
    Py_END_ALLOW_THREADS
    if (failed) {
        Py_DECREF(answer);
        answer = PyErr_NoMemory();
    }
done:
    PyBuffer_Release(&table);
    return answer;
}

PyObject *bonmun_sums(PyObject *self, PyObject *args) {
    (void)self;
    return asked(args, false);
}

PyObject *bonmun_contributions(PyObject *self, PyObject *args) {
    (void)self;
    return asked(args, true);
}
