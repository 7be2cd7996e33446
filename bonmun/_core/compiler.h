/* Inlining hints for functions on or off the reader's hot path.
 *
 *   NOINLINE       not needed by every tag: kept out of its callers, which need fewer registers without it
 *   COLD           needed a few times per page at most
 *   ALWAYS_INLINE  small, and needed by every tag
 *   UNROLL(4)      the loop behind it has at most so many turns and becomes as many copies, whatever a profile says
 *   READER_LOCAL   needed by most tokens and called by the reader alone: static within reader.c, the single
 *                  translation unit, so that the compiler may inline it; extern when its files are compiled separately */
#ifndef BONMUN_COMPILER_H
#define BONMUN_COMPILER_H

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#define COLD __attribute__((noinline, cold))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define NOINLINE __declspec(noinline)
#define COLD __declspec(noinline)
#define ALWAYS_INLINE __forceinline
#else
#define NOINLINE
#define COLD
#define ALWAYS_INLINE inline
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(turns) PRAGMA(GCC unroll turns)
#else
#define UNROLL(turns)
#endif

#ifdef BONMUN_READER
#define READER_LOCAL static inline
#else
#define READER_LOCAL extern
#endif

#endif
