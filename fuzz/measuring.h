/* Segments a page and computes its features, and checks their invariants. */
#ifndef BONMUN_FUZZ_MEASURING_H
#define BONMUN_FUZZ_MEASURING_H

#include "tree.h"

/* A violated invariant is printed to stderr and aborts; nothing is checked if memory runs out. */
void measuring_run(const columns *c, const store *s);

#endif
