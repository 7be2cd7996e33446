#ifndef BONMUN_PREFETCH_H
#define BONMUN_PREFETCH_H

/* Load a cache line that will be needed soon. */
static inline void fetch_early(const void *at) {
#if defined(__GNUC__)
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

#endif
