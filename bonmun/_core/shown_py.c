#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>

#include "addresses.h"
#include "constants_table.h"
#include "shown_signs.h"
#include "writers_py.h"

const char bonmun_shown_signs_doc[] =
    "shown_signs(page, kept, near, media, lazy, words, bases)\n--\n\n"
    "What a document may show beside its kept blocks: whether there may be media among the rows of `near`, by a byte of each tag and\n"
    "the names of attributes; whether a kept picture may have a caption, by words; the kept pictures, for each 1 if it has an address,\n"
    "0 if it has none, 2 where Python has to look; and blocks with a text and a picture between kept ones, each behind the last of these.";

enum { KEPT, MEDIA, LAZY, WORDS, SCHEME, ROOT, FOLDER, OWN, VIEWS };

typedef struct {
    Py_buffer views[VIEWS];
    address_bases bases;
    media_search search;
    const int32_t *kept;
    int32_t count;
    int32_t *pictures, *between; /* the latter in pairs */
    char *known;
    int32_t picture_count, between_count;
    bool media, captions;
} signs_task;

static attribute_value value(const Py_buffer *view) { return (attribute_value){view->buf, (int32_t)view->len}; }

/* Whether the arguments fit the page; an error is set otherwise. */
static bool signs_fit(signs_task *t, const writer_page *page, PyObject *bases) {
    Py_buffer *v = t->views;
    outline_input input = {0};
    if (!page || !bonmun_blocks_fit(page, &v[KEPT], &input)) return false;
    bool fit = t->search.first >= 0 && t->search.first <= t->search.stop && t->search.stop <= page->nodes.rows &&
               attribute_words_fit(v[WORDS].buf, (size_t)v[WORDS].len);
    for (int32_t at = 0; at < input.count; at++) fit = fit && input.shown[at] > (at ? input.shown[at - 1] : -1);
    if (!fit) {
        PyErr_SetString(PyExc_ValueError, "kept, near, words: must be blocks in order, rows of the page, and words in lower case");
        return false;
    }
    t->kept = input.shown;
    t->count = input.count;
    t->search.media = v[MEDIA].buf;
    t->search.tags = (int32_t)v[MEDIA].len;
    t->search.lazy = v[LAZY].buf;
    t->search.lazy_count = (size_t)v[LAZY].len;
    if (bases != Py_None && !PyArg_ParseTuple(bases, "y*y*y*y*", &v[SCHEME], &v[ROOT], &v[FOLDER], &v[OWN])) return false;
    t->bases = (address_bases){value(&v[SCHEME]), value(&v[ROOT]), value(&v[FOLDER]), value(&v[OWN]), bases == Py_None};
    return true;
}

static void find_pictures(signs_task *t, const writer_page *page) {
    attribute_words words;
    output_buffer scratch = {0};
    attribute_words_list(t->views[WORDS].buf, (size_t)t->views[WORDS].len, &words);
    for (int32_t at = 0; at < t->count; at++) {
        int32_t block = t->kept[at];
        if (page->kind[block] != KIND_IMAGE) continue;
        t->known[t->picture_count] = (char)picture_in_block(page, &t->bases, block, &scratch);
        t->pictures[t->picture_count++] = block;
        t->captions = t->captions || may_have_caption(page, block, &words);
    }
    free(scratch.bytes);
}

static void find_between(signs_task *t, const writer_page *page) {
    for (int32_t at = 1; at < t->count; at++) {
        if (t->kept[at] - t->kept[at - 1] > CAPTION_GAP) continue;
        for (int32_t block = t->kept[at - 1] + 1; block < t->kept[at]; block++) {
            if (!has_text_and_picture(page, block)) continue;
            t->between[2 * t->between_count] = t->kept[at - 1];
            t->between[2 * t->between_count++ + 1] = block;
        }
    }
}

static PyObject *found(signs_task *t, const writer_page *page) {
    t->pictures = malloc(((size_t)t->count + 1) * sizeof *t->pictures);
    t->known = malloc((size_t)t->count + 1);
    t->between = malloc(((size_t)t->count * CAPTION_GAP + 1) * 2 * sizeof *t->between);
    PyObject *answer = NULL;
    if (t->pictures && t->known && t->between) {
        Py_BEGIN_ALLOW_THREADS
        find_pictures(t, page);
        find_between(t, page);
        t->media = may_show_media(page, &t->search);
        Py_END_ALLOW_THREADS
        answer = Py_BuildValue("NNy#y#y#", PyBool_FromLong(t->media), PyBool_FromLong(t->captions), t->pictures,
                               (Py_ssize_t)t->picture_count * 4, t->known, (Py_ssize_t)t->picture_count, t->between,
                               (Py_ssize_t)t->between_count * 8);
    } else {
        PyErr_NoMemory();
    }
    free(t->pictures);
    free(t->known);
    free(t->between);
    return answer;
}

PyObject *bonmun_shown_signs(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *capsule, *bases, *answer = NULL;
    signs_task t = {.count = 0};
    Py_buffer *v = t.views;
    if (!PyArg_ParseTuple(args, "Oy*(ii)y*y*y*O", &capsule, &v[KEPT], &t.search.first, &t.search.stop, &v[MEDIA], &v[LAZY],
                          &v[WORDS], &bases))
        return NULL;
    const writer_page *page = bonmun_held_page(capsule);
    if (signs_fit(&t, page, bases)) answer = found(&t, page);
    for (int at = 0; at < VIEWS; at++) PyBuffer_Release(&v[at]);
    return answer;
}
