#include "judge.h"

#include <string.h>
#include <time.h>

#include "page_figures.h"
#include "pool.h"

typedef struct {
    const judge_model *model;
    const judge_task *task;
    judgement *judged;
    pool memory;
    double deadline;
    int32_t count;
    float *tile; /* features of TILE_BLOCKS blocks; NULL if the task has those of all */
    double *sizes, *even;
    uint8_t *near_comments, *copies; /* by block: whether it is near comments, whether its text is further up the page */
    float *sums, *more;     /* of a tile: sums of the first trees, and of the others for unsettled rows */
    int32_t *unsettled;
} judging;

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int32_t tile_size(const judging *j) { return j->tile ? TILE_BLOCKS : j->count; }

static const float *rows_of(const judging *j, int32_t first, int32_t stop) {
    if (!j->tile) return j->task->table + (size_t)first * COLUMN_COUNT;
    features_put(j->task->state, first, stop, j->tile);
    return j->tile;
}

/* The twin of model.py: the sigmoid of a sum. */
static double sigmoid(double sum) { return sum > LEAST_SUM ? 1 / (1 + exp(-sum)) : 0; }

/* The twin of cascade.py: only rows that the first trees leave unsettled go through the rest. */
static int score_tile(judging *j, const float *rows, int32_t count, double *raw) {
    const judge_model *model = j->model;
    int32_t unsettled = 0;
    if (forest_sum(model->first, rows, COLUMN_COUNT, NULL, count, j->sums)) return -1;
    for (int32_t at = 0; at < count; at++) {
        double sum = j->sums[at];
        raw[at] = sigmoid(sum * model->weight);
        j->unsettled[unsettled] = at;
        unsettled += model->below <= sum && sum <= model->above;
    }
    if (forest_sum(model->rest, rows, COLUMN_COUNT, j->unsettled, unsettled, j->more)) return -1;
    for (int32_t at = 0; at < unsettled; at++)
        raw[j->unsettled[at]] = sigmoid((double)j->sums[j->unsettled[at]] + (double)j->more[at]);
    return 0;
}

static judge_result score_blocks(judging *j) {
    for (int32_t first = 0, stop; first < j->count; first = stop) {
        stop = at_most(first + tile_size(j), j->count);
        if (j->tile && now() > j->deadline) return JUDGE_SECONDS;
        const float *rows = rows_of(j, first, stop);
        if (score_tile(j, rows, stop - first, j->judged->raw + first)) return JUDGE_NO_MEMORY;
        for (int32_t block = first; block < stop; block++, rows += COLUMN_COUNT) {
            j->sizes[block] = (exp2(rows[COLUMN_SIZE]) - 1) / 6 + 1; /* words_of_size */
            j->near_comments[block] = rows[COLUMN_NAMED_COMMENTS] < FAR_LEVELS;
            j->copies[block] = rows[COLUMN_COPIES_BEFORE] > 0;
        }
    }
    return JUDGED;
}

static judge_result choose_whole(judging *j, double beta) {
    judgement *judged = j->judged;
    const feature_page *page = features_page(j->task->state);
    if (choose_blocks(j->even, j->sizes, j->count, beta, j->model->empty, judged->keep, &judged->f1))
        return JUDGE_NO_MEMORY;
    judged->whole = kept_whole(page, judged->keep, j->sizes, j->task->may_be_plain);
    if (judged->whole < 0) return JUDGE_NO_MEMORY;
    if (judged->whole) keep_readable(page, judged->keep);
    judged->commented = false;
    judged->copied = 0;
    for (int32_t at = 0; at < j->count; at++) {
        judged->commented |= judged->keep[at] && j->near_comments[at];
        judged->copied += judged->keep[at] && j->copies[at] ? page->chars[at] : 0;
    }
    return JUDGED;
}

/* The features of the kept blocks from `first` up to `stop` in their rows; those of the page are in the first row anyway. */
static const float *kept_rows_of(judging *j, int32_t first, int32_t stop) {
    const uint8_t *keep = j->judged->keep;
    if (!j->tile) return rows_of(j, first, stop);
    for (int32_t at = first, after; at < stop; at = after + 1) {
        for (after = at; after < stop && keep[after]; after++) continue;
        if (after > at) features_put(j->task->state, at, after, j->tile + (size_t)(at - first) * COLUMN_COUNT);
    }
    return j->tile;
}

static judge_result sum_up(judging *j) {
    judgement *judged = j->judged;
    page_choice choice = {judged->raw, j->sizes, judged->keep, features_page(j->task->state)->kind, j->count};
    kept_sums sums = {{0}, {0}};
    const float *rows = NULL;
    for (int32_t first = 0, stop; first < j->count; first = stop) {
        stop = at_most(first + tile_size(j), j->count);
        if (j->tile && now() > j->deadline) return JUDGE_SECONDS;
        rows = kept_rows_of(j, first, stop);
        add_kept(&choice, rows, first, stop, &sums);
    }
    put_figures(&choice, &sums, rows, judged->figures);
    for (int32_t at = 0; at < j->model->about_count; at++)
        if (forest_sum(j->model->about[at], judged->figures, SUMMARY_COUNT, NULL, 1, &judged->about[at])) return JUDGE_NO_MEMORY;
    return JUDGED;
}

static double weight_of_recall(double preferred, double usual) {
    bool goes_further = preferred < 1 ? preferred < usual : preferred > 1 && preferred > usual;
    return goes_further ? preferred : usual;
}

/* The likeliest type decides how much recall weighs; its figures are those of the first choice. */
static judge_result choose_by_type(judging *j) {
    const judge_model *model = j->model;
    judgement *judged = j->judged;
    int32_t best = 0;
    double others = 0;
    for (int32_t at = 1; at < model->types; at++)
        if (judged->about[at] > judged->about[best]) best = at;
    for (int32_t at = 0; at < model->types; at++) others += exp((double)judged->about[at] - (double)judged->about[best]);
    judged->kind = best;
    judged->likely = 1 / others;
    double beta = weight_of_recall(j->task->beta, model->recalls[best]);
    return beta != j->task->beta ? choose_whole(j, beta) : JUDGED;
}

static judge_result choose(judging *j) {
    memcpy(j->even, j->judged->raw, (size_t)j->count * sizeof *j->even);
    even_tables(j->task->units, j->judged->raw, j->sizes, j->even);
    judge_result result = choose_whole(j, j->task->beta);
    if (!result) result = sum_up(j);
    return result ? result : choose_by_type(j);
}

judge_result judge_page(const judge_model *model, const judge_task *task, judgement *judged) {
    judging j = {.model = model, .task = task, .judged = judged, .count = features_count(task->state)};
    size_t count = (size_t)j.count;
    j.deadline = now() + task->seconds;
    if (!task->table) j.tile = pool_take(&j.memory, (size_t)TILE_BLOCKS * COLUMN_COUNT, sizeof *j.tile);
    j.sizes = pool_take(&j.memory, count, sizeof *j.sizes);
    j.even = pool_take(&j.memory, count, sizeof *j.even);
    j.near_comments = pool_take(&j.memory, count, sizeof *j.near_comments);
    j.copies = pool_take(&j.memory, count, sizeof *j.copies);
    j.sums = pool_take(&j.memory, count, sizeof *j.sums);
    j.more = pool_take(&j.memory, count, sizeof *j.more);
    j.unsettled = pool_take(&j.memory, count, sizeof *j.unsettled);
    judge_result result = j.memory.failed ? JUDGE_NO_MEMORY : score_blocks(&j);
    if (!result) result = choose(&j);
    pool_free(&j.memory);
    return result;
}
