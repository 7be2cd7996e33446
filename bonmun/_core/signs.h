/* Signs in a text: whether it contains one of some words, without regard to the case of ASCII letters. */
#ifndef BONMUN_SIGNS_H
#define BONMUN_SIGNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_SIGNS = 64 };

typedef struct {
    const uint8_t *word[MOST_SIGNS];  /* in lower case, each ends with a NUL */
    uint64_t first[256], second[256]; /* by byte: the words, as bits, whose first or second byte it is, in either case */
} sign_list;

/* The words one after another, each with a NUL at its end. False: there are too many, or one is empty. */
bool signs_list(const uint8_t *words, size_t length, sign_list *list);
bool signs_in(const sign_list *list, const uint8_t *text, int32_t length);

#endif
