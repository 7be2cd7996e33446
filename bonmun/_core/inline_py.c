#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "inline_markdown.h"
#include "inline_py.h"
#include "views_py.h"

const char bonmun_inline_page_doc[] =
    "inline_page(columns, buffer, spill, href)\n--\n\n"
    "The columns of a page and the number of an attribute, prepared for `inline_markdown`.";

const char bonmun_inline_markdown_doc[] =
    "inline_markdown(page, first, stop, element, skipped, heading, extra, tildes)\n--\n\n"
    "The Markdown of a block: its rows, its element, the flags of rows that are not shown, whether it is a heading, the mark\n"
    "around all of it (0: none, 1: strong, 2: em), and the tildes of its paragraph. In place of an address it has the row of the\n"
    "link between two NULs. None where Python has to decide.";

static const char page_name[] = "bonmun.inline_page";

enum { BUFFER = SEGMENT_NODE_COLUMNS, SPILL, VIEWS };

typedef struct {
    Py_buffer views[VIEWS];
    Py_ssize_t taken;
    node_view nodes;
    int href;
} inline_page;

static void free_page(inline_page *page) {
    bonmun_release_views(page->views, page->taken);
    PyMem_Free(page);
}

static void forget_page(PyObject *capsule) { free_page(PyCapsule_GetPointer(capsule, page_name)); }

PyObject *bonmun_inline_page(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *buffer, *spill, *capsule = NULL;
    int href;
    if (!PyArg_ParseTuple(args, "O!SSi", &PyTuple_Type, &columns, &buffer, &spill, &href)) return NULL;
    inline_page *page = PyMem_Calloc(1, sizeof *page);
    if (!page) return PyErr_NoMemory();
    page->href = href;
    if (bonmun_take_views(columns, 0, SEGMENT_NODE_COLUMNS, page->views, &page->taken) == 0) {
        if (!bonmun_nodes_fit(page->views, SEGMENT_NODE_COLUMNS)) {
            PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        } else if (PyObject_GetBuffer(buffer, &page->views[BUFFER], PyBUF_SIMPLE) == 0) {
            page->taken++;
            if (PyObject_GetBuffer(spill, &page->views[SPILL], PyBUF_SIMPLE) == 0) {
                page->taken++;
                page->nodes = bonmun_node_view(page->views, &page->views[BUFFER], &page->views[SPILL]);
                capsule = PyCapsule_New(page, page_name, forget_page);
            }
        }
    }
    if (!capsule) free_page(page);
    return capsule;
}

PyObject *bonmun_inline_markdown(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    inline_place place;
    int first, stop, element, skipped, heading, extra, tildes;
    if (!PyArg_ParseTuple(args, "Oiiiipii", &capsule, &first, &stop, &element, &skipped, &heading, &extra, &tildes)) return NULL;
    const inline_page *page = PyCapsule_GetPointer(capsule, page_name);
    if (!page) return NULL;
    if (first < 0 || stop < first || stop > page->nodes.rows || element < 0 || element >= page->nodes.rows || extra < 0 ||
        extra > MARK_EM) {
        PyErr_SetString(PyExc_ValueError, "first, stop, element, extra: must be rows of the page and the number of a mark");
        return NULL;
    }
    place = (inline_place){first, stop, element, skipped, heading != 0, (uint32_t)extra, page->href, false, false, NULL, NULL};
    inline_options options = {tildes, DOLLARS_UNKNOWN, false, -1};
    output_buffer line = {0};
    inline_result result = inline_markdown(&page->nodes, &place, &options, &line);
    if (result == INLINE_NO_MEMORY) PyErr_NoMemory();
    else if (result == INLINE_OTHER) answer = Py_NewRef(Py_None);
    else answer = PyUnicode_DecodeUTF8((const char *)line.bytes, (Py_ssize_t)line.used, "replace");
    free(line.bytes);
    return answer;
}
