#include "pool.h"

#include <stdint.h>
#include <stdlib.h>

enum { LINE = 64 /* bytes of a cache line */ };

struct pool_piece {
    pool_piece *before;
    double aligned[]; /* sufficient alignment for all uses */
};

static void *take(pool *p, size_t count, size_t size, bool zeros) {
    pool_piece *piece = NULL;
    if (count <= (SIZE_MAX - sizeof(pool_piece)) / size) {
        size_t bytes = sizeof(pool_piece) + count * size;
        piece = zeros ? calloc(1, bytes) : malloc(bytes);
    }
    if (!piece) {
        p->failed = true;
        return NULL;
    }
    piece->before = p->last;
    p->last = piece;
    return piece->aligned;
}

void *pool_take(pool *p, size_t count, size_t size) { return take(p, count, size, false); }

void *pool_take_zeros(pool *p, size_t count, size_t size) { return take(p, count, size, true); }

void *pool_take_lines(pool *p, size_t count, size_t size) {
    size_t further = (LINE + size - 1) / size; /* to begin at the next line */
    uint8_t *start = count <= SIZE_MAX - further ? take(p, count + further, size, false) : NULL;
    p->failed |= !start;
    return start ? start + (LINE - (uintptr_t)start % LINE) % LINE : NULL;
}

void pool_free(pool *p) {
    while (p->last) {
        pool_piece *before = p->last->before;
        free(p->last);
        p->last = before;
    }
}
