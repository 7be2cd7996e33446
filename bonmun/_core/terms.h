/* Terms of a text and words of an element's names, as hashes; bonmun/features/hashing.py is the twin. */
#ifndef BONMUN_TERMS_H
#define BONMUN_TERMS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "characters.h"
#include "constants_table.h"
#include "digests.h"

/* 32-bit FNV-1a: the hash of the buckets of the learned weights. */
static inline uint32_t hash_byte(uint32_t hash, uint8_t byte) { return (hash ^ byte) * HASH_PRIME; }

/* The terms of a text whose bits are known, part by part: a text of megabytes has as many terms. */
typedef struct {
    const text_bits *bits;
    int32_t length;
    int32_t at;             /* of the bits: the number to go on with */
    int32_t listed;         /* terms of the latest part */
    bool open;              /* one more begins in it */
    uint64_t letter, digit; /* the last bits of the number before, in the lowest bit */
} term_list;

enum { TERMS_AT_ONCE = 64 * 1024 }; /* bytes of a part */

static inline bool has_more_terms(const term_list *list) { return list->at <= list->length / 64; }
/* Room for the starts or stops of a part. */
static inline size_t terms_size(int32_t length) { return (size_t)(length < TERMS_AT_ONCE ? length : TERMS_AT_ONCE) + 2; }
/* The terms of the next part: term i is text[start[i] … stop[i]]. Returns how many there are; `start` is that of the part before. */
int32_t list_terms(term_list *list, int32_t *start, int32_t *stop);

/* A term or the word of a name: its first bytes in lower case, padded with 0, and its length. */
enum { ROW = 2 * WORD };

typedef struct {
    uint64_t word[2];
    const uint8_t *text;
    int32_t length;
} term;

/* ROW bytes can be read. */
static inline uint64_t row_word(const uint8_t *row, int32_t length, int half) {
    static const uint8_t keep[2 * ROW] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    return word_load(row + half * WORD) & word_load(keep + ROW - (length < ROW ? length : ROW) + half * WORD);
}

/* A term of a text in lower case, of which ROW bytes can be read; all numbers are the same term. */
static inline term term_at(const uint8_t *lower, int32_t length) {
    static const uint8_t number[ROW] = {'0'};
    bool is_number = lower[0] <= '9';
    term t = {.text = is_number ? number : lower, .length = is_number ? 1 : length};
    for (int half = 0; half < 2; half++) t.word[half] = row_word(t.text, t.length, half);
    return t;
}

static inline uint64_t term_digest(const term *t) {
    if (t->length > ROW) return digest_bytes(t->text, t->length, t->length, true);
    return digest_words(digest_length(t->length), t->word[0], t->word[1]);
}

/* Terms side by side. One more is only overwritten. */
enum { MOST_LANES = 2 * MOST_TERMS + 16 };

typedef struct {
    uint64_t word[MOST_LANES + 1][2];
    const uint8_t *text[MOST_LANES + 1];
    int32_t length[MOST_LANES + 1];
    int32_t count;
} term_lanes;

_Static_assert(TERM_BUCKETS <= 65536 && (TERM_BUCKETS & (TERM_BUCKETS - 1)) == 0, "a bucket is some of the lowest bits of a hash");

/* The hash buckets of the terms, and of each with the one before it. */
void hash_terms(const term_lanes *lanes, uint16_t *single, uint16_t *pair);

/* Reads a name word by word, a window at a time. A run of letters and digits that is longer is read byte by byte. */
typedef struct {
    const uint8_t *text;
    int32_t length, readable;
    int32_t start, stop;      /* the last word is text[start … stop] */
    int32_t run;              /* the end of a long run, if behind the last word */
    int32_t from, next;       /* the window is text[from … next] */
    uint64_t starts, stops;   /* bits of its bytes where the words left in it start and stop */
    uint8_t lower[64 + ROW];  /* the window in lower case, or the first bytes of a part of a long run */
} word_reader;

/* Goes on in a long run or to the next window. */
bool next_hard_word(word_reader *r);

/* The next word of the window. */
static inline bool take_word(word_reader *r) {
    r->start = r->from + lowest_bit(r->starts);
    r->stop = r->run = r->from + lowest_bit(r->stops);
    r->starts &= r->starts - 1;
    r->stops &= r->stops - 1;
    return true;
}

static inline bool next_name_word(word_reader *r) {
    return r->stop < r->run || !r->starts ? next_hard_word(r) : take_word(r);
}

/* The last word as a term. */
static inline term name_word(const word_reader *r) {
    term t = {.text = r->text + r->start, .length = r->stop - r->start};
    for (int half = 0; half < 2; half++) t.word[half] = row_word(r->lower + (r->start - r->from), t.length, half);
    return t;
}

uint32_t name_hash(const word_reader *r);

#endif
