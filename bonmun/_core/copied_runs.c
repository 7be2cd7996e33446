#include "copied_runs.h"

#include "digests.h"
#include "pool.h"

/* Copies one after another; new blocks between them are short. */
typedef struct {
    int32_t number, start, stop; /* from 1 on; of the blocks found */
    int64_t chars, different, different_long; /* characters; those of different texts; how many of these are not short */
} copy_run;

typedef struct {
    const feature_page *page;
    digests texts;
    int32_t *number, *latest; /* by block: the number of its text; by the number of a text: the latest run with it */
} copy_search;

static void add(copy_search *s, copy_run *run, int32_t block) {
    int32_t chars = s->page->chars[block], *latest = &s->latest[s->number[block]];
    run->stop++;
    run->chars += chars;
    if (*latest == run->number) return;
    *latest = run->number;
    run->different += chars;
    run->different_long += chars >= SHORT_COPY;
}

/* Whether it is a whole text, not a refrain, a column of values or one sentence many times. */
static bool is_text_again(const copy_run *run) {
    return run->chars >= LEAST_COPIED && (run->different_long >= LEAST_COPIED_TEXTS || run->different >= LEAST_COPIED);
}

/* Whether a block's text is that of one before; its number is set. */
static bool is_copy(copy_search *s, int32_t block) {
    int32_t length, before = s->texts.count;
    const uint8_t *text = block_text(s->page, block, &length);
    uint64_t digest = digest_bytes(text, length, s->page->text_length - s->page->text_start[block], false);
    s->number[block] = digests_place(&s->texts, digest);
    return s->number[block] < before;
}

static int32_t copies_among(copy_search *s, const uint8_t *keep, int32_t *found) {
    copy_run run = {.number = 1};
    int64_t between = 0; /* characters of new blocks since the latest copy */
    for (int32_t at = 0; at < s->page->count; at++) {
        if (!keep[at] || !s->page->chars[at]) continue;
        if (is_copy(s, at)) {
            found[run.stop] = at;
            add(s, &run, at);
            between = 0;
            continue;
        }
        between += s->page->chars[at];
        if (s->page->chars[at] < SHORT_COPY && between < 2 * SHORT_COPY) continue; /* a date or a label does not end a run */
        int32_t start = is_text_again(&run) ? run.stop : run.start;
        run = (copy_run){.number = run.number + 1, .start = start, .stop = start};
    }
    return is_text_again(&run) ? run.stop : run.start;
}

int32_t find_copied_runs(const chosen_page *chosen, int32_t *found) {
    size_t count = (size_t)chosen->page->count;
    pool memory = {0};
    copy_search s = {.page = chosen->page};
    s.number = pool_take(&memory, count, sizeof *s.number);
    s.latest = pool_take_zeros(&memory, count, sizeof *s.latest);
    int32_t copies = -1;
    if (!memory.failed && digests_init(&s.texts, chosen->page->count + 1) == 0) {
        copies = copies_among(&s, chosen->keep, found);
        digests_free(&s.texts);
    }
    pool_free(&memory);
    return copies;
}
