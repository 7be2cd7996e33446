#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pool_piece {
    pool_piece *before;
    double aligned[]; /* sufficient alignment for all uses */
};

void *pool_take(pool *p, size_t count, size_t size) {
    pool_piece *piece = NULL;
    if (count <= (SIZE_MAX - sizeof(pool_piece)) / size) piece = malloc(sizeof(pool_piece) + count * size);
    if (!piece) {
        p->failed = true;
        return NULL;
    }
    piece->before = p->last;
    p->last = piece;
    return piece->aligned;
}

void *pool_take_zeros(pool *p, size_t count, size_t size) {
    void *taken = pool_take(p, count, size);
    return taken ? memset(taken, 0, count * size) : NULL;
}

void pool_free(pool *p) {
    while (p->last) {
        pool_piece *before = p->last->before;
        free(p->last);
        p->last = before;
    }
}
