/* Memory that is given back all at once: whoever needs many arrays asks once whether there was enough. */
#ifndef BONMUN_POOL_H
#define BONMUN_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pool_piece pool_piece;

typedef struct {
    pool_piece *last;
    bool failed; /* some piece could not be had */
} pool;

void *pool_take(pool *p, size_t count, size_t size); /* NULL: no memory */
void *pool_take_zeros(pool *p, size_t count, size_t size);
void pool_free(pool *p);

#endif
