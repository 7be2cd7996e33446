#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attribute_rows.h"
#include "judge_py.h"
#include "mark_rows.h"
#include "nodes_py.h"
#include "one_call_py.h"
#include "reading_py.h"
#include "recipe_signs.h"
#include "roles.h"
#include "rules_py.h"
#include "views_py.h"
#include "writers_py.h"

const char bonmun_read_and_judge_doc[] =
    "read_and_judge(reading, judging, seconds, notes, displayed, role_tags, poor)\n--\n\n"
    "An ordinary page with its verdicts: what `read_ordinary` returns for the arguments `reading`, and behind it, for a page that\n"
    "needs nothing of Python in between, its nodes as `nodes` holds them, its `writer_page`, what `judge` returns, and the kept\n"
    "blocks if all rules are applied and none is kept in part; else None. The name of the limit exceeded, also where judging takes\n"
    "longer than `seconds`.\n\n"
    "`judging`: model, signs, weights of recall, beta. `notes`: the page's URL without a fragment and the targets for `mark_rows`,\n"
    "words of attributes that name sidenotes. `displayed`: for each tag ROLE_BLOCK or 0; `role_tags`: for each ARIA role a tag or -1.\n"
    "`poor`: a page that shows at most so many characters is searched for more.";

/* What was read, borrowed from the answer of `read_ordinary`. */
typedef struct {
    PyObject *source, *columns, *spill, *roles, *blocks, *text, *tables;
    const int32_t *numbers; /* of the attributes of model/attributes.py */
} page_read;

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Whether the answer has blocks; the parts are what `read_columns` and `bonmun_block_answer` build. */
static bool take_read(PyObject *answer, PyObject *reading, page_read *page) {
    PyObject *segmented = PyTuple_Check(answer) ? PyTuple_GetItem(answer, 1) : NULL;
    if (!segmented || !PyTuple_Check(segmented)) return false;
    PyObject *read = PyTuple_GetItem(answer, 0), *facts = PyTuple_GetItem(read, 4);
    *page = (page_read){PyTuple_GetItem(reading, 0), PyTuple_GetItem(read, 0), PyTuple_GetItem(read, 1), PyTuple_GetItem(facts, 3),
                        PyTuple_GetItem(segmented, 0), PyTuple_GetItem(segmented, 1), PyTuple_GetItem(segmented, 2), NULL};
    page->numbers = (const int32_t *)(void *)PyBytes_AsString(PyTuple_GetItem(facts, 1));
    return true;
}

/* Whether a page has links that may be marks of footnotes, or labels of sidenotes: -1 where memory ran out. */
static int may_have_notes(const node_view *nodes, const int32_t *numbers, const Py_buffer *notes) {
    enum { URL, TARGETS, SIDENOTES };
    int32_t count = 0;
    if (numbers[KNOWN_FOR] >= 0) {
        free(attribute_rows(nodes, 0, nodes->rows, numbers[KNOWN_FOR], notes[SIDENOTES].buf, (size_t)notes[SIDENOTES].len, &count));
        if (count) return count < 0 ? -1 : 1;
    }
    if (numbers[KNOWN_HREF] < 0) return 0;
    mark_rules rules = {notes[URL].buf, (int32_t)notes[URL].len, numbers[KNOWN_HREF], notes[TARGETS].buf, (size_t)notes[TARGETS].len};
    free(mark_rows(nodes, &rules, &count));
    return count < 0 ? -1 : count > 0;
}

/* Whether a page has what a method has to look at in Python before it judges; -1: a Python error is set. */
static int needs_python(const node_view *nodes, const page_read *page, PyObject *notes) {
    Py_buffer views[3];
    Py_ssize_t taken = 0;
    int needs = -1;
    for (; taken < 3; taken++)
        if (PyObject_GetBuffer(PyTuple_GetItem(notes, taken), &views[taken], PyBUF_SIMPLE)) break;
    if (taken == 3 && !attribute_words_fit(views[2].buf, (size_t)views[2].len)) {
        PyErr_SetString(PyExc_ValueError, "sidenotes: must be words in lower case, each with a NUL at its end");
    } else if (taken == 3) {
        Py_BEGIN_ALLOW_THREADS
        needs = may_be_recipe(nodes, page->numbers[KNOWN_TYPE], page->numbers[KNOWN_ITEMTYPE]);
        if (!needs) needs = may_have_notes(nodes, page->numbers, views);
        Py_END_ALLOW_THREADS
        if (needs < 0) PyErr_NoMemory();
    }
    bonmun_release_views(views, taken);
    return needs;
}

/* The first of some numbers in order that is not below another. */
static int32_t place_of(const int32_t *numbers, int32_t count, int32_t number) {
    int32_t first = 0;
    while (first < count) {
        int32_t middle = first + (count - first) / 2;
        if (numbers[middle] < number) first = middle + 1;
        else count = middle;
    }
    return first;
}

/* The blocks of the outermost data tables, for the argument `units` of `judge`. */
typedef struct {
    int32_t *blocks, *stops, count, stop_count;
} table_columns;

/* The twin of `tables` and `table_columns` of methods/learned/tables.py. 1: a table has hidden blocks or buttons, which Python looks
 * at; -1: no memory. */
static int find_tables(const node_view *nodes, const Py_buffer *tables, const Py_buffer *first, const Py_buffer *flags, table_columns *c) {
    const int32_t *rows = tables->buf, *flag = flags->buf;
    int32_t count = (int32_t)(first->len / 4), end = 0, row_count = (int32_t)(tables->len / 4);
    c->blocks = malloc(((size_t)count + 1) * sizeof *c->blocks);
    c->stops = malloc((2 * (size_t)row_count + 1) * sizeof *c->stops);
    if (!c->blocks || !c->stops) return -1;
    for (int32_t at = 0; at < row_count; at++) {
        if (rows[at] < end || rows[at] >= nodes->rows) continue;
        end = nodes->end[rows[at]];
        int32_t start = place_of(first->buf, count, rows[at]), stop = place_of(first->buf, count, end);
        if (stop - start < 2) continue;
        for (int32_t block = start; block < stop; block++) {
            if (flag[block]) return 1;
            c->blocks[c->count++] = block;
        }
        c->stops[c->stop_count++] = c->count;
        c->stops[c->stop_count++] = c->count;
    }
    return 0;
}

static PyObject *as_bytes(const int32_t *numbers, int32_t count) {
    return PyBytes_FromStringAndSize((const char *)numbers, count * (Py_ssize_t)sizeof *numbers);
}

/* The argument `units` of `judge`; None: Python has to find it. NULL: a Python error is set. */
static PyObject *units_of(const node_view *nodes, const page_read *page) {
    PyObject *columns[] = {page->tables, PyTuple_GetItem(page->blocks, BLOCK_FIRST), PyTuple_GetItem(page->blocks, BLOCK_FLAGS)};
    Py_buffer views[3];
    Py_ssize_t taken = 0;
    PyObject *units = NULL;
    table_columns c = {0};
    for (; taken < 3; taken++)
        if (PyObject_GetBuffer(columns[taken], &views[taken], PyBUF_SIMPLE)) break;
    int found = taken == 3 && views[0].len ? find_tables(nodes, &views[0], &views[1], &views[2], &c) : 0;
    if (found < 0) PyErr_NoMemory();
    else if (found) units = Py_NewRef(Py_None);
    else if (taken == 3) units = Py_BuildValue("NN", as_bytes(c.blocks, c.count), as_bytes(c.stops, c.stop_count));
    free(c.blocks);
    free(c.stops);
    bonmun_release_views(views, taken);
    return units;
}

/* A tuple with the items of another one from a place on. NULL: a Python error is set. */
static PyObject *with_items(PyObject *tuple, Py_ssize_t first, PyObject *items) {
    Py_ssize_t count = PyTuple_Size(tuple), stop = first + PyTuple_Size(items);
    PyObject *made = PyTuple_New(count);
    for (Py_ssize_t at = 0; made && at < count; at++) {
        PyObject *item = at < first || at >= stop ? PyTuple_GetItem(tuple, at) : PyTuple_GetItem(items, at - first);
        if (PyTuple_SetItem(made, at, Py_NewRef(item))) Py_CLEAR(made);
    }
    return made;
}

/* The kinds and levels of the blocks with those that ARIA roles give them, in place of their own. NULL: a Python error is set. */
static PyObject *shown_blocks_of(PyObject *held, const page_read *page) {
    if (!PyBytes_Size(page->roles)) return Py_NewRef(page->blocks);
    PyObject *args = Py_BuildValue("OOOi", held, page->blocks, page->roles, (int)page->numbers[KNOWN_ARIA_LEVEL]);
    PyObject *kinds = args ? bonmun_role_kinds(NULL, args) : NULL, *shown = NULL;
    Py_XDECREF(args);
    if (kinds == Py_None) shown = Py_NewRef(page->blocks);
    else if (kinds) shown = with_items(page->blocks, BLOCK_KIND_CODE, kinds);
    Py_XDECREF(kinds);
    return shown;
}

/* The bytes of a column, to be changed. NULL: a Python error is set. */
static PyObject *copy_of(PyObject *column) {
    Py_buffer view;
    if (PyObject_GetBuffer(column, &view, PyBUF_SIMPLE)) return NULL;
    PyObject *copy = PyBytes_FromStringAndSize(view.buf, view.len);
    PyBuffer_Release(&view);
    return copy;
}

static void put_role_tags(const role_row *roles, Py_ssize_t count, const int32_t *tag_of_role, PyObject *tags) {
    int32_t *tag = (int32_t *)(void *)PyBytes_AsString(tags);
    for (Py_ssize_t at = 0; at < count; at++)
        if (tag_of_role[roles[at].role] >= 0) tag[roles[at].row] = tag_of_role[roles[at].role];
}

/* The columns of the nodes with the tags of ARIA roles, by number of a role, -1 for one without. NULL: a Python error is set. */
static PyObject *shown_nodes_of(const page_read *page, PyObject *role_tags) {
    enum { TAG = 1 };
    const role_row *roles = (const role_row *)(const void *)PyBytes_AsString(page->roles);
    Py_ssize_t count = PyBytes_Size(page->roles) / (Py_ssize_t)sizeof *roles;
    if (!count) return Py_NewRef(page->columns);
    if (PyBytes_Size(role_tags) != ARIA_ROLES * (Py_ssize_t)sizeof(int32_t)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "role_tags: must hold one 32-bit number per role");
        return NULL;
    }
    PyObject *tags = copy_of(PyTuple_GetItem(page->columns, TAG)), *one = tags ? PyTuple_Pack(1, tags) : NULL;
    if (one) put_role_tags(roles, count, (const int32_t *)(const void *)PyBytes_AsString(role_tags), tags);
    PyObject *shown = one ? with_items(page->columns, TAG, one) : NULL;
    Py_XDECREF(tags);
    Py_XDECREF(one);
    return shown;
}

static PyObject *numbers_of(const page_read *page, int first, int count) { return as_bytes(page->numbers + first, count); }

/* None where Python has to find the tables. NULL: a Python error is set. */
static PyObject *judge_page_of(const node_view *nodes, const page_read *page, PyObject *shown, PyObject *judging, double seconds) {
    PyObject *model, *signs, *recalls, *args = NULL, *answer = NULL, *units = units_of(nodes, page);
    double beta;
    if (!units || units == Py_None) return units;
    if (PyArg_ParseTuple(judging, "OOOd", &model, &signs, &recalls, &beta))
        args = Py_BuildValue("OO(OOON)OO(OOiii)Oddi", page->columns, page->blocks, page->source, page->spill, page->text,
                             numbers_of(page, KNOWN_FIRST_NAMING, NAMING_ATTRIBUTES), model, signs, recalls,
                             PyTuple_GetItem(shown, BLOCK_KIND_CODE), 1, 0, (int)page->numbers[KNOWN_HREF], units, beta, seconds, 0);
    if (args) answer = bonmun_judge(NULL, args);
    Py_XDECREF(args);
    Py_DECREF(units);
    return answer;
}

/* `shown`: the blocks. NULL: a Python error is set. */
static PyObject *writer_page_of(const page_read *page, PyObject *shown, PyObject *displayed, PyObject *role_tags) {
    PyObject *columns = shown_nodes_of(page, role_tags), *args = NULL, *made = NULL;
    if (columns)
        args = Py_BuildValue("OOOOOONO", columns, shown, page->source, page->spill, page->text, page->tables,
                             numbers_of(page, KNOWN_FIRST_WRITTEN, WRITER_NAME_COUNT), displayed);
    if (args) made = bonmun_writer_page(NULL, args);
    Py_XDECREF(columns);
    Py_XDECREF(args);
    return made;
}

/* Whether the blocks have more characters than these. */
static int shows_more(const page_read *page, long long poor) {
    Py_buffer chars;
    if (PyObject_GetBuffer(PyTuple_GetItem(page->blocks, BLOCK_CHARS), &chars, PyBUF_SIMPLE)) return -1;
    const int32_t *of_block = chars.buf;
    for (Py_ssize_t at = 0; poor >= 0 && at < chars.len / (Py_ssize_t)sizeof *of_block; at++) poor -= of_block[at];
    PyBuffer_Release(&chars);
    return poor < 0;
}

static PyObject *held_of(const page_read *page) {
    PyObject *args = PyTuple_Pack(3, page->columns, page->source, page->spill);
    PyObject *held = args ? bonmun_nodes(NULL, args) : NULL;
    Py_XDECREF(args);
    return held;
}

/* The kept blocks; None if a rule is left, or blocks are kept in part. NULL: a Python error is set. */
static PyObject *kept_of(PyObject *verdicts) {
    enum { KEEP = 1, FINDINGS = 12, STEP = 0, ROWS = 3 };
    if (!PyTuple_Check(verdicts)) return Py_NewRef(Py_None);
    PyObject *findings = PyTuple_GetItem(verdicts, FINDINGS);
    if (PyLong_AsLong(PyTuple_GetItem(findings, STEP)) != STEP_DONE || PyBytes_Size(PyTuple_GetItem(findings, ROWS)))
        return Py_NewRef(Py_None);
    PyObject *args = PyTuple_Pack(1, PyTuple_GetItem(verdicts, KEEP)), *kept = args ? bonmun_kept_blocks(NULL, args) : NULL;
    Py_XDECREF(args);
    return kept;
}

/* The constant arguments from Python, and the seconds that are left. */
typedef struct {
    PyObject *judging, *notes, *displayed, *role_tags;
    double seconds;
} call_rules;

/* The rest of the answer for a page that needs no look by Python; None where it has to go on. NULL: a Python error is set. */
static PyObject *judged(PyObject *held, const node_view *nodes, const page_read *page, const call_rules *rules) {
    PyObject *shown = shown_blocks_of(held, page), *written = NULL, *kept = NULL, *answer = NULL;
    PyObject *verdicts = shown ? judge_page_of(nodes, page, shown, rules->judging, rules->seconds) : NULL;
    if (verdicts && verdicts != Py_None) {
        written = writer_page_of(page, shown, rules->displayed, rules->role_tags);
        kept = written ? kept_of(verdicts) : NULL;
    }
    if (verdicts == Py_None) answer = Py_NewRef(Py_None);
    else if (kept) answer = PyTuple_Pack(4, held, written, verdicts, kept);
    Py_XDECREF(shown);
    Py_XDECREF(verdicts);
    Py_XDECREF(written);
    Py_XDECREF(kept);
    return answer;
}

static PyObject *rest_of(const page_read *page, const call_rules *rules) {
    PyObject *held = held_of(page), *answer = NULL;
    const node_view *nodes = held ? bonmun_held_nodes(held) : NULL;
    int needs = nodes ? needs_python(nodes, page, rules->notes) : -1;
    if (needs > 0) answer = Py_NewRef(Py_None);
    else if (!needs) answer = judged(held, nodes, page, rules);
    Py_XDECREF(held);
    return answer;
}

PyObject *bonmun_read_and_judge(PyObject *self, PyObject *args) {
    PyObject *reading;
    call_rules rules;
    long long poor;
    if (!PyArg_ParseTuple(args, "O!O!dO!OSL", &PyTuple_Type, &reading, &PyTuple_Type, &rules.judging, &rules.seconds, &PyTuple_Type,
                          &rules.notes, &rules.displayed, &rules.role_tags, &poor)) return NULL;
    if (PyTuple_Size(rules.notes) != 3) {
        PyErr_SetString(PyExc_ValueError, "notes: must be a URL, targets and words");
        return NULL;
    }
    rules.seconds += now(); /* what is left of it is known when the page is read */
    page_read page;
    PyObject *read = bonmun_read_ordinary(self, reading), *rest = NULL;
    if (!read || !PyTuple_Check(read)) return read;
    rules.seconds -= now();
    double deadline = now() + rules.seconds;
    int shown = take_read(read, reading, &page) ? shows_more(&page, poor) : 0;
    if (shown > 0) rest = rest_of(&page, &rules);
    else if (!shown) rest = Py_NewRef(Py_None);
    PyObject *answer = NULL;
    if (rest && now() >= deadline) answer = PyUnicode_FromString("seconds");
    else if (rest) answer = PyTuple_Pack(3, PyTuple_GetItem(read, 0), PyTuple_GetItem(read, 1), rest);
    Py_DECREF(read);
    Py_XDECREF(rest);
    return answer;
}
