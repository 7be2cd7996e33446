/* The Python face of the reader. Stable ABI, no global state, GIL released while it works. */
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <string.h>

#include "attributes.h"
#include "columns.h"
#include "features_py.h"
#include "page_py.h"
#include "tokenize_py.h"
#include "utf8.h"

static const char *const ATTRIBUTES[] = ATTRIBUTE_NAMES;

typedef struct {
    store store;
    names tags, attributes;
    tree tree;
    columns columns;
    column_rules rules;
} reading;

static int reading_init(reading *r, const char *source, Py_ssize_t length, int most_nodes, int most_attributes) {
    memset(r, 0, sizeof(*r));
    store_init(&r->store, (const uint8_t *)source, (int32_t)length);
    return names_init(&r->tags, tag_names, TAG_COUNT) || names_init(&r->attributes, ATTRIBUTES, ATTRIBUTE_COUNT) ||
           tree_init(&r->tree, &r->store, &r->tags, &r->attributes, most_nodes, most_attributes);
}

static void reading_free(reading *r) {
    tree_free(&r->tree);
    names_free(&r->tags);
    names_free(&r->attributes);
    store_free(&r->store);
}

static PyObject *names_after(const names *n, int32_t first) {
    PyObject *found = PyTuple_New(n->count - first);
    for (int32_t at = first; found && at < n->count; at++) {
        const char *start = (const char *)n->bytes + n->starts[at];
        PyObject *name = PyUnicode_DecodeUTF8(start, n->starts[at + 1] - n->starts[at], "replace");
        if (!name || PyTuple_SetItem(found, at - first, name)) {
            Py_DECREF(found);
            return NULL;
        }
    }
    return found;
}

/* One more than rows: attr_first also says where the last row's end. */
static int32_t row_room(const reading *r) { return r->tree.count + 1; }

/* The columns live in one bytes object that Python owns; the reader writes into it and never copies. Each has room for
 * every node, or attribute, there is; the few that are no part of the page (comments, templates) leave its end unused. */
static PyObject *make_columns(reading *r) {
    columns *c = &r->columns;
    int32_t **by_row[] = {&c->parent, &c->tag, &c->depth, &c->end, &c->start, &c->stop, &c->chars, &c->flags,
                          &c->source_start, &c->source_stop, &c->attr_first};
    int32_t **by_attribute[] = {&c->attr_name, &c->attr_start, &c->attr_stop};
    enum { ROWED = sizeof by_row / sizeof *by_row, ATTRIBUTED = sizeof by_attribute / sizeof *by_attribute };
    Py_ssize_t rows = row_room(r), attributes = r->tree.attribute_total;
    PyObject *made = PyBytes_FromStringAndSize(NULL, (rows * ROWED + attributes * ATTRIBUTED) * (Py_ssize_t)sizeof(int32_t));
    if (!made) return NULL;
    int32_t *cells = (int32_t *)(void *)PyBytes_AsString(made);
    for (int at = 0; at < ROWED; at++, cells += rows) *by_row[at] = cells;
    for (int at = 0; at < ATTRIBUTED; at++, cells += attributes) *by_attribute[at] = cells;
    return made;
}

static PyObject *failure(read_result result) {
    static const char *const names_of[] = {"", "memory", "nodes", "seconds"};
    if (result == READ_NO_MEMORY) return PyErr_NoMemory();
    return PyUnicode_FromString(names_of[result]);
}

static PyObject *finish(reading *r) {
    PyObject *made = make_columns(r);
    if (!made) return NULL;
    Py_BEGIN_ALLOW_THREADS
    columns_fill(&r->tree, &r->rules, &r->columns);
    Py_END_ALLOW_THREADS
    PyObject *spill = PyBytes_FromStringAndSize((const char *)r->store.spill, r->store.spilled);
    return Py_BuildValue("NiiiiNNNii", made, (int)row_room(r), (int)r->columns.rows, (int)r->tree.attribute_total,
                         (int)r->columns.attributes, spill,
                         names_after(&r->tags, TAG_COUNT), names_after(&r->attributes, 0), (int)r->rules.depth_cut,
                         (int)r->tree.attributes_cut);
}

PyDoc_STRVAR(read_doc,
             "read(source, flags_of_tag, most_nodes, most_depth, most_attributes, seconds)\n--\n\n"
             "The columns of a page given as UTF-8, one after the other; the room of those by row, and how many rows there\n"
             "are; the same of those by attribute; what its source does not spell out (offsets beyond the source's length),\n"
             "further tag names, attribute names, and how many elements and attributes were cut; or the name of the limit\n"
             "that it went beyond.");

static PyObject *read_page(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *source;
    Py_buffer flags;
    int most_nodes, most_depth, most_attributes;
    double seconds;
    if (!PyArg_ParseTuple(args, "Sy*iiid", &source, &flags, &most_nodes, &most_depth, &most_attributes, &seconds))
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
    if (reading_init(&r, utf8, length, most_nodes, most_attributes)) {
        PyErr_NoMemory();
    } else {
        read_result result;
        r.rules = (column_rules){flags.buf, (int32_t)flags.len, most_depth, 0};
        Py_BEGIN_ALLOW_THREADS
        result = tree_build(&r.tree, seconds);
        Py_END_ALLOW_THREADS
        answer = result ? failure(result) : finish(&r);
    }
    reading_free(&r);
done:
    PyBuffer_Release(&flags);
    return answer;
}

PyDoc_STRVAR(look_doc, "look(data)\n--\n\n0: not UTF-8; 1: only ASCII; 2: UTF-8 beyond ASCII.");

static PyObject *look(PyObject *self, PyObject *data) {
    (void)self;
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(data, &bytes, &length)) return NULL;
    return PyLong_FromLong(utf8_look((const uint8_t *)bytes, (size_t)length));
}

static PyMethodDef methods[] = {
    {"read", read_page, METH_VARARGS, read_doc},
    {"look", look, METH_O, look_doc},
    {"segment", bonmun_segment, METH_VARARGS, bonmun_segment_doc},
    {"group", bonmun_group, METH_VARARGS, bonmun_group_doc},
    {"features", bonmun_features, METH_VARARGS, bonmun_features_doc},
    {"forest", bonmun_forest, METH_VARARGS, bonmun_forest_doc},
    {"sums", bonmun_sums, METH_VARARGS, bonmun_sums_doc},
    {"contributions", bonmun_contributions, METH_VARARGS, bonmun_contributions_doc},
    {"tokenize", bonmun_tokenize, METH_VARARGS, "Tokens of a source, for conformance tests."},
    {NULL, NULL, 0, NULL},
};

/* Multi-phase initialisation: any number of interpreters may load it. */
static PyModuleDef_Slot slots[] = {{0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "bonmun._core", "The compiled reader.", 0, methods, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
