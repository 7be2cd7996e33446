/* Python bindings of overrule.h. Include Python.h first. */
#ifndef BONMUN_RULES_PY_H
#define BONMUN_RULES_PY_H

#include "overrule.h"

PyObject *bonmun_rule_signs(PyObject *self, PyObject *args);
PyObject *bonmun_overrule(PyObject *self, PyObject *args);
PyObject *bonmun_kept_blocks(PyObject *self, PyObject *args);
extern const char bonmun_rule_signs_doc[], bonmun_overrule_doc[], bonmun_kept_blocks_doc[];

/* What a capsule of `rule_signs` holds; NULL: a Python error is set. */
const rule_signs *bonmun_signs_of(PyObject *capsule);
/* The step where the rules stopped with what they found for Python; NULL: a Python error is set. */
PyObject *bonmun_findings_value(const rule_findings *findings);
void bonmun_free_findings(rule_findings *findings); /* whose blocks Python's allocator gave */

#endif
