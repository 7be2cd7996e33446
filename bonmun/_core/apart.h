/* Where the compiler's guess is not the best one. APART: functions that not every tag needs, kept out of their callers, which
 * need fewer registers without them. SELDOM: those that a page needs a few times at most. JOINED: small ones on the path of
 * every tag, put where they are called. */
#ifndef BONMUN_APART_H
#define BONMUN_APART_H

#if defined(__GNUC__)
#define APART __attribute__((noinline))
#define SELDOM __attribute__((noinline,cold))
#define JOINED static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define APART __declspec(noinline)
#define SELDOM __declspec(noinline)
#define JOINED static __forceinline
#else
#define APART
#define SELDOM
#define JOINED static inline
#endif

#endif
