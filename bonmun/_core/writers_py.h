/* Writers for Python. Include Python.h first. */
#ifndef BONMUN_WRITERS_PY_H
#define BONMUN_WRITERS_PY_H

#include "write_text.h"

extern const char bonmun_part_texts_doc[];
extern const char bonmun_writer_page_doc[];
extern const char bonmun_write_text_doc[];
extern const char bonmun_write_markdown_doc[];
extern const char bonmun_write_html_doc[];
extern const char bonmun_json_groups_doc[];
extern const char bonmun_finish_plan_doc[];
extern const char bonmun_shown_signs_doc[];
extern const char bonmun_box_rows_doc[];

PyObject *bonmun_part_texts(PyObject *self, PyObject *args);
PyObject *bonmun_writer_page(PyObject *self, PyObject *args);
PyObject *bonmun_write_text(PyObject *self, PyObject *args);
PyObject *bonmun_write_markdown(PyObject *self, PyObject *args);
PyObject *bonmun_write_html(PyObject *self, PyObject *args);
PyObject *bonmun_json_groups(PyObject *self, PyObject *args);
PyObject *bonmun_finish_plan(PyObject *self, PyObject *args);
PyObject *bonmun_shown_signs(PyObject *self, PyObject *args);
PyObject *bonmun_box_rows(PyObject *self, PyObject *args);

/* The page in a capsule of `writer_page`; NULL: an error is set. */
const writer_page *bonmun_held_page(PyObject *capsule);
/* Whether a buffer is aligned as a column. */
bool bonmun_is_column(const Py_buffer *view);
/* Whether all blocks shown are of the page, and the nesting of the input is allowed; an error is set otherwise. */
bool bonmun_blocks_fit(const writer_page *page, const Py_buffer *shown, outline_input *input);
/* Whether texts are given for places in order; an error is set otherwise. */
bool bonmun_given_fit(const Py_buffer *places, const Py_buffer *starts, const Py_buffer *texts, given_texts *given);

#endif
