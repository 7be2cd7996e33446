#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "attribute_rows.h"
#include "elements_py.h"
#include "nodes_py.h"
#include "output_buffer.h"
#include "whitespace.h"

const char bonmun_elements_doc[] =
    "elements(nodes, tag, names, needed, most)\n--\n\n"
    "A tuple of row and values of some attributes, None for a missing one, for each element with a tag (-1: any) and one of "
    "the first `needed` attributes (0: with any attributes or none); the first `most` of them.";

const char bonmun_named_contents_doc[] =
    "named_contents(nodes, tag, names, most)\n--\n\n"
    "For the first `most` elements with a tag, the values of the last of four attributes, in lists by the first value of the others,\n"
    "in lower case and without white space around it; elements without a content or name are left out.";

const char bonmun_values_above_doc[] =
    "values_above(nodes, row, inside, levels, names, words)\n--\n\n"
    "The values of the attributes of these two numbers that contain one of the words, of so many ancestors of a row, up to one that\n"
    "has the row `inside` in it. Words are those of `attribute_rows`.";

const char bonmun_marked_attributes_doc[] =
    "marked_attributes(nodes, names, lists, first, stop)\n--\n\n"
    "Row, index and place of the name, for each attribute of the rows from first up to stop that has one of these numbers and contains\n"
    "a word of the list of its number. Lists are words as those of `attribute_rows`, and each ends with another NUL.";

const char bonmun_fold_doc[] =
    "fold(text)\n--\n\n"
    "A short ASCII text in lower case, its letters and digits alone; None for any other text.";

const char bonmun_plain_doc[] =
    "plain(text)\n--\n\n"
    "A short text without markup, entities and marks of templates, white space collapsed; None for any other one, and an empty one.";

const char bonmun_worded_rows_doc[] =
    "worded_rows(nodes, rows, name, words)\n--\n\n"
    "Those of some rows whose attribute of that number has one of the words, which are as those of `attribute_rows`.";

enum { MOST_NAMES = 8, LONGEST_FOLDED = 1024, LONGEST_PLAIN = 1024, LONGEST_NAME = 256, META_NAMES = 4, CONTENT = META_NAMES - 1, MOST_LISTS = 4 };

typedef struct {
    const int32_t *names; /* of attributes, by number; -1 for one that no element has */
    int32_t count, needed, tag, most;
} wanted_elements;

/* Whether an element has one of the needed attributes; true if none is needed. */
static bool has_needed(const node_view *nodes, int32_t row, const wanted_elements *wanted) {
    bool found = !wanted->needed;
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++)
        for (int32_t number = 0; number < wanted->needed; number++) found |= nodes->attr_name[at] == wanted->names[number];
    return found;
}

/* The place of each wanted attribute, -1 for none. */
static void find_places(const node_view *nodes, int32_t row, const wanted_elements *wanted, int32_t *places) {
    for (int32_t number = 0; number < wanted->count; number++) places[number] = -1;
    for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++)
        for (int32_t number = 0; number < wanted->count; number++)
            if (nodes->attr_name[at] == wanted->names[number] && places[number] < 0) places[number] = at;
}

static PyObject *value_at(const node_view *nodes, int32_t place) {
    if (place < 0) {
        Py_INCREF(Py_None);
        return Py_None;
    }
    int32_t start = nodes->attr_start[place];
    return PyUnicode_DecodeUTF8((const char *)bytes_at(nodes, start), nodes->attr_stop[place] - start, "replace");
}

static PyObject *element_at(const node_view *nodes, int32_t row, const int32_t *places, int32_t count) {
    PyObject *element = PyTuple_New(count + 1), *number = PyLong_FromLong(row);
    if (!element || !number || PyTuple_SetItem(element, 0, number)) { /* which takes the number even where it fails */
        if (!element) Py_XDECREF(number);
        Py_XDECREF(element);
        return NULL;
    }
    for (int32_t at = 0; at < count; at++) {
        PyObject *value = value_at(nodes, places[at]);
        if (!value || PyTuple_SetItem(element, at + 1, value)) {
            Py_DECREF(element);
            return NULL;
        }
    }
    return element;
}

static PyObject *elements_found(const node_view *nodes, const wanted_elements *wanted) {
    PyObject *found = PyList_New(0);
    for (int32_t row = 0, left = wanted->most; found && left > 0 && row < nodes->rows; row++) {
        int32_t places[MOST_NAMES];
        if (wanted->tag >= 0 ? nodes->tag[row] != wanted->tag : nodes->attr_first[row] == nodes->attr_first[row + 1]) continue;
        if (!has_needed(nodes, row, wanted)) continue;
        find_places(nodes, row, wanted, places);
        PyObject *element = element_at(nodes, row, places, wanted->count);
        if (!element || PyList_Append(found, element)) Py_CLEAR(found);
        Py_XDECREF(element);
        left--;
    }
    return found;
}

PyObject *bonmun_elements(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer names;
    int tag, needed, most;
    if (!PyArg_ParseTuple(args, "Oiy*ii", &capsule, &tag, &names, &needed, &most)) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    Py_ssize_t count = names.len / (Py_ssize_t)sizeof(int32_t);
    if (nodes && (count > MOST_NAMES || needed < 0 || needed > count || (names.len && (uintptr_t)names.buf % sizeof(int32_t))))
        PyErr_SetString(PyExc_ValueError, "names: must hold at most 8 numbers of attributes, at least `needed`");
    else if (nodes) answer = elements_found(nodes, &(wanted_elements){names.buf, (int32_t)count, needed, tag, most});
    PyBuffer_Release(&names);
    return answer;
}

static bool is_blank(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r') || (byte >= 0x1C && byte <= 0x1F); }

/* A value as str.strip().lower() has it. */
static PyObject *name_at(const node_view *nodes, int32_t place) {
    const uint8_t *from = bytes_at(nodes, nodes->attr_start[place]), *end = from + nodes->attr_stop[place] - nodes->attr_start[place];
    char name[LONGEST_NAME];
    Py_ssize_t length = 0;
    while (from < end && is_blank(*from)) from++;
    while (end > from && is_blank(end[-1])) end--;
    for (; from < end && *from < 0x80 && length < LONGEST_NAME; from++)
        name[length++] = (char)(*from >= 'A' && *from <= 'Z' ? *from | 0x20 : *from);
    if (from == end) return PyUnicode_DecodeASCII(name, length, NULL);
    PyObject *value = value_at(nodes, place), *stripped = value ? PyObject_CallMethod(value, "strip", NULL) : NULL;
    PyObject *lower = stripped ? PyObject_CallMethod(stripped, "lower", NULL) : NULL;
    Py_XDECREF(value);
    Py_XDECREF(stripped);
    return lower;
}

/* Append a content to the list of its name; -1: an error is set. */
static int add_content(PyObject *contents, PyObject *name, PyObject *content) {
    PyObject *listed = PyDict_GetItemWithError(contents, name); /* borrowed */
    if (listed) return PyList_Append(listed, content);
    if (PyErr_Occurred() || !(listed = PyList_New(0))) return -1;
    int failed = PyList_Append(listed, content) || PyDict_SetItem(contents, name, listed) ? -1 : 0;
    Py_DECREF(listed);
    return failed;
}

static PyObject *named_contents(const node_view *nodes, const wanted_elements *wanted) {
    PyObject *contents = PyDict_New();
    for (int32_t row = 0, left = wanted->most; contents && left > 0 && row < nodes->rows; row++) {
        int32_t places[META_NAMES], named = -1;
        if (nodes->tag[row] != wanted->tag) continue;
        left--;
        find_places(nodes, row, wanted, places);
        for (int32_t at = META_NAMES - 1; at >= 0; at--) {
            if (places[at] >= 0 && nodes->attr_start[places[at]] >= nodes->attr_stop[places[at]]) places[at] = -1;
            if (at != CONTENT && places[at] >= 0) named = places[at];
        }
        if (named < 0 || places[CONTENT] < 0) continue;
        PyObject *name = name_at(nodes, named), *content = name ? value_at(nodes, places[CONTENT]) : NULL;
        if (!content || add_content(contents, name, content)) Py_CLEAR(contents);
        Py_XDECREF(name);
        Py_XDECREF(content);
    }
    return contents;
}

PyObject *bonmun_named_contents(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer names;
    int tag, most;
    if (!PyArg_ParseTuple(args, "Oiy*i", &capsule, &tag, &names, &most)) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    if (nodes && (names.len != META_NAMES * (Py_ssize_t)sizeof(int32_t) || (uintptr_t)names.buf % sizeof(int32_t)))
        PyErr_SetString(PyExc_ValueError, "names: must hold four numbers of attributes");
    else if (nodes) answer = named_contents(nodes, &(wanted_elements){names.buf, META_NAMES, 0, tag, most});
    PyBuffer_Release(&names);
    return answer;
}

/* Where values are searched for: below the ancestor with a row in it. */
typedef struct {
    int row, inside, levels, names[2];
} wanted_above;

static PyObject *values_above(const node_view *nodes, const wanted_above *wanted, const attribute_words *words) {
    PyObject *values = PyList_New(0);
    int32_t row = nodes->parent[wanted->row];
    for (int left = wanted->levels; values && left > 0 && row >= 0 && row < nodes->rows; left--, row = nodes->parent[row]) {
        if (row <= wanted->inside && wanted->inside < nodes->end[row]) break;
        for (int32_t at = nodes->attr_first[row]; values && at < nodes->attr_first[row + 1]; at++) {
            if (nodes->attr_name[at] != wanted->names[0] && nodes->attr_name[at] != wanted->names[1]) continue;
            int32_t start = nodes->attr_start[at];
            if (!attribute_words_in(words, bytes_at(nodes, start), nodes->attr_stop[at] - start)) continue;
            PyObject *value = value_at(nodes, at);
            if (!value || PyList_Append(values, value)) Py_CLEAR(values);
            Py_XDECREF(value);
        }
    }
    return values;
}

PyObject *bonmun_values_above(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer words;
    wanted_above w;
    if (!PyArg_ParseTuple(args, "Oiii(ii)y*", &capsule, &w.row, &w.inside, &w.levels, &w.names[0], &w.names[1], &words)) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    if (nodes && !attribute_words_fit(words.buf, (size_t)words.len)) {
        PyErr_SetString(PyExc_ValueError, "words: must be in lower case and each end with a NUL");
    } else if (nodes && (w.row < 0 || w.row >= nodes->rows)) {
        PyErr_SetString(PyExc_IndexError, "no such row");
    } else if (nodes) {
        attribute_words list;
        attribute_words_list(words.buf, (size_t)words.len, &list);
        answer = values_above(nodes, &w, &list);
    }
    PyBuffer_Release(&words);
    return answer;
}

typedef struct {
    const int32_t *names;
    int32_t count;
    attribute_words words[MOST_LISTS];
} word_lists;

/* Prepare one list of words for each name; false: they do not fit. */
static bool take_lists(word_lists *lists, const uint8_t *words, size_t length) {
    size_t start = 0;
    for (int32_t at = 0; at < lists->count; at++) {
        size_t end = start;
        while (end < length && (words[end] || end == start || words[end - 1])) end++;
        if (end >= length || !attribute_words_fit(words + start, end - start)) return false;
        attribute_words_list(words + start, end - start, &lists->words[at]);
        start = end + 1;
    }
    return start == length;
}

static void find_marked(const node_view *nodes, const word_lists *lists, int32_t row, int32_t stop, output_buffer *out) {
    for (; row < stop; row++) {
        for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++) {
            int32_t name = 0, start = nodes->attr_start[at];
            while (name < lists->count && lists->names[name] != nodes->attr_name[at]) name++;
            if (name == lists->count) continue;
            if (!attribute_words_in(&lists->words[name], bytes_at(nodes, start), nodes->attr_stop[at] - start)) continue;
            output_put(out, &(int32_t[]){row, at, name}, 3 * sizeof(int32_t));
        }
    }
}

PyObject *bonmun_marked_attributes(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer names, words;
    word_lists lists;
    int first, stop;
    if (!PyArg_ParseTuple(args, "Oy*y*ii", &capsule, &names, &words, &first, &stop)) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    Py_ssize_t count = names.len / (Py_ssize_t)sizeof(int32_t);
    lists.names = names.buf;
    lists.count = (int32_t)(count <= MOST_LISTS ? count : 0);
    if (nodes && (!lists.count || (uintptr_t)names.buf % sizeof(int32_t) || !take_lists(&lists, words.buf, (size_t)words.len))) {
        PyErr_SetString(PyExc_ValueError, "names, lists: must be one to four numbers and as many lists of words in lower case");
    } else if (nodes && (first < 0 || first > stop || stop > nodes->rows)) {
        PyErr_SetString(PyExc_ValueError, "first, stop: must be rows of the page, in order");
    } else if (nodes) {
        output_buffer out = {0};
        find_marked(nodes, &lists, first, stop, &out);
        answer = out.failed ? PyErr_NoMemory() : PyBytes_FromStringAndSize((const char *)out.bytes, (Py_ssize_t)out.used);
        free(out.bytes);
    }
    PyBuffer_Release(&names);
    PyBuffer_Release(&words);
    return answer;
}

PyObject *bonmun_fold(PyObject *self, PyObject *text) {
    (void)self;
    char folded[LONGEST_FOLDED];
    Py_ssize_t length, used = 0;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    if (!bytes && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return NULL;
    if (!bytes) PyErr_Clear(); /* a lone surrogate */
    bool plain = bytes && length <= LONGEST_FOLDED;
    for (Py_ssize_t at = 0; plain && at < length; at++) {
        uint8_t byte = (uint8_t)bytes[at], lower = byte | 0x20;
        if (lower >= 'a' && lower <= 'z') folded[used++] = (char)lower;
        else if (byte >= '0' && byte <= '9') folded[used++] = (char)byte;
        plain = byte < 0x80;
    }
    if (plain) return PyUnicode_DecodeASCII(folded, used, NULL);
    Py_INCREF(Py_None);
    return Py_None;
}

/* Whether a byte may be that of a character reference, a tag, or a field of a template. */
static bool is_special(uint8_t byte) { return byte == '&' || byte == '<' || byte == '{' || byte == '%' || byte == '['; }

PyObject *bonmun_plain(PyObject *self, PyObject *text) {
    (void)self;
    uint8_t plain[LONGEST_PLAIN + 1];
    Py_ssize_t length = 0, used = 0;
    const uint8_t *bytes = (const uint8_t *)PyUnicode_AsUTF8AndSize(text, &length);
    if (!bytes && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return NULL;
    if (!bytes) PyErr_Clear(); /* a lone surrogate */
    bool fits = bytes && length <= LONGEST_PLAIN, gap = false, same = true;
    for (Py_ssize_t at = 0; fits && at < length;) {
        int32_t space = space_length(bytes + at, (int32_t)(length - at));
        if (space) {
            gap = used > 0;
            same = same && bytes[at] == ' ';
            at += space;
            continue;
        }
        if (gap) plain[used++] = ' ';
        gap = false;
        fits = !is_special(plain[used++] = bytes[at++]);
    }
    if (fits && same && used == length && used) {
        Py_INCREF(text);
        return text;
    }
    if (fits && used) return PyUnicode_DecodeUTF8((const char *)plain, used, NULL);
    Py_INCREF(Py_None);
    return Py_None;
}

static PyObject *worded_rows(const node_view *nodes, const Py_buffer *rows, int name, const attribute_words *words) {
    PyObject *found = PyList_New(0);
    const int32_t *row = rows->buf;
    for (Py_ssize_t at = 0; found && at < rows->len / 4; at++) {
        bool worded = false;
        int32_t first = nodes->attr_first[row[at]], stop = nodes->attr_first[row[at] + 1];
        for (int32_t each = first; each < stop && !worded; each++)
            worded = nodes->attr_name[each] == name &&
                     attribute_words_in(words, bytes_at(nodes, nodes->attr_start[each]), nodes->attr_stop[each] - nodes->attr_start[each]);
        if (!worded) continue;
        PyObject *number = PyLong_FromLong(row[at]);
        if (!number || PyList_Append(found, number)) Py_CLEAR(found);
        Py_XDECREF(number);
    }
    return found;
}

static bool are_rows(const node_view *nodes, const Py_buffer *rows) {
    bool fit = rows->len % 4 == 0 && (!rows->len || (uintptr_t)rows->buf % sizeof(int32_t) == 0);
    for (Py_ssize_t at = 0; fit && at < rows->len / 4; at++) {
        int32_t row = ((const int32_t *)rows->buf)[at];
        fit = row >= 0 && row < nodes->rows;
    }
    return fit;
}

PyObject *bonmun_worded_rows(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *answer = NULL;
    Py_buffer rows, words;
    int name;
    if (!PyArg_ParseTuple(args, "Oy*iy*", &capsule, &rows, &name, &words)) return NULL;
    const node_view *nodes = bonmun_held_nodes(capsule);
    if (nodes && !(attribute_words_fit(words.buf, (size_t)words.len) && are_rows(nodes, &rows))) {
        PyErr_SetString(PyExc_ValueError, "rows, words: must be rows of the page, and words in lower case that each end with a NUL");
    } else if (nodes) {
        attribute_words list;
        attribute_words_list(words.buf, (size_t)words.len, &list);
        answer = worded_rows(nodes, &rows, name, &list);
    }
    PyBuffer_Release(&rows);
    PyBuffer_Release(&words);
    return answer;
}
