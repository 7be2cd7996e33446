#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 /* bytes of a cache line */ };

struct pool_piece {
    pool_piece *before;
    double aligned[]; /* sufficient alignment for all uses */
};

#if defined(__has_feature)
#define IS_SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

/* Bytes of a piece that small arrays share, and of such an array. A sanitizer sees the bounds of pieces alone: then none is
 * shared. */
enum { SHARED = 32768, MOST_SHARED = IS_SANITIZED ? 0 : SHARED / 4 };

static void *new_piece(pool *p, size_t bytes, bool zeros) {
    bytes += sizeof(pool_piece);
    pool_piece *piece = zeros ? calloc(1, bytes) : malloc(bytes);
    if (!piece) {
        p->failed = true;
        return NULL;
    }
    piece->before = p->last;
    p->last = piece;
    return piece->aligned;
}

static void *take_shared(pool *p, size_t bytes, bool zeros) {
    bytes = (bytes / sizeof(double) + 1) * sizeof(double); /* at least one: an empty array has an address, too */
    if (bytes > p->left) {
        p->next = new_piece(p, SHARED, false);
        p->left = p->next ? SHARED : 0;
        if (!p->next) return NULL;
    }
    void *start = p->next;
    p->next += bytes;
    p->left -= bytes;
    return zeros ? memset(start, 0, bytes) : start;
}

static void *take(pool *p, size_t count, size_t size, bool zeros) {
    if (count <= MOST_SHARED / size) return take_shared(p, count * size, zeros);
    if (count <= (SIZE_MAX - sizeof(pool_piece)) / size) return new_piece(p, count * size, zeros);
    p->failed = true;
    return NULL;
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
    p->next = NULL;
    p->left = 0;
}
