/* Python binding of the tokenizer, for the conformance tests. Include Python.h first. */
#ifndef BONMUN_TOKENIZE_PY_H
#define BONMUN_TOKENIZE_PY_H

/* tokenize(source: bytes, model="data", last_start_tag=None, in_foreign=False, most_attributes=256) -> list of tuples
 *
 * Each tuple is (kind, start, stop, …), with the token's offsets in the source:
 *   ("text", …, characters, blank, has_nul, spilled), spilled: decoded into the spill;
 *   ("start", …, name, ((name, value), …), self_closing, attributes_cut);
 *   ("end", …, name); ("comment", …, data);
 *   ("doctype", …, name, public_id, system_id, force_quirks), None where missing. */
PyObject *bonmun_tokenize(PyObject *self, PyObject *args);

#endif
