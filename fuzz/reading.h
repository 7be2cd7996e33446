/* One reading of a source as the Python side does it, with its columns held against what they promise. */
#ifndef BONMUN_FUZZ_READING_H
#define BONMUN_FUZZ_READING_H

#include <stdint.h>

#include "tree.h"

typedef struct {
    int32_t nodes, depth, attributes;
    double seconds;
} limits;

/* As in bonmun/limits.py. */
#define DEFAULT_LIMITS ((limits){2000000, 512, 256, 30.0})

typedef struct {
    read_result result;
    double cpu_seconds; /* for the reading alone: no checks */
} reading_report;

/* Reads and checks. A broken promise is said on stderr and aborts. */
reading_report reading_run(const uint8_t *source, int32_t length, limits most);

#endif
