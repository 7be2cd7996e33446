/* What is made of columns: blocks and their features, held against what they promise. */
#ifndef BONMUN_FUZZ_MEASURING_H
#define BONMUN_FUZZ_MEASURING_H

#include "tree.h"

/* A broken promise is said on stderr and aborts; where memory is short nothing is checked. */
void measuring_run(const columns *c, const store *s);

#endif
