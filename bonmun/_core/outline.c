#include "outline.h"

#include <stdlib.h>

#include "tags_table.h"

enum { NONE = -1, MEDIUM = -2 };

typedef struct {
    int32_t group, at;     /* OUTLINE_… and the row of its element */
    int32_t outer, number; /* the step around it, and how many there are with this one */
} outline_step;

/* The groups around the content of an element. */
typedef struct {
    int32_t row;
    int32_t steps, inside; /* the innermost group so far; the innermost one that may hold text */
    int32_t used;          /* steps that were known before */
    bool layout;           /* whether the nearest table is a layout table */
} outline_place;

typedef struct {
    int32_t group, at, row; /* as a step, and its row of the outline */
} open_group;

typedef struct {
    const writer_page *page;
    const outline_input *input;
    outline *out;
    outline_step *steps;
    outline_place *places; /* of the row asked for last and of its ancestors, outermost first */
    open_group *opened;
    int32_t step_count, step_room, place_count, place_room, open_count;
    bool failed;
} outline_state;

static const uint32_t only_parts = 1u << OUTLINE_LIST | 1u << OUTLINE_DEFINITIONS | 1u << OUTLINE_ROW;

static bool is_holder(int32_t group) { return !(only_parts & 1u << group) && group != OUTLINE_TABLE; }

/* Make room for one more item. */
static bool fits(outline_state *s, void **items, int32_t count, int32_t *room, size_t size) {
    if (count < *room) return true;
    int32_t wanted = *room < 64 ? 64 : *room + *room / 2;
    void *larger = wanted > *room ? realloc(*items, (size_t)wanted * size) : NULL;
    s->failed = s->failed || !larger;
    if (!larger) return false;
    *items = larger;
    *room = wanted;
    return true;
}

static int32_t length_of(const outline_state *s, int32_t step) { return step == NONE ? 0 : s->steps[step].number; }

/* Step out of the groups that hold nothing but their own parts. */
static int32_t left(const outline_state *s, int32_t step) {
    while (step != NONE && only_parts & 1u << s->steps[step].group) step = s->steps[step].outer;
    return step;
}

static int32_t stepped_into(outline_state *s, int32_t outer, int32_t group, int32_t at) {
    if (!fits(s, (void **)&s->steps, s->step_count, &s->step_room, sizeof *s->steps)) return outer;
    s->steps[s->step_count] = (outline_step){group, at, outer, length_of(s, outer) + 1};
    return s->step_count++;
}

static int32_t group_of_tag(int32_t tag) {
    switch (tag) {
    case TAG_UL: case TAG_OL: case TAG_MENU: case TAG_DIR: return OUTLINE_LIST;
    case TAG_LI: return OUTLINE_ITEM;
    case TAG_BLOCKQUOTE: return OUTLINE_QUOTE;
    case TAG_DL: return OUTLINE_DEFINITIONS;
    case TAG_DT: return OUTLINE_TERM;
    case TAG_DD: return OUTLINE_DEFINITION;
    case TAG_TABLE: return OUTLINE_TABLE;
    case TAG_TR: return OUTLINE_ROW;
    case TAG_TD: case TAG_TH: return OUTLINE_CELL;
    default: return NONE;
    }
}

static int32_t group_of(const outline_state *s, int32_t row) {
    const outline_input *input = s->input;
    int32_t low = 0, high = input->box_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (input->box_rows[middle] < row) low = middle + 1;
        else high = middle;
    }
    if (low < input->box_count && input->box_rows[low] == row) return input->box_groups[low];
    return group_of_tag(s->page->nodes.tag[row]);
}

/* The group that a part belongs to; NONE for a group that is no part. */
static int32_t whole_of(int32_t group) {
    switch (group) {
    case OUTLINE_ITEM: return OUTLINE_LIST;
    case OUTLINE_TERM: case OUTLINE_DEFINITION: return OUTLINE_DEFINITIONS;
    case OUTLINE_ROW: return OUTLINE_TABLE;
    case OUTLINE_CELL: return OUTLINE_ROW;
    case OUTLINE_TITLE: return OUTLINE_BOX;
    default: return NONE;
    }
}

/* Whether the list that the steps end in is open and in one of its items. */
static bool has_item(const outline_state *s, int32_t step) {
    int32_t number = s->steps[step].number;
    return s->open_count > number && s->opened[number - 1].at == s->steps[step].at && s->opened[number].group == OUTLINE_ITEM;
}

static int32_t stepped(outline_state *s, int32_t steps, int32_t group, int32_t row) {
    int32_t wanted = whole_of(group), last = steps == NONE ? NONE : s->steps[steps].group;
    if (wanted == NONE) {
        if (last == OUTLINE_LIST && group == OUTLINE_LIST && has_item(s, steps))
            steps = stepped_into(s, steps, OUTLINE_ITEM, s->opened[s->steps[steps].number].at);
        else steps = left(s, steps);
        return stepped_into(s, steps, group, row);
    }
    if (last == wanted) {
        bool stray = group == OUTLINE_CELL && s->page->nodes.parent[row] != s->steps[steps].at;
        return stray ? steps : stepped_into(s, steps, group, row);
    }
    if (wanted == OUTLINE_TABLE || wanted == OUTLINE_ROW || wanted == OUTLINE_BOX) return steps; /* stray parts do not get these */
    steps = stepped_into(s, left(s, steps), wanted, ~s->page->nodes.parent[row]);
    return stepped_into(s, steps, group, row);
}

static void enter(outline_state *s, outline_place *place, int32_t group, int32_t row) {
    bool of_table = group == OUTLINE_TABLE || group == OUTLINE_ROW || group == OUTLINE_CELL;
    int32_t most = s->input->nesting;
    if (group == OUTLINE_TABLE) place->layout = !writer_has(s->page->tables, s->page->table_count, row);
    if (length_of(s, place->steps) <= most && !(place->layout && of_table)) place->steps = stepped(s, place->steps, group, row);
    int32_t inside = place->steps;
    if (length_of(s, inside) > most) {
        while (length_of(s, inside) > most) inside = s->steps[inside].outer;
        while (inside != NONE && !is_holder(s->steps[inside].group)) inside = s->steps[inside].outer;
    }
    place->inside = left(s, inside);
}

/* The innermost group around the content of an element. Only the places of the latest row and its ancestors are kept: the next row's
 * are derived from those that they share. */
static int32_t around_row(outline_state *s, int32_t row) {
    const node_view *nodes = &s->page->nodes;
    while (s->place_count > 1) {
        int32_t known = s->places[s->place_count - 1].row;
        if (known <= row && row < nodes->end[known]) break;
        s->step_count = s->places[--s->place_count].used;
    }
    int32_t top = s->places[s->place_count - 1].row, first = s->place_count;
    for (; row != top && row >= 0; row = nodes->parent[row]) {
        if (!fits(s, (void **)&s->places, s->place_count, &s->place_room, sizeof *s->places)) return NONE;
        s->places[s->place_count++].row = row;
    }
    for (int32_t low = first, high = s->place_count - 1; low < high; low++, high--) {
        int32_t swapped = s->places[low].row;
        s->places[low].row = s->places[high].row;
        s->places[high].row = swapped;
    }
    for (int32_t at = first; at < s->place_count; at++) {
        outline_place place = s->places[at - 1];
        place.row = s->places[at].row;
        place.used = s->step_count;
        int32_t group = group_of(s, place.row);
        if (group != NONE) enter(s, &place, group, place.row);
        s->places[at] = place;
    }
    return s->places[s->place_count - 1].inside;
}

static int32_t around_block(outline_state *s, int32_t block) {
    const writer_page *page = s->page;
    /* Lists and tables inside code are its lines. */
    int32_t row = page->kind[block] == KIND_CODE ? page->element[block] : page->nodes.parent[page->first[block]];
    if (row == s->places[s->place_count - 1].row) return s->places[s->place_count - 1].inside;
    return around_row(s, row);
}

static void add_row(outline_state *s, outline_row row) {
    outline *out = s->out;
    if (!fits(s, (void **)&out->rows, out->count, &out->room, sizeof *out->rows)) return;
    row.stop = out->count + 1;
    out->rows[out->count++] = row;
}

static void close_groups(outline_state *s, int32_t depth) {
    while (!s->failed && s->open_count > depth) s->out->rows[s->opened[--s->open_count].row].stop = s->out->count;
}

/* Add a rule to the innermost group around the blocks on both sides, if it may hold one. */
static void add_rule(outline_state *s) {
    if (!s->open_count || is_holder(s->opened[s->open_count - 1].group)) add_row(s, (outline_row){OUTLINE_RULE, 0, 0, 0});
}

/* Close the groups that ended and open those that start; return whether there were none. */
static bool reopen(outline_state *s, int32_t step, bool rule) {
    int32_t wanted = length_of(s, step), shared = wanted < s->open_count ? wanted : s->open_count;
    int32_t chain[OUTLINE_NESTING + 2];
    for (int32_t at = wanted; at > 0; step = s->steps[step].outer) chain[--at] = step;
    for (int32_t at = 0; at < shared; at++) {
        const outline_step *here = &s->steps[chain[at]];
        if (s->opened[at].group != here->group || s->opened[at].at != here->at) shared = at;
    }
    bool same = shared == s->open_count && shared == wanted;
    close_groups(s, shared);
    if (rule) add_rule(s);
    for (int32_t at = shared; at < wanted && !s->failed; at++) {
        const outline_step *here = &s->steps[chain[at]];
        s->opened[s->open_count++] = (open_group){here->group, here->at, s->out->count};
        add_row(s, (outline_row){here->group, here->at, 0, 0});
    }
    return same;
}

static void add_block(outline_state *s, int32_t place, int32_t *latest) {
    const writer_page *page = s->page;
    const outline_input *input = s->input;
    int32_t index = input->shown[place], step = NONE;
    if (index < 0) {
        step = around_row(s, page->nodes.parent[~index]);
        index = MEDIUM;
    } else if (input->box_count || page->kind[index] != KIND_PARAGRAPH) { /* without boxes, paragraphs are in no group */
        step = around_block(s, index);
    }
    bool next = index == *latest + 1, rule = next && writer_has(input->rules, input->rule_count, index), same = true;
    if (s->open_count || step != NONE || rule) same = reopen(s, step, rule);
    outline_row *last = s->out->count ? s->out->rows + s->out->count - 1 : NULL;
    bool follows = same && next && page->continues[index] && last && last->kind == OUTLINE_LEAF &&
                   page->kind[*latest] != KIND_HEADING && page->kind[index] != KIND_HEADING;
    if (follows) last->count++;
    else add_row(s, (outline_row){OUTLINE_LEAF, place, 0, 1});
    *latest = index;
}

int outline_build(const writer_page *page, const outline_input *input, outline *out) {
    open_group opened[OUTLINE_NESTING + 2];
    outline_state s = {.page = page, .input = input, .out = out, .opened = opened};
    *out = (outline){0};
    if (fits(&s, (void **)&s.places, 0, &s.place_room, sizeof *s.places)) {
        int32_t latest = MEDIUM;
        s.places[s.place_count++] = (outline_place){NONE, NONE, NONE, 0, true};
        for (int32_t place = 0; place < input->count && !s.failed; place++) add_block(&s, place, &latest);
        close_groups(&s, 0);
    }
    free(s.places);
    free(s.steps);
    return s.failed ? -1 : 0;
}

void outline_free(outline *o) { free(o->rows); }

int32_t outline_title_end(const outline *o, int32_t box) {
    int32_t row = box + 1, stop = o->rows[box].stop;
    while (row < stop && o->rows[row].kind == OUTLINE_TITLE) row = o->rows[row].stop;
    return row == stop ? box + 1 : row;
}
