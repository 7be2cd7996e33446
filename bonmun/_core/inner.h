/* Functions that most tokens need and nothing outside of the reader calls. In reader.c, which holds all of its files, they
 * are static and best put where they are called. */
#ifndef BONMUN_INNER_H
#define BONMUN_INNER_H

#ifdef BONMUN_READER
#define INNER static inline
#else
#define INNER extern
#endif

#endif
