/* Questions about the texts of blocks that the metadata asks. Include Python.h first. */
#ifndef BONMUN_BLOCKS_PY_H
#define BONMUN_BLOCKS_PY_H

extern const char bonmun_dated_blocks_doc[], bonmun_worded_blocks_doc[], bonmun_labelled_blocks_doc[], bonmun_letters_doc[];

PyObject *bonmun_dated_blocks(PyObject *self, PyObject *args);
PyObject *bonmun_worded_blocks(PyObject *self, PyObject *args);
PyObject *bonmun_labelled_blocks(PyObject *self, PyObject *args);
PyObject *bonmun_letters(PyObject *self, PyObject *args);

#endif
