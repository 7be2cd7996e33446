/* Rows of elements by the value of an attribute; `Nodes.rows_having` in bonmun/model/nodes.py is the Python twin. */
#ifndef BONMUN_ATTRIBUTE_ROWS_H
#define BONMUN_ATTRIBUTE_ROWS_H

#include "segment.h"

enum { ATTRIBUTE_WORDS = 32, WORD_PAIRS = 1024 };

/* Words that are searched for at once. */
typedef struct {
    const uint8_t *word[ATTRIBUTE_WORDS]; /* in lower case, each ends with a NUL */
    uint32_t first[256], second[256]; /* by byte: the words, as bits, whose first or second byte it is, in either case */
    int start;                 /* the byte that every word starts with; -1: they differ, or it is a letter */
    int32_t window;            /* length of the shortest word */
    uint8_t shift[WORD_PAIRS]; /* by pair of bytes at the end of the window: how far it can move without missing a word */
} attribute_words;

/* Whether these are at most 32 words in lower case, none empty, each with a NUL behind it. */
bool attribute_words_fit(const uint8_t *words, size_t length);
/* Prepare words that fit, which are kept. */
void attribute_words_list(const uint8_t *words, size_t length, attribute_words *list);
/* Whether a text contains one of them, without regard to ASCII case. */
bool attribute_words_in(const attribute_words *list, const uint8_t *text, int32_t length);

/* The rows from `first` up to `stop`, in order, whose attribute of that number contains one of the words, without regard
   to ASCII case. To be
   freed; `count` is -1 where memory ran out. */
int32_t *attribute_rows(const node_view *nodes, int32_t first, int32_t stop, int32_t name, const uint8_t *words,
                        size_t length, int32_t *count);

#endif
