#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "decoding_py.h"

#include "bytes.h"
#include "late_parts.h"
#include "meta_prescan.h"
#include "utf8.h"

const char bonmun_next_meta_doc[] =
    "next_meta(head, position)\n--\n\n"
    "The attributes charset, http-equiv and content, names and values in lower case, of the next <meta> that has one of the\n"
    "first two, and the position behind it; None if there is none.";

const char bonmun_forbidden_ranges_doc[] =
    "forbidden_ranges(start, stop, buffer, spill)\n--\n\n"
    "The indexes of the ranges with a character that XML 1.0 forbids, in order.";

const char bonmun_late_parts_doc[] =
    "late_parts(source)\n--\n\n"
    "Start and stop of each closed late part, of the markup inside and of its number, in the order of their ends; start and\n"
    "stop of each place and of its number.";

static PyObject *in_lower_case(const uint8_t *head, span value) {
    PyObject *lower = PyBytes_FromStringAndSize((const char *)head + value.start, value.stop - value.start);
    char *bytes = lower ? PyBytes_AsString(lower) : NULL;
    for (int32_t at = 0; bytes && at < value.stop - value.start; at++) bytes[at] = (char)byte_lower((uint8_t)bytes[at]);
    return lower;
}

static PyObject *attributes_of(const uint8_t *head, const meta_element *meta) {
    static const char *const names[META_VALUES] = {"charset", "http-equiv", "content"};
    PyObject *attributes = PyDict_New();
    for (int at = 0; attributes && at < META_VALUES; at++) {
        if (meta->value[at].start < 0) continue;
        PyObject *name = PyBytes_FromString(names[at]), *value = in_lower_case(head, meta->value[at]);
        int failed = !name || !value || PyDict_SetItem(attributes, name, value);
        Py_XDECREF(name);
        Py_XDECREF(value);
        if (failed) Py_CLEAR(attributes);
    }
    return attributes;
}

PyObject *bonmun_next_meta(PyObject *self, PyObject *args) {
    (void)self;
    const char *head;
    Py_ssize_t length;
    int position;
    meta_element meta;
    if (!PyArg_ParseTuple(args, "y#i", &head, &length, &position)) return NULL;
    if (length > INT32_MAX || position < 0) {
        PyErr_SetString(PyExc_ValueError, "head, position: must be a part of a page and an offset in it");
        return NULL;
    }
    if (!next_meta((const uint8_t *)head, (int32_t)length, position, &meta)) Py_RETURN_NONE;
    return Py_BuildValue("Ni", attributes_of((const uint8_t *)head, &meta), (int)meta.stop);
}

/* Whether a range of the buffer, or of the spill behind it, has a forbidden character. Ranges that reach beyond are cut. */
static bool is_forbidden(const Py_buffer *buffer, const Py_buffer *spill, int32_t start, int32_t stop) {
    const Py_buffer *in = start < buffer->len ? buffer : spill;
    Py_ssize_t before = in == spill ? buffer->len : 0, first = start - before, last = stop - before;
    if (last > in->len) last = in->len;
    return first >= 0 && first < last && utf8_has_forbidden((const uint8_t *)in->buf + first, (size_t)(last - first));
}

static PyObject *ranges_found(const Py_buffer *views) {
    const int32_t *start = views[0].buf, *stop = views[1].buf;
    Py_ssize_t count = views[0].len / (Py_ssize_t)sizeof(int32_t), found = 0;
    PyObject *indexes = PyBytes_FromStringAndSize(NULL, views[0].len);
    if (!indexes) return NULL;
    int32_t *to = (int32_t *)(void *)PyBytes_AsString(indexes);
    for (Py_ssize_t at = 0; at < count; at++)
        if (is_forbidden(&views[2], &views[3], start[at], stop[at])) to[found++] = (int32_t)at;
    PyObject *answer = PyBytes_FromStringAndSize((const char *)to, found * (Py_ssize_t)sizeof(int32_t));
    Py_DECREF(indexes);
    return answer;
}

PyObject *bonmun_forbidden_ranges(PyObject *self, PyObject *args) {
    (void)self;
    enum { START, STOP, BUFFER, SPILL, VIEWS };
    Py_buffer v[VIEWS];
    PyObject *answer = NULL;
    if (!PyArg_ParseTuple(args, "y*y*y*y*", &v[START], &v[STOP], &v[BUFFER], &v[SPILL])) return NULL;
    if (v[START].len == v[STOP].len) answer = ranges_found(v);
    else PyErr_SetString(PyExc_ValueError, "columns of different lengths");
    for (int at = 0; at < VIEWS; at++) PyBuffer_Release(&v[at]);
    return answer;
}

PyObject *bonmun_late_parts(PyObject *self, PyObject *source) {
    (void)self;
    char *bytes;
    Py_ssize_t length;
    late_parts found;
    bool done;
    if (PyBytes_AsStringAndSize(source, &bytes, &length)) return NULL;
    if (length > INT32_MAX / 2) {
        PyErr_SetString(PyExc_ValueError, "source: is too long for 32-bit offsets");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    done = late_parts_find((const uint8_t *)bytes, (int32_t)length, &found);
    Py_END_ALLOW_THREADS
    Py_ssize_t parts = found.part_count * (Py_ssize_t)sizeof *found.parts, places = found.place_count * (Py_ssize_t)sizeof *found.places;
    PyObject *answer = !done ? PyErr_NoMemory()
                             : Py_BuildValue("NN", PyBytes_FromStringAndSize((const char *)found.parts, parts),
                                             PyBytes_FromStringAndSize((const char *)found.places, places));
    late_parts_free(&found);
    return answer;
}
