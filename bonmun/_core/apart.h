/* Functions that are seldom called: kept out of their callers, which need fewer registers without them. */
#ifndef BONMUN_APART_H
#define BONMUN_APART_H

#if defined(__GNUC__)
#define APART __attribute__((noinline))
#elif defined(_MSC_VER)
#define APART __declspec(noinline)
#else
#define APART
#endif

#endif
