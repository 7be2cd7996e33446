/* Reads a source as the Python binding does, and checks the invariants of its columns. */
#ifndef BONMUN_FUZZ_READING_H
#define BONMUN_FUZZ_READING_H

#include <stdint.h>

#include "tree.h"

typedef struct {
    int32_t nodes, depth, attributes;
    double seconds;
} limits;

#define DEFAULT_LIMITS ((limits){LIMIT_NODES, LIMIT_DEPTH, LIMIT_ATTRIBUTES, LIMIT_SECONDS})

typedef struct {
    read_result result;
    double cpu_seconds; /* of the reading, without the checks */
} reading_report;

/* A violated invariant is printed to stderr and aborts. */
reading_report reading_run(const uint8_t *source, int32_t length, limits most);

#endif
