#include "overrule.h"

#include <stdlib.h>
#include <string.h>

#include "attribute_rows.h"
#include "copied_runs.h"
#include "pool.h"
#include "unseen.h"

typedef struct {
    const overruling *task;
    rule_findings *findings;
    pool memory;
    double *before; /* room for one number more than blocks */
    uint8_t *marks, *sides;
} rule_run;

/* Steps: true if Python has to go on from here. */
typedef bool (*rule_step)(rule_run *run);

static void decide(const overruling *task, int32_t block, bool keep, uint8_t why) {
    task->chosen.keep[block] = keep;
    task->why[block] = why;
}

/* Whether a page is a thread or a board: if not, posts have to have half of the kept text. */
static bool is_of_posts(const overruling *task, const thread_posts *posts) {
    const chosen_page *chosen = &task->chosen;
    int64_t kept = 0, outside = 0;
    if (posts->board || (posts->count > 1 && !task->is_article)) return true;
    for (int32_t at = 0; at < chosen->page->count; at++) {
        int32_t chars = chosen->keep[at] ? chosen->page->chars[at] : 0;
        kept += chars;
        outside += posts->inside[at] ? 0 : chars;
    }
    return 2 * outside <= kept;
}

/* Keep what is in posts, drop what is around them. */
static bool keep_posts(rule_run *run) {
    const overruling *task = run->task;
    const feature_page *page = task->chosen.page;
    const uint8_t *keep = task->chosen.keep;
    thread_posts posts = {.inside = run->marks, .repeated = run->sides};
    int found = task->in_posts ? find_posts(&task->chosen, &task->signs->posts, &posts) : 0;
    if (found < 0) run->memory.failed = true;
    if (found <= 0 || !is_of_posts(task, &posts)) return false;
    for (int32_t at = 0; at < page->count; at++) {
        bool is_repeated = posts.repeated[at] && task->in_posts[at] < REPEATED_SCORE;
        if (keep[at] && !posts.inside[at]) decide(task, at, false, WHY_AROUND);
        else if (!keep[at] && posts.inside[at] && page->chars[at] && !is_repeated) decide(task, at, true, WHY_POST);
    }
    return false;
}

static bool drop_behind(rule_run *run) {
    const overruling *task = run->task;
    const feature_page *page = task->chosen.page;
    if (!task->scores) return false;
    for (int32_t at = end_of_text(page, task->scores, run->before); at < page->count; at++)
        if (task->chosen.keep[at]) decide(task, at, false, WHY_BEHIND);
    return false;
}

static bool keep_for_python(rule_findings *findings, const int32_t *blocks, int32_t count) {
    findings->rows = malloc(((size_t)count + 1) * sizeof *findings->rows);
    if (!findings->rows) return false;
    memcpy(findings->rows, blocks, (size_t)count * sizeof *findings->rows);
    findings->row_count = count;
    return true;
}

/* Copies of the text alone are dropped; Python drops them with other intruders. */
static bool look_for_intruders(rule_run *run) {
    const overruling *task = run->task;
    rule_findings *findings = run->findings;
    text_ends ends = ends_of_text(&task->chosen, &task->signs->titles, &task->signs->notices);
    int32_t copies = task->has_copies ? find_copied_runs(&task->chosen, findings->found) : 0;
    if (copies < 0) return run->memory.failed = true;
    if (!ends.titles && !ends.notices && !task->has_comments) {
        for (int32_t at = 0; at < copies; at++) decide(task, findings->found[at], false, WHY_COPY);
        return false;
    }
    if (copies && !keep_for_python(findings, findings->found, copies)) return run->memory.failed = true;
    findings->titles = ends.titles;
    findings->notices = ends.notices;
    findings->count = ends.count;
    memcpy(findings->found, ends.block, (size_t)findings->count * sizeof *findings->found);
    return true;
}

static bool look_for_notes(rule_run *run) { return run->task->has_notes; }

/* The blocks found that no rule has decided on. */
static int32_t undecided_of(rule_run *run, int32_t count) {
    int32_t *found = run->findings->found, left = 0;
    for (int32_t at = 0; at < count; at++)
        if (!run->task->why[found[at]]) found[left++] = found[at];
    return run->findings->count = left;
}

static bool fill_gaps(rule_run *run) {
    const overruling *task = run->task;
    int32_t count = undecided_of(run, find_gaps(&task->chosen, task->kinds, run->marks, run->findings->found));
    for (int32_t at = 0; at < count; at++) decide(task, run->findings->found[at], true, WHY_INSIDE);
    return false;
}

static bool look_for_titles(rule_run *run) {
    const overruling *task = run->task;
    return undecided_of(run, find_callout_titles(&task->chosen, &task->signs->callouts, run->findings->found)) > 0;
}

static bool complete_tables(rule_run *run) {
    const overruling *task = run->task;
    const table_units *units = task->units;
    for (int32_t at = 0, start = 0; at < units->count; start = units->stops[2 * at + 1], at++) {
        bool kept = false;
        for (int32_t cell = start; cell < units->stops[2 * at]; cell++) kept |= task->chosen.keep[units->blocks[cell]];
        for (int32_t cell = start; kept && cell < units->stops[2 * at]; cell++)
            if (!task->chosen.keep[units->blocks[cell]]) decide(task, units->blocks[cell], true, WHY_TABLE);
    }
    return false;
}

static bool look_at_pictures(rule_run *run) {
    const overruling *task = run->task;
    rule_findings *findings = run->findings;
    findings->count = decide_pictures(&task->chosen, task->why, &task->signs->captions, run->sides, findings->found);
    return findings->count > 0;
}

/* The rows of elements that a kept block has rows of; they are in order, and so are blocks. */
static int32_t around_kept(const chosen_page *chosen, int32_t *rows, int32_t count) {
    const feature_page *page = chosen->page;
    int32_t kept = 0, left = 0; /* the first kept block that ends behind the element's start */
    for (int32_t at = 0; at < count; at++) {
        while (kept < page->count && (page->stop[kept] <= rows[at] || !chosen->keep[kept])) kept++;
        if (kept < page->count && page->first[kept] < page->nodes.end[rows[at]]) rows[left++] = rows[at];
    }
    return left;
}

/* Drop what is not seen, and keep the rows that are seen of other blocks; false: Python has to look. */
static bool drop_unseen(rule_run *run) {
    const overruling *task = run->task;
    rule_findings *findings = run->findings;
    const unseen_candidates found = {findings->found, findings->rows, findings->count, findings->row_count};
    uint8_t *unseen = run->marks;
    seen_parts parts;
    memset(unseen, 0, (size_t)task->chosen.page->count);
    if (find_seen_parts(&task->chosen, task->href, &found, unseen, &parts)) return run->memory.failed = true;
    if (parts.asks_python) return false;
    for (int32_t at = 0; at < task->chosen.page->count; at++)
        if (unseen[at]) decide(task, at, false, WHY_UNSEEN);
    free(findings->rows);
    findings->rows = parts.cells;
    findings->row_count = parts.count;
    findings->count = 0;
    return true;
}

/* Headings with links, and elements with names of what is not seen as text, around the kept blocks. */
static bool look_for_unseen(rule_run *run) {
    const chosen_page *chosen = &run->task->chosen;
    const feature_page *page = chosen->page;
    rule_findings *findings = run->findings;
    findings->count = find_linked_headings(chosen, findings->found);
    int32_t first = 0, last = page->count - 1;
    while (first <= last && !chosen->keep[first]) first++;
    while (last > first && !chosen->keep[last]) last--;
    if (first <= last && chosen->class >= 0) {
        int32_t start = page->first[first] - ASSISTIVE_ROWS;
        findings->rows = attribute_rows(&page->nodes, start > 0 ? start : 0, page->stop[last], chosen->class,
                                        run->task->signs->assistive, run->task->signs->assistive_length, &findings->row_count);
        if (findings->row_count < 0) run->memory.failed = true;
        else findings->row_count = around_kept(chosen, findings->rows, findings->row_count);
    }
    if (run->memory.failed || (!findings->count && !findings->row_count)) return false;
    return !drop_unseen(run);
}

int overrule(const overruling *task, rule_findings *findings) {
    static const rule_step steps[STEP_DONE] = {
        [STEP_POSTS] = keep_posts,        [STEP_BEHIND] = drop_behind,      [STEP_INTRUDERS] = look_for_intruders, [STEP_SOURCES] = look_for_notes,
        [STEP_GAPS] = fill_gaps,          [STEP_TITLES] = look_for_titles,       [STEP_TABLES] = complete_tables,
        [STEP_NOTES] = look_for_notes,    [STEP_PICTURES] = look_at_pictures,    [STEP_UNSEEN] = look_for_unseen,
    };
    size_t count = (size_t)task->chosen.page->count;
    rule_run run = {.task = task, .findings = findings};
    run.before = pool_take(&run.memory, task->scores ? count + 1 : 1, sizeof *run.before);
    run.marks = pool_take(&run.memory, count, sizeof *run.marks);
    run.sides = pool_take(&run.memory, count, sizeof *run.sides);
    while (!run.memory.failed && findings->step < STEP_DONE && !steps[findings->step](&run)) findings->step++;
    pool_free(&run.memory);
    return run.memory.failed ? -1 : 0;
}
