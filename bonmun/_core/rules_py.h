/* Python bindings of rules.h. Include Python.h first. */
#ifndef BONMUN_RULES_PY_H
#define BONMUN_RULES_PY_H

PyObject *bonmun_end_of_text(PyObject *self, PyObject *args);
PyObject *bonmun_text_ends(PyObject *self, PyObject *args);
PyObject *bonmun_gaps(PyObject *self, PyObject *args);
PyObject *bonmun_callout_titles(PyObject *self, PyObject *args);
PyObject *bonmun_linked_headings(PyObject *self, PyObject *args);
PyObject *bonmun_pictures(PyObject *self, PyObject *args);
extern const char bonmun_end_of_text_doc[], bonmun_text_ends_doc[], bonmun_gaps_doc[], bonmun_callout_titles_doc[],
    bonmun_linked_headings_doc[], bonmun_pictures_doc[];

#endif
