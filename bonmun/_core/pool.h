/* A memory pool: freed all at once, and `failed` is checked once for many allocations. */
#ifndef BONMUN_POOL_H
#define BONMUN_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pool_piece pool_piece;

typedef struct {
    pool_piece *last;
    bool failed; /* an allocation failed */
    unsigned char *next; /* the rest of the latest shared piece */
    size_t left;
} pool;

void *pool_take(pool *p, size_t count, size_t size); /* NULL: no memory */
void *pool_take_zeros(pool *p, size_t count, size_t size);
void *pool_take_lines(pool *p, size_t count, size_t size); /* from the start of a cache line on */
void pool_free(pool *p);

#endif
