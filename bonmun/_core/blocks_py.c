#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "attribute_rows.h"
#include "blocks_py.h"
#include "output_buffer.h"
#include "views_py.h"

const char bonmun_dated_blocks_doc[] =
    "dated_blocks(columns, text, first, most)\n--\n\n"
    "The blocks from one on with at most so many characters that have the first digits of a year, which may be full-width ones.\n"
    "`columns` are kind_code, chars, text_start and text_stop.";

const char bonmun_worded_blocks_doc[] =
    "worded_blocks(columns, text, first, most, words)\n--\n\n"
    "The blocks from one on with at most so many characters that contain one of the words, without regard to ASCII case; each word\n"
    "is in lower case and ends with a NUL. `columns` are those of `dated_blocks`.";

const char bonmun_labelled_blocks_doc[] =
    "labelled_blocks(columns, text, first, stop, most)\n--\n\n"
    "The blocks from `first` up to `stop` with at most so many characters that have a colon, a hyphen, `by` or a byte beyond ASCII.";

const char bonmun_letters_doc[] =
    "letters(columns, text, skipped, least, most, enough, ranges)\n--\n\n"
    "The letters of a sample of texts: the ASCII ones, then the number of a range of code points and its characters, for each that\n"
    "occurs, in order. The sample has the first `most` characters of each block with at least `least` of them and another kind than\n"
    "`skipped`, until it has `enough`. `ranges` are starts and stops, in order.";

enum { KIND, CHARS, START, STOP, COLUMNS, MOST_RANGES = 64 };

typedef struct {
    Py_buffer views[COLUMNS], text;
    Py_ssize_t taken;
    const int32_t *kind, *chars, *start, *stop;
    const uint8_t *bytes;
    int32_t count;
} text_blocks;

static void release(text_blocks *b) {
    bonmun_release_views(b->views, b->taken);
    PyBuffer_Release(&b->text);
}

/* Take the columns behind the text, which is taken already; false: an error is set. */
static bool take(text_blocks *b, PyObject *columns) {
    if (bonmun_take_views(columns, 0, COLUMNS, b->views, &b->taken)) return false;
    bool fit = true;
    for (int at = 1; at < COLUMNS; at++) fit = fit && b->views[at].len == b->views[0].len;
    b->kind = b->views[KIND].buf;
    b->chars = b->views[CHARS].buf;
    b->start = b->views[START].buf;
    b->stop = b->views[STOP].buf;
    b->bytes = b->text.buf;
    b->count = (int32_t)(b->views[0].len / (Py_ssize_t)sizeof(int32_t));
    for (int32_t at = 0; fit && at < b->count; at++)
        fit = b->start[at] >= 0 && b->start[at] <= b->stop[at] && b->stop[at] <= b->text.len;
    if (!fit) PyErr_SetString(PyExc_ValueError, "columns of different lengths, or texts out of range");
    return fit;
}

/* The length of a digit at a place, one of two ASCII digits or a full-width one; 0: there is none. */
static int32_t digit_length(const uint8_t *at, const uint8_t *end, uint8_t one, uint8_t other) {
    if (at < end && (*at == one || *at == other)) return 1;
    return end - at >= 3 && at[0] == 0xEF && at[1] == 0xBC && at[2] >= 0x90 && at[2] <= 0x99 ? 3 : 0;
}

static bool has_century(const uint8_t *at, const uint8_t *end) {
    for (; at < end; at++) {
        int32_t first = digit_length(at, end, '1', '2'), second = first ? digit_length(at + first, end, '9', '0') : 0;
        const uint8_t *third = at + first + second;
        if (second && third < end && ((*third >= '0' && *third <= '9') || *third >= 0xC0)) return true;
    }
    return false;
}

static PyObject *as_bytes(output_buffer *out) {
    PyObject *answer = out->failed ? PyErr_NoMemory() : PyBytes_FromStringAndSize((const char *)out->bytes, (Py_ssize_t)out->used);
    free(out->bytes);
    return answer;
}

PyObject *bonmun_dated_blocks(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *answer = NULL;
    text_blocks b = {.taken = 0};
    int first, most;
    if (!PyArg_ParseTuple(args, "O!y*ii", &PyTuple_Type, &columns, &b.text, &first, &most)) return NULL;
    if (take(&b, columns)) {
        output_buffer out = {0};
        for (int32_t at = first < 0 ? 0 : first; at < b.count; at++)
            if (b.chars[at] <= most && has_century(b.bytes + b.start[at], b.bytes + b.stop[at])) output_put(&out, &at, sizeof at);
        answer = as_bytes(&out);
    }
    release(&b);
    return answer;
}

PyObject *bonmun_worded_blocks(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *answer = NULL;
    Py_buffer words;
    text_blocks b = {.taken = 0};
    int first, most;
    if (!PyArg_ParseTuple(args, "O!y*iiy*", &PyTuple_Type, &columns, &b.text, &first, &most, &words)) return NULL;
    if (!attribute_words_fit(words.buf, (size_t)words.len)) {
        PyErr_SetString(PyExc_ValueError, "words: must be in lower case and each end with a NUL");
    } else if (take(&b, columns)) {
        output_buffer out = {0};
        attribute_words list;
        attribute_words_list(words.buf, (size_t)words.len, &list);
        for (int32_t at = first < 0 ? 0 : first; at < b.count; at++)
            if (b.chars[at] <= most && attribute_words_in(&list, b.bytes + b.start[at], b.stop[at] - b.start[at]))
                output_put(&out, &at, sizeof at);
        answer = as_bytes(&out);
    }
    release(&b);
    PyBuffer_Release(&words);
    return answer;
}

/* Whether a text has a colon, a hyphen, "by" or a byte beyond ASCII. */
static bool may_be_labelled(const uint8_t *at, const uint8_t *end) {
    for (; at < end; at++)
        if (*at == ':' || *at == '-' || *at >= 0x80 || ((*at | 0x20) == 'b' && end - at > 1 && (at[1] | 0x20) == 'y')) return true;
    return false;
}

PyObject *bonmun_labelled_blocks(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *answer = NULL;
    text_blocks b = {.taken = 0};
    int first, stop, most;
    if (!PyArg_ParseTuple(args, "O!y*iii", &PyTuple_Type, &columns, &b.text, &first, &stop, &most)) return NULL;
    if (take(&b, columns)) {
        output_buffer out = {0};
        for (int32_t at = first < 0 ? 0 : first; at < b.count && at < stop; at++)
            if (b.chars[at] <= most && may_be_labelled(b.bytes + b.start[at], b.bytes + b.stop[at])) output_put(&out, &at, sizeof at);
        answer = as_bytes(&out);
    }
    release(&b);
    return answer;
}

typedef struct {
    const int32_t *ranges; /* starts and stops */
    int32_t range_count, found[MOST_RANGES], order[MOST_RANGES], found_count, latin;
} letter_counts;

static void count_character(letter_counts *l, int32_t character) {
    for (int32_t at = 0; at < l->range_count && character >= l->ranges[2 * at]; at++) {
        if (character >= l->ranges[2 * at + 1]) continue;
        if (!l->found[at]++) l->order[l->found_count++] = at;
        return;
    }
}

/* A character of valid UTF-8 beyond ASCII. */
static int32_t decoded(const uint8_t *at, int32_t length) {
    int32_t character = at[0] & (0x7F >> length);
    for (int32_t next = 1; next < length; next++) character = character << 6 | (at[next] & 0x3F);
    return character;
}

/* Count the letters of the first `most` characters of a text; returns how many characters these are. */
static int32_t count_letters(letter_counts *l, const uint8_t *at, const uint8_t *end, int32_t most) {
    int32_t count = 0;
    for (int32_t length = 1; at < end && count < most; at += length, count++) {
        length = *at < 0x80 ? 1 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
        if (length > end - at) break;
        if (length > 1) count_character(l, decoded(at, length));
        else l->latin += (*at | 0x20) >= 'a' && (*at | 0x20) <= 'z';
    }
    return count;
}

/* Whether a text has at least so many characters. */
static bool has_at_least(const uint8_t *at, const uint8_t *end, int32_t least) {
    for (; at < end && least; at++) least -= (*at & 0xC0) != 0x80;
    return !least;
}

static PyObject *sampled(const text_blocks *b, letter_counts *l, int skipped, int least, int most, int enough) {
    int64_t size = 0;
    for (int32_t at = 0; at < b->count && size < enough; at++) {
        const uint8_t *start = b->bytes + b->start[at], *end = b->bytes + b->stop[at];
        if (b->chars[at] < least || b->kind[at] == skipped || !has_at_least(start, end, least)) continue;
        size += count_letters(l, start, end, most);
    }
    output_buffer out = {0};
    output_put(&out, &l->latin, sizeof l->latin);
    for (int32_t at = 0; at < l->found_count; at++) {
        output_put(&out, &l->order[at], sizeof l->order[at]);
        output_put(&out, &l->found[l->order[at]], sizeof l->found[0]);
    }
    return as_bytes(&out);
}

PyObject *bonmun_letters(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *columns, *answer = NULL;
    Py_buffer ranges;
    text_blocks b = {.taken = 0};
    letter_counts l = {.latin = 0};
    int skipped, least, most, enough;
    if (!PyArg_ParseTuple(args, "O!y*iiiiy*", &PyTuple_Type, &columns, &b.text, &skipped, &least, &most, &enough, &ranges)) return NULL;
    Py_ssize_t count = ranges.len / (Py_ssize_t)(2 * sizeof(int32_t));
    if (count > MOST_RANGES || least < 0 || (ranges.len && (uintptr_t)ranges.buf % sizeof(int32_t))) {
        PyErr_SetString(PyExc_ValueError, "ranges: must be at most 64 pairs of numbers");
    } else if (take(&b, columns)) {
        l.ranges = ranges.buf;
        l.range_count = (int32_t)count;
        answer = sampled(&b, &l, skipped, least, most, enough);
    }
    release(&b);
    PyBuffer_Release(&ranges);
    return answer;
}
