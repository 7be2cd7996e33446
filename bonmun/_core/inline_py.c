#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "inline_markdown.h"
#include "inline_py.h"
#include "nodes_py.h"

const char bonmun_inline_markdown_doc[] =
    "inline_markdown(nodes, href, first, stop, element, skipped, heading, extra, tildes)\n--\n\n"
    "The Markdown of a block, given the number of the attribute `href`: its rows, its element, the flags of rows that are not shown, whether it is a heading, the mark\n"
    "around all of it (0: none, 1: strong, 2: em), and the tildes of its paragraph. In place of an address it has the row of the\n"
    "link between two NULs. None where Python has to decide.";

PyObject *bonmun_inline_markdown(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    inline_place place;
    int href, first, stop, element, skipped, heading, extra, tildes;
    if (!PyArg_ParseTuple(args, "Oiiiiipii", &capsule, &href, &first, &stop, &element, &skipped, &heading, &extra, &tildes))
        return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    if (!nodes) return NULL;
    if (first < 0 || stop < first || stop > nodes->rows || element < 0 || element >= nodes->rows || extra < 0 ||
        extra > MARK_EM) {
        PyErr_SetString(PyExc_ValueError, "first, stop, element, extra: must be rows of the page and the number of a mark");
        return NULL;
    }
    place = (inline_place){first, stop, element, skipped, heading != 0, (uint32_t)extra, href, NULL, false, NULL, NULL};
    inline_options options = {tildes, DOLLARS_UNKNOWN, false, -1};
    output_buffer line = {0};
    inline_result result = inline_markdown(nodes, &place, &options, &line);
    if (result == INLINE_NO_MEMORY) PyErr_NoMemory();
    else if (result == INLINE_OTHER) answer = Py_NewRef(Py_None);
    else answer = PyUnicode_DecodeUTF8((const char *)line.bytes, (Py_ssize_t)line.used, "replace");
    free(line.bytes);
    return answer;
}
