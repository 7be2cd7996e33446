/* From source bytes to the characters they mean: references, line ends, NULs.
 *
 * Most runs mean what they spell, and it must cost nearly nothing to know that. So the tokenizer keeps where the next
 * &, the next CR and the next NUL of the whole source are: a run that ends before them needs no look at its bytes. Each
 * is searched again only when the reading has passed it, hence the rule: runs are asked for in the order of the
 * source. */
#ifndef BONMUN_DECODE_H
#define BONMUN_DECODE_H

#include <string.h>

#include "tokenizer.h"

enum { REPLACE_NUL = 1, REFERENCES = 2, IN_ATTRIBUTE = 4 };

/* The first such byte in the source at or behind `from`; the source's length if there is none. */
static inline int32_t find_byte(const store *s, char byte, int32_t from) {
    const uint8_t *found = memchr(s->source + from, byte, (size_t)(s->length - from));
    return found != NULL ? (int32_t)(found - s->source) : s->length;
}

void find_upcoming(tokenizer *t, int32_t from);

/* Does the run hold no &, CR or NUL? */
static inline bool is_plain(tokenizer *t, int32_t start, int32_t stop) {
    if (t->next_special < start) {
        find_upcoming(t, start);
    }
    return t->next_special >= stop;
}

bool has_nul(tokenizer *t, int32_t start, int32_t stop);
span decode_special(tokenizer *t, int32_t start, int32_t stop, unsigned how);

/* The characters of a run: the run itself where it spells them, else a piece of the spill. Sets t->failed. */
static inline span decode(tokenizer *t, int32_t start, int32_t stop, unsigned how) {
    return is_plain(t, start, stop) ? (span){start, stop} : decode_special(t, start, stop, how);
}

#endif
