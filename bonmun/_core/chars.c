#include "chars.h"

#include <stdbool.h>

#include "whitespace.h"
#include "words.h"

typedef struct {
    int32_t solid, words;
    bool inside; /* a word */
} seen;

/* Eight bytes at once, if all are ASCII that is either printed or white space. */
static inline bool count_eight(seen *so_far, uint64_t eight) {
    uint64_t low = eight & EACH_BYTE(0x7F), solid = word_at_least(low, '!');
    uint64_t usual = word_at_least(low, ' ') & ~eight;
    if ((~usual & EACH_BYTE(0x80)) != 0) {
        uint64_t line_break = word_at_least(low, 9) & ~word_at_least(low, 14) & ~eight;
        if ((~(usual | line_break) & EACH_BYTE(0x80)) != 0) return false;
    }
    so_far->solid += flags_count(solid);
    so_far->words += flags_count(solid & ~(solid << 8 | (so_far->inside ? 0x80 : 0)));
    so_far->inside = solid >> 63;
    return true;
}

static inline void count_one_by_one(seen *so_far, const uint8_t *bytes, int32_t *at, int32_t until, int32_t length) {
    while (*at < until) {
        int32_t space = space_length(bytes + *at, length - *at);
        if (space) {
            so_far->inside = false;
            *at += space;
            continue;
        }
        so_far->words += !so_far->inside;
        so_far->inside = true;
        so_far->solid += (bytes[(*at)++] & 0xC0) != 0x80;
    }
}

int32_t count_chars(const uint8_t *bytes, int32_t length) {
    seen so_far = {0, 0, false};
    for (int32_t at = 0; at < length;) {
        int32_t left = length - at;
        uint64_t eight = left >= WORD ? word_load(bytes + at) : word_load_padded(bytes + at, left, ' ');
        if (count_eight(&so_far, eight)) at += WORD;
        else count_one_by_one(&so_far, bytes, &at, left < WORD ? length : at + WORD, length);
    }
    return so_far.words ? so_far.solid + so_far.words - 1 : 0;
}
