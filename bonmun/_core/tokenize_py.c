#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "tokenize_py.h"

#include <string.h>

#include "tags_table.h"
#include "tokenizer.h"

typedef struct {
    store store;
    names tags, attribute_names;
    tokenizer tokenizer;
} session;

static PyObject *text_at(const session *s, span where) {
    if (where.start < 0) {
        Py_RETURN_NONE;
    }
    Py_ssize_t length = where.stop - where.start;
    const char *start = length > 0 ? (const char *)store_at(&s->store, where.start) : "";
    return PyUnicode_DecodeUTF8(start, length, "surrogatepass");
}

static PyObject *name_at(const names *n, int32_t number) {
    const char *start = (const char *)n->bytes + n->starts[number];
    return PyUnicode_DecodeUTF8(start, n->starts[number + 1] - n->starts[number], "surrogatepass");
}

static PyObject *attributes_of(const session *s, const token *now) {
    PyObject *pairs = PyTuple_New(now->attribute_count);
    for (int32_t i = 0; pairs != NULL && i < now->attribute_count; i++) {
        const attribute_columns *all = &s->tokenizer.attributes;
        int32_t at = now->attribute_first + i;
        span value = {all->start[at], all->stop[at]};
        PyObject *pair = Py_BuildValue("NN", name_at(&s->attribute_names, all->name[at]), text_at(s, value));
        if (pair == NULL || PyTuple_SetItem(pairs, i, pair) < 0) {
            Py_DECREF(pairs);
            return NULL;
        }
    }
    return pairs;
}

static PyObject *make_token(const session *s, const token *now) {
    int start = now->start, stop = now->stop;
    switch (now->kind) {
    case TOKEN_TEXT:
        return Py_BuildValue("siiNNNN", "text", start, stop, text_at(s, now->text), PyBool_FromLong(now->blank),
                             PyBool_FromLong(now->has_nul), PyBool_FromLong(now->text.start >= s->store.length));
    case TOKEN_START:
        return Py_BuildValue("siiNNNi", "start", start, stop, name_at(&s->tags, now->tag), attributes_of(s, now),
                             PyBool_FromLong(now->self_closing), (int)now->attributes_cut);
    case TOKEN_END:
        return Py_BuildValue("siiN", "end", start, stop, name_at(&s->tags, now->tag));
    case TOKEN_COMMENT:
        return Py_BuildValue("siiN", "comment", start, stop, text_at(s, now->text));
    case TOKEN_DOCTYPE:
        return Py_BuildValue("siiNNNN", "doctype", start, stop, text_at(s, now->name), text_at(s, now->public_id),
                             text_at(s, now->system_id), PyBool_FromLong(now->force_quirks));
    case TOKEN_END_OF_FILE:
    case TOKEN_FAILED:
        break;
    }
    return PyErr_NoMemory();
}

static PyObject *all_tokens(session *s) {
    PyObject *tokens = PyList_New(0);
    token now;
    for (tokenizer_next(&s->tokenizer, &now); tokens != NULL; tokenizer_next(&s->tokenizer, &now)) {
        if (now.kind == TOKEN_END_OF_FILE) {
            return tokens;
        }
        PyObject *object = make_token(s, &now);
        if (object == NULL || PyList_Append(tokens, object) < 0) {
            Py_CLEAR(tokens);
        }
        Py_XDECREF(object);
    }
    return NULL;
}

static int model_of(const char *name) {
    static const char *const models[] = {"data", "rcdata", "rawtext", "script", "plaintext", "cdata"};
    for (int i = 0; i < (int)(sizeof models / sizeof *models); i++) {
        if (strcmp(models[i], name) == 0) {
            return i;
        }
    }
    PyErr_Format(PyExc_ValueError, "unknown content model '%s'", name);
    return -1;
}

static PyObject *run(session *s, content_model model, const char *last_start_tag) {
    int32_t raw_tag = -1;
    if (last_start_tag != NULL) {
        raw_tag = names_intern(&s->tags, (const uint8_t *)last_start_tag, (int32_t)strlen(last_start_tag));
    }
    tokenizer_set_content_model(&s->tokenizer, model, raw_tag);
    return all_tokens(s);
}

PyObject *bonmun_tokenize(PyObject *self, PyObject *args) {
    const char *source, *model_name = "data", *last_start_tag = NULL;
    Py_ssize_t length;
    int in_foreign = 0, most_attributes = 256;
    (void)self;
    if (!PyArg_ParseTuple(args, "y#|szpi", &source, &length, &model_name, &last_start_tag, &in_foreign,
                          &most_attributes)) {
        return NULL;
    }
    int model = model_of(model_name);
    if (model < 0) {
        return NULL;
    }
    if (length > INT32_MAX - 64) {
        return PyErr_Format(PyExc_ValueError, "the source is too long for 32-bit offsets");
    }
    session s = {0};
    store_init(&s.store, (const uint8_t *)source, (int32_t)length);
    PyObject *tokens = NULL;
    if (names_init(&s.tags, tag_names, TAG_COUNT) < 0 || names_init(&s.attribute_names, NULL, 0) < 0 ||
        tokenizer_init(&s.tokenizer, &s.store, &s.tags, &s.attribute_names, most_attributes) < 0) {
        PyErr_NoMemory();
    } else {
        s.tokenizer.in_foreign = in_foreign != 0;
        tokens = run(&s, (content_model)model, last_start_tag);
    }
    tokenizer_free(&s.tokenizer);
    names_free(&s.attribute_names);
    names_free(&s.tags);
    store_free(&s.store);
    return tokens;
}
