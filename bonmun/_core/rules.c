#include "rules.h"

#include <string.h>

#include "tags_table.h"

/* The first block at or behind a row. */
static int32_t block_from(const feature_page *page, int32_t row) {
    int32_t low = 0, high = page->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (page->first[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

int32_t end_of_text(const feature_page *page, const double *scores, double *before) {
    const node_view *nodes = &page->nodes;
    int32_t count = page->count, half = 0;
    before[0] = 0;
    for (int32_t at = 0; at < count; at++) before[at + 1] = before[at] + scores[at] * page->chars[at];
    while (half < count && before[half] < before[count] / 2) half++;
    /* An element with most of the words holds the one in the middle. One paragraph may hold most; others follow it. */
    int32_t row = nodes->parent[page->element[half ? half - 1 : 0]], stop;
    if (row < 0) row = 0;
    for (;; row = nodes->parent[row]) {
        stop = block_from(page, nodes->end[row]);
        if (nodes->parent[row] < 0 || !(before[stop] - before[block_from(page, row)] < RULE_MOST_TEXT * before[count])) return stop;
    }
}

static int32_t characters_in(const uint8_t *text, int32_t length) {
    int32_t characters = 0;
    for (int32_t at = 0; at < length; at++) characters += (text[at] & 0xC0) != 0x80;
    return characters;
}

static bool holds(const feature_page *page, int32_t block, const sign_list *signs) {
    int32_t length;
    const uint8_t *text = block_text(page, block, &length);
    return signs_in(signs, text, length);
}

static bool may_be_notice(const feature_page *page, int32_t block, const sign_list *notices) {
    int32_t length;
    const uint8_t *text = block_text(page, block, &length);
    return length <= 4 * LONGEST_NOTICE && characters_in(text, length) <= LONGEST_NOTICE && signs_in(notices, text, length);
}

_Static_assert(2 * RULE_ENDS < 31, "a bit for each end, and one for titles");

text_ends ends_of_text(const chosen_page *chosen, const sign_list *titles, const sign_list *notices) {
    const feature_page *page = chosen->page;
    text_ends ends = {.count = 0};
    int32_t at = 0, last[RULE_ENDS], lasts = 0;
    for (; at < page->count && ends.count < RULE_ENDS; at++)
        if (chosen->keep[at] && page->chars[at]) ends.block[ends.count++] = at;
    for (int32_t from = page->count - 1; from >= at && lasts < RULE_ENDS; from--)
        if (chosen->keep[from] && page->chars[from]) last[lasts++] = from;
    while (lasts) ends.block[ends.count++] = last[--lasts];
    for (at = 0; at < ends.count; at++) {
        int32_t block = ends.block[at];
        ends.titles |= page->chars[block] <= LONGEST_TITLE_LINE && holds(page, block, titles);
        if (at >= ends.count - RULE_ENDS && may_be_notice(page, block, notices)) ends.notices |= UINT32_C(1) << at;
    }
    return ends;
}

static bool is_shown(const feature_page *page, int32_t block) { return page->chars[block] && !page->flags[block]; }

static bool is_part_of_text(int32_t kind) {
    return kind == KIND_HEADING || kind == KIND_CODE || kind == KIND_CELL || kind == RULE_FORMULA;
}

/* The nearest shown blocks of two kinds, to find that of another kind than a given one. */
typedef struct {
    int32_t nearest, other; /* -1: none */
} near_blocks;

static void pass(near_blocks *near, const int32_t *kinds, int32_t block) {
    if (near->nearest >= 0 && kinds[near->nearest] != kinds[block]) near->other = near->nearest;
    near->nearest = block;
}

static bool other_is_kept(const near_blocks *near, const int32_t *kinds, int32_t kind, const uint8_t *keep) {
    int32_t other = near->nearest >= 0 && kinds[near->nearest] == kind ? near->other : near->nearest;
    return other >= 0 && keep[other];
}

int32_t find_gaps(const chosen_page *chosen, const int32_t *kinds, uint8_t *after, int32_t *found) {
    const feature_page *page = chosen->page;
    const uint8_t *keep = chosen->keep;
    int32_t first = 0, last = page->count - 1, count = 0;
    while (first < page->count && !keep[first]) first++;
    while (last > first && !keep[last]) last--;
    near_blocks near = {-1, -1};
    for (int32_t at = last; at >= first; at--) {
        after[at] = !keep[at] && is_shown(page, at) && is_part_of_text(kinds[at]) && other_is_kept(&near, kinds, kinds[at], keep);
        if (is_shown(page, at)) pass(&near, kinds, at);
    }
    near = (near_blocks){-1, -1};
    for (int32_t at = first; at <= last; at++) {
        if (after[at] && other_is_kept(&near, kinds, kinds[at], keep)) found[count++] = at;
        if (is_shown(page, at)) pass(&near, kinds, at);
    }
    return count;
}

static bool is_named(const chosen_page *chosen, int32_t row, const sign_list *signs) {
    const node_view *nodes = &chosen->page->nodes;
    for (int32_t at = nodes->attr_first[row]; chosen->class >= 0 && at < nodes->attr_first[row + 1]; at++)
        if (nodes->attr_name[at] == chosen->class)
            return signs_in(signs, node_bytes(nodes, nodes->attr_start[at]), nodes->attr_stop[at] - nodes->attr_start[at]);
    return false;
}

/* The element around a block that the next block may be in too; -1: none. */
static int32_t around_both(const feature_page *page, int32_t block) {
    const node_view *nodes = &page->nodes;
    int32_t around = nodes->parent[page->element[block]];
    for (int level = 0; level < CALLOUT_LEVELS && around >= 0 && nodes->end[around] <= page->first[block + 1]; level++)
        around = nodes->parent[around];
    return around;
}

int32_t find_callout_titles(const chosen_page *chosen, const sign_list *callouts, int32_t *found) {
    const feature_page *page = chosen->page;
    int32_t count = 0;
    for (int32_t at = 0; at + 1 < page->count; at++) {
        if (chosen->keep[at] || !chosen->keep[at + 1] || !is_shown(page, at) || page->chars[at] > CALLOUT_TITLE) continue;
        int32_t around = around_both(page, at);
        if (around >= 0 && is_named(chosen, around, callouts)) found[count++] = at;
    }
    return count;
}

int32_t find_linked_headings(const chosen_page *chosen, int32_t *found) {
    const feature_page *page = chosen->page;
    int32_t count = 0;
    for (int32_t at = 0; at < page->count; at++) {
        bool linked = chosen->keep[at] && page->kind[at] == KIND_HEADING && page->link_chars[at];
        if (linked && page->stop[at] > page->first[at] + 1) found[count++] = at;
    }
    return count;
}

/* Whether the texts on a side of a picture are kept. */
enum { SIDE_DROPPED, SIDE_KEPT, SIDE_UNKNOWN /* the nearest text may be a caption, which is passed over */ };

/* Whether a text may be a caption: in a figure or table, or near an element named after captions. */
static bool may_be_caption(const chosen_page *chosen, int32_t block, const sign_list *captions) {
    const feature_page *page = chosen->page;
    bool fits = page->kind[block] == KIND_PARAGRAPH || page->kind[block] == KIND_CELL;
    if (!fits || page->chars[block] > LONGEST_CAPTION) return false;
    int32_t row = page->nodes.parent[page->first[block]];
    for (int level = 0; level < FIGURE_LEVELS && row >= 0; level++, row = page->nodes.parent[row]) {
        int32_t tag = page->nodes.tag[row];
        if (tag == TAG_FIGURE || tag == TAG_TABLE) return true;
        if (level < CAPTION_LEVELS && is_named(chosen, row, captions)) return true;
    }
    return false;
}

/* The texts on the way to the nearest kept one that a picture is next to: so many captions are passed over. */
static int32_t texts_to_kept(const chosen_page *chosen, int32_t text, int32_t so_far) {
    return chosen->keep[text] ? 0 : so_far < PASSED_TEXTS ? so_far + 1 : so_far;
}

static uint8_t side_of(const chosen_page *chosen, int32_t text, int32_t to_kept, const sign_list *captions) {
    if (text < 0 || to_kept >= PASSED_TEXTS) return SIDE_DROPPED;
    return chosen->keep[text] ? SIDE_KEPT : may_be_caption(chosen, text, captions) ? SIDE_UNKNOWN : SIDE_DROPPED;
}

static bool is_text(const feature_page *page, int32_t block) {
    return page->kind[block] != KIND_IMAGE && page->kind[block] != KIND_CAPTION;
}

static bool is_kept_caption(const chosen_page *chosen, int32_t block) {
    const feature_page *page = chosen->page;
    return block >= 0 && block < page->count && page->kind[block] == KIND_CAPTION && chosen->keep[block];
}

int32_t decide_pictures(const chosen_page *chosen, const uint8_t *decided, const sign_list *captions, uint8_t *sides, int32_t *found) {
    const feature_page *page = chosen->page;
    uint8_t *keep = chosen->keep, side = SIDE_DROPPED;
    int32_t count = 0, pictures = 0, to_kept = PASSED_TEXTS;
    for (int32_t at = 0, text = -1, known = -1; at < page->count; at++) {
        if (is_text(page, at)) to_kept = texts_to_kept(chosen, text = at, to_kept);
        if (page->kind[at] != KIND_IMAGE || decided[at]) continue;
        keep[at] = 0;
        if (text != known) side = side_of(chosen, text, to_kept, captions);
        known = text;
        sides[at] = side;
        pictures++;
    }
    if (!pictures) return 0;
    side = SIDE_DROPPED;
    to_kept = PASSED_TEXTS;
    for (int32_t at = page->count - 1, text = -1, known = -1; at >= 0; at--) {
        if (is_text(page, at)) to_kept = texts_to_kept(chosen, text = at, to_kept);
        if (page->kind[at] != KIND_IMAGE || decided[at]) continue;
        if (text != known) side = side_of(chosen, text, to_kept, captions);
        known = text;
        keep[at] = sides[at] == SIDE_KEPT && side == SIDE_KEPT;
        bool may_be_between = sides[at] != SIDE_DROPPED && side != SIDE_DROPPED && !keep[at];
        if (may_be_between || (!keep[at] && (is_kept_caption(chosen, at - 1) || is_kept_caption(chosen, at + 1)))) found[count++] = at;
    }
    return count;
}
