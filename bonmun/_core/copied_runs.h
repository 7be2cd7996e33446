/* Kept texts that are on the page twice; `repeated_runs` of bonmun/methods/trimming.py is the twin. */
#ifndef BONMUN_COPIED_RUNS_H
#define BONMUN_COPIED_RUNS_H

#include "rules.h"

/* Write the kept blocks of long runs of copies to `found`, which has room for all; how many, or -1: no memory. */
int32_t find_copied_runs(const chosen_page *chosen, int32_t *found);

#endif
