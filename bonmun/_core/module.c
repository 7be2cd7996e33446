/* The Python face of the reader. Stable ABI, no global state, GIL released while it works. */
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <string.h>

#include "attributes.h"
#include "columns.h"
#include "tokenize_py.h"

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

/* The columns live in bytes objects that Python owns; the reader writes into them and never copies. */
static PyObject *make_columns(reading *r) {
    columns *c = &r->columns;
    int32_t **by_row[] = {&c->parent, &c->tag, &c->depth, &c->end, &c->start, &c->stop, &c->chars, &c->flags,
                          &c->source_start, &c->source_stop, &c->attr_first};
    int32_t **by_attribute[] = {&c->attr_name, &c->attr_start, &c->attr_stop};
    enum { ROWED = sizeof by_row / sizeof *by_row, ALL = ROWED + 3 };
    PyObject *made = PyTuple_New(ALL);
    for (int at = 0; made && at < ALL; at++) {
        Py_ssize_t cells = at < ROWED ? (Py_ssize_t)c->rows + (at == ROWED - 1) : c->attributes;
        PyObject *cell = PyBytes_FromStringAndSize(NULL, cells * 4);
        if (!cell || PyTuple_SetItem(made, at, cell)) {
            Py_DECREF(made);
            return NULL;
        }
        *(at < ROWED ? by_row[at] : by_attribute[at - ROWED]) = (int32_t *)(void *)PyBytes_AsString(cell);
    }
    return made;
}

static PyObject *make_buffer(const reading *r) {
    PyObject *buffer = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)r->store.length + r->store.spilled);
    if (!buffer) return NULL;
    char *to = PyBytes_AsString(buffer);
    memcpy(to, r->store.source, (size_t)r->store.length);
    if (r->store.spilled) memcpy(to + r->store.length, r->store.spill, (size_t)r->store.spilled);
    return buffer;
}

static PyObject *failure(read_result result) {
    static const char *const names_of[] = {"", "memory", "nodes", "seconds"};
    if (result == READ_NO_MEMORY) return PyErr_NoMemory();
    return PyUnicode_FromString(names_of[result]);
}

static PyObject *finish(reading *r) {
    columns_count(&r->tree, &r->rules, &r->columns);
    PyObject *made = make_columns(r);
    if (!made) return NULL;
    Py_BEGIN_ALLOW_THREADS
    columns_fill(&r->tree, &r->rules, &r->columns);
    Py_END_ALLOW_THREADS
    return Py_BuildValue("NNNNii", made, make_buffer(r), names_after(&r->tags, TAG_COUNT), names_after(&r->attributes, 0),
                         (int)r->rules.depth_cut, (int)r->tree.attributes_cut);
}

PyDoc_STRVAR(read_doc,
             "read(source, flags_of_tag, most_nodes, most_depth, most_attributes, seconds)\n--\n\n"
             "The columns of a page, its buffer, further tag names, attribute names, and how many elements and attributes\n"
             "were cut; or the name of the limit that it went beyond.");

static PyObject *read_page(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *source;
    Py_buffer flags;
    int most_nodes, most_depth, most_attributes;
    double seconds;
    if (!PyArg_ParseTuple(args, "Uy*iiid", &source, &flags, &most_nodes, &most_depth, &most_attributes, &seconds))
        return NULL;
    Py_ssize_t length;
    const char *utf8 = PyUnicode_AsUTF8AndSize(source, &length);
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

static PyMethodDef methods[] = {
    {"read", read_page, METH_VARARGS, read_doc},
    {"tokenize", bonmun_tokenize, METH_VARARGS, "Tokens of a source, for conformance tests."},
    {NULL, NULL, 0, NULL},
};

/* Multi-phase initialisation: any number of interpreters may load it. */
static PyModuleDef_Slot slots[] = {{0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "bonmun._core", "The compiled reader.", 0, methods, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
