/* The stack of open elements. Each entry caches the searches down from it (open_entry), so that a query is O(1). */
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "tree.h"

int32_t tree_latest(const tree *t, int32_t tag, bool foreign) {
    return tag < t->latest_room[foreign] ? t->latest[foreign][tag] : NONE;
}

static bool make_latest(tree *t, int32_t tag, bool foreign) {
    int32_t room = t->latest_room[foreign];
    if (!tree_grow(t, (void **)&t->latest[foreign], &t->latest_room[foreign], tag + 1, sizeof(int32_t))) return false;
    for (int32_t other = room; other < t->latest_room[foreign]; other++) t->latest[foreign][other] = NONE;
    return true;
}

/* Bits of an element's class: 1 << scope for each scope that it bounds, and these. */
enum {
    SCOPE_BOUNDS = (1 << SCOPE_COUNT) - 1,
    CLASS_SPECIAL = 1 << SCOPE_COUNT,
    CLASS_ITEM_BOUND = 2 << SCOPE_COUNT,
    CLASS_MODE = 4 << SCOPE_COUNT
};

static bool decides_mode(int32_t tag) {
    switch (tag) {
        case TAG_HTML: case TAG_HEAD: case TAG_BODY: case TAG_FRAMESET: case TAG_TEMPLATE: case TAG_TABLE: case TAG_CAPTION:
        case TAG_COLGROUP: case TAG_TBODY: case TAG_THEAD: case TAG_TFOOT: case TAG_TR: case TAG_TD: case TAG_TH:
            return true;
        default:
            return false;
    }
}

static uint8_t class_of_tag(int32_t tag, name_space space) {
    int32_t class = 0;
    for (int kind = 0; kind < SCOPE_COUNT; kind++)
        if (tag_bounds(tag, space, (scope)kind)) class |= 1 << kind;
    if (tag_is_special(tag, space)) {
        class |= CLASS_SPECIAL;
        if (space != NS_HTML || (tag != TAG_ADDRESS && tag != TAG_DIV && tag != TAG_P)) class |= CLASS_ITEM_BOUND;
    }
    if (space == NS_HTML && decides_mode(tag)) class |= CLASS_MODE;
    return (uint8_t)class;
}

void tree_classify_tags(uint8_t *class_of) {
    for (int32_t tag = 0; tag < TAG_COUNT; tag++) class_of[tag] = class_of_tag(tag, NS_HTML);
}

static void set_current(tree *t, int32_t element) {
    t->current = element;
    t->tokenizer.in_foreign = tree_namespace(t, element) != NS_HTML;
}

/* Room for one more entry, or twice as many. There is always room for more contexts than entries: tree_push asks for entries alone. */
static bool make_push_room(tree *t, int32_t tag, bool foreign) {
    enum { FIRST = 64 };
    int32_t most = INT32_MAX / 2 - FIRST, contexts = t->open_count < most ? 2 * t->open_count + FIRST + 1 : INT32_MAX;
    if (t->open_count == t->open_room && !tree_grow(t, (void **)&t->contexts, &t->context_room, contexts, sizeof(open_context)))
        return false;
    if (!tree_grow(t, (void **)&t->open, &t->open_room, t->open_count + 1, sizeof(open_entry))) return false;
    return tag < t->latest_room[foreign] || make_latest(t, tag, foreign);
}

static inline int32_t new_context(tree *t, int32_t below, int32_t class, int32_t at, bool foreign) {
    open_context *context = &t->contexts[below + 1];
    *context = context[-1];
    for (int kind = 0; kind < SCOPE_COUNT; kind++)
        if (class & 1 << kind) context->bound[kind] = at;
    if (class & CLASS_MODE) context->decides_mode = at;
    if (foreign && !t->tokenizer.in_foreign) context->html = at - 1;
    return below + 1;
}

static inline void push(tree *t, int32_t element, int32_t tag, int32_t class, bool foreign) {
    static const open_entry BOTTOM = {NONE, NONE, NONE, NONE, 0};
    int32_t at = t->open_count, *latest = &t->latest[foreign][tag];
    open_entry *entry = &t->open[at], below = at ? entry[-1] : BOTTOM;
    entry->element = element;
    entry->same = *latest;
    entry->special = class & CLASS_SPECIAL ? at : below.special;
    entry->item_bound = class & CLASS_ITEM_BOUND ? at : below.item_bound;
    entry->context = below.context;
    if (class & (SCOPE_BOUNDS | CLASS_MODE) || foreign) entry->context = new_context(t, below.context, class, at, foreign);
    *latest = at;
    t->rows.end[element] = ~at;
    t->open_count = at + 1;
    t->current = element;
    t->tokenizer.in_foreign = foreign;
}

bool tree_make_stack(tree *t) {
    static const open_context NOTHING = {{NONE, NONE, NONE, NONE}, NONE, NONE};
    if (!make_push_room(t, TAG_COUNT - 1, false)) return false;
    t->contexts[0] = NOTHING;
    return true;
}

static NOINLINE void push_any(tree *t, int32_t element) {
    int32_t tag = t->rows.tag[element];
    name_space space = tree_namespace(t, element);
    bool foreign = space != NS_HTML;
    if (make_push_room(t, tag, foreign)) push(t, element, tag, class_of_tag(tag, space), foreign);
}

void tree_push(tree *t, int32_t element, int32_t tag, name_space space) {
    if (space == NS_HTML && tag < TAG_COUNT && t->open_count < t->open_room)
        push(t, element, tag, t->tables->class_of[tag], false);
    else push_any(t, element);
}

void tree_pop(tree *t) {
    if (!t->open_count) return;
    const open_entry *entry = &t->open[--t->open_count];
    int32_t element = entry->element;
    t->rows.end[element] = t->count;
    t->latest[tree_namespace(t, element) != NS_HTML][t->rows.tag[element]] = entry->same;
    set_current(t, t->open_count ? entry[-1].element : DOCUMENT);
}

static void push_again(tree *t, int32_t element) { tree_push(t, element, t->rows.tag[element], tree_namespace(t, element)); }

/* Change an entry in the middle: the entries above it are popped and pushed again. */
static void rebuild(tree *t, int32_t at, int32_t element, int32_t removed) {
    int32_t above = t->open_count - at - removed;
    int32_t *kept = NULL, room = 0;
    if (above > 0 && !tree_grow(t, (void **)&kept, &room, above, sizeof(int32_t))) return;
    for (int32_t index = 0; index < above; index++) kept[index] = tree_open(t, at + removed + index);
    while (t->open_count > at) tree_pop(t);
    if (element != NONE) push_again(t, element);
    for (int32_t index = 0; index < above && !t->result; index++) push_again(t, kept[index]);
    t->ends_unsure |= above > 0;
    free(kept);
}

void tree_remove_open(tree *t, int32_t at) { rebuild(t, at, NONE, 1); }
void tree_insert_open(tree *t, int32_t at, int32_t element) { rebuild(t, at, element, 0); }
void tree_replace_open(tree *t, int32_t at, int32_t element) { rebuild(t, at, element, 1); }
