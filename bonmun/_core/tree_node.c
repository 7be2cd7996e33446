/* Creating nodes, and the appropriate place for inserting them. */
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "attributes.h"
#include "chars.h"
#include "tree.h"

bool tree_grow(tree *t, void **array, int32_t *room, int32_t needed, size_t size) {
    if (needed <= *room) return true;
    int32_t wanted = *room ? *room : 64;
    while (wanted < needed) {
        if (wanted > INT32_MAX / 2) {
            t->result = READ_NO_MEMORY;
            return false;
        }
        wanted *= 2;
    }
    void *grown = realloc(*array, (size_t)wanted * size);
    if (!grown) {
        t->result = READ_NO_MEMORY;
        return false;
    }
    *array = grown;
    *room = wanted;
    return true;
}

/* Room for one more row, up to most_nodes, and links if it needs them. */
static COLD bool make_row_room(tree *t) {
    if (t->foster_parenting && !tree_link(t)) return false;
    if (t->count < t->room) return true;
    if (t->count >= t->most_nodes) {
        t->result = READ_TOO_MANY_NODES;
        return false;
    }
    int32_t room = t->room < t->most_nodes / 2 ? t->room * 2 : t->most_nodes;
    if (!row_columns_grow(&t->rows, t->count + 1, room)) {
        t->result = READ_NO_MEMORY;
        return false;
    }
    if (tree_is_linked(t) && !tree_grow_links(t, room)) return false;
    t->room = room;
    tree_set_foster_parenting(t, t->foster_parenting);
    return true;
}

/* DOCUMENT, whose cells exist, if memory or rows ran out: the caller checks t->result. */
static ALWAYS_INLINE int32_t new_row(tree *t, int32_t tag) {
    if (t->count >= t->plain_room && !make_row_room(t)) return DOCUMENT;
    int32_t row = t->count;
    const row_columns *c = &t->rows;
    c->tag[row] = tag;
    t->seen[tag & 0xFF] = 1;
    c->end[row] = row + 1;
    c->attr_first[row + 1] = t->tokenizer.attributes_kept;
    t->count = row + 1;
    return row;
}

static inline void set_source(const tree *t, int32_t row, int32_t start, int32_t stop) {
    t->rows.source_start[row] = start;
    t->rows.source_stop[row] = stop;
}

typedef struct {
    int32_t parent, before;
} place;

/* Targets for which foster parenting applies. */
static bool is_table_target(int32_t tag) {
    return tag == TAG_TABLE || tag == TAG_TBODY || tag == TAG_TFOOT || tag == TAG_THEAD || tag == TAG_TR;
}

/* Foster parenting: before the table instead of inside it. The table is near the top of the stack, since the target, a part
 * of it, is the current node or close to it. */
static place foster_place(const tree *t) {
    for (int32_t at = t->open_count - 1; at > 0; at--) {
        int32_t element = tree_open(t, at), tag = tree_html_tag(t, element);
        if (tag == TAG_TEMPLATE) return (place){element, NONE};
        if (tag == TAG_TABLE) {
            if (t->rows.parent[element] != NONE) return (place){t->rows.parent[element], element};
            return (place){tree_open(t, at - 1), NONE};
        }
    }
    return (place){tree_open(t, 0), NONE};
}

static place appropriate_place(const tree *t, int32_t target) {
    if (t->foster_parenting && is_table_target(tree_html_tag(t, target))) return foster_place(t);
    return (place){target, NONE};
}

void tree_insert_at_appropriate_place(tree *t, int32_t child, int32_t target) {
    place here = appropriate_place(t, target);
    tree_insert_before(t, here.parent, child, here.before);
}

/* Insert the last row at the appropriate place. */
static inline void place_new(tree *t, int32_t row) {
    if (tree_is_linked(t)) tree_insert_at_appropriate_place(t, row, tree_current(t));
}

/* Most flags follow from the tag alone. */
static inline int32_t flags_of_token(tree *t, int32_t row, int32_t tag) {
    enum { HIDING = 1 << ATTRIBUTE_STYLE | 1 << ATTRIBUTE_HIDDEN };
    int32_t flags = tag < TAG_COUNT ? t->flags_of_tag[tag] : 0;
    return t->token.named & HIDING || flags & FLAGS_FROM_ATTRIBUTES ? tree_own_flags(t, row) : flags;
}

/* Set the end of the last row's attributes. */
static inline void set_attributes_kept(tree *t, int32_t kept) {
    t->tokenizer.attributes_kept = t->rows.attr_first[t->count] = kept;
    if (kept > t->most_attributes) t->result = READ_TOO_MANY_NODES;
}

/* Only one row is a child of the document, and few are too deep. */
static inline void start_element(tree *t, int32_t row, int32_t parent) {
    const row_columns *c = &t->rows;
    int32_t depth = c->depth[parent] + 1;
    c->parent[row] = parent;
    c->depth[row] = depth;
    c->start[row] = c->stop[row] = c->chars[row] = 0;
    if ((uint32_t)depth - 1 >= (uint32_t)t->rules.most_depth) t->irregular |= row != 0;
}

static ALWAYS_INLINE int32_t insert_element(tree *t, int32_t tag, name_space space) {
    int32_t row = new_row(t, tag), parent = tree_current(t);
    if (row == DOCUMENT) return DOCUMENT;
    start_element(t, row, parent);
    set_source(t, row, t->token.start, t->token.stop);
    set_attributes_kept(t, t->tokenizer.attributes_kept + t->token.attribute_count);
    t->attributes_cut += t->token.attributes_cut;
    t->rows.flags[row] = (int32_t)space << SPACE_SHIFT; /* tree_own_flags may need the namespace */
    t->rows.flags[row] = (int32_t)space << SPACE_SHIFT | flags_of_token(t, row, tag) | (t->rows.flags[parent] & SHOWN_FLAGS);
    place_new(t, row);
    if (t->result) return DOCUMENT;
    tree_push(t, row, tag, space);
    return row;
}

int32_t tree_insert_element(tree *t, int32_t tag) { return insert_element(t, tag, NS_HTML); }

int32_t tree_insert_foreign(tree *t, int32_t tag, name_space space) {
    int32_t row = insert_element(t, tag, space);
    if (row < t->first_foreign && row != DOCUMENT) t->first_foreign = row;
    return row;
}

static void start_implied(tree *t, int32_t row, int32_t parent) {
    start_element(t, row, parent);
    set_source(t, row, -1, -1);
    t->rows.flags[row] = tree_own_flags(t, row) | (t->rows.flags[parent] & SHOWN_FLAGS);
}

static void finish_implied(tree *t, int32_t row) {
    start_implied(t, row, tree_current(t));
    place_new(t, row);
    if (!t->result) tree_push(t, row, t->rows.tag[row], NS_HTML);
}

int32_t tree_insert_implied(tree *t, int32_t tag) {
    int32_t row = new_row(t, tag);
    if (row != DOCUMENT) finish_implied(t, row);
    return row;
}

/* Number of attributes of the last tag that no row owns yet. */
static int32_t waiting_attributes(const tree *t) {
    return t->token.attribute_first == t->tokenizer.attributes_kept ? t->token.attribute_count : 0;
}

int64_t tree_clone_work(const tree *t, int32_t original) {
    return 1 + tree_attribute_count(t, original) + waiting_attributes(t);
}

/* Copy attributes to the last row, which has none; those of a waiting tag move back. */
static void copy_attributes(tree *t, int32_t original) {
    tokenizer *pool = &t->tokenizer;
    int32_t count = tree_attribute_count(t, original), kept = pool->attributes_kept, waiting = waiting_attributes(t);
    if (!count) return;
    if (!tokenizer_make_room(pool, kept + count + waiting)) {
        t->result = READ_NO_MEMORY;
        return;
    }
    attribute_columns_move(&pool->attributes, kept, &pool->attributes, kept + count, waiting);
    attribute_columns_move(&pool->attributes, t->rows.attr_first[original], &pool->attributes, kept, count);
    if (waiting) t->token.attribute_first += count;
    set_attributes_kept(t, kept + count);
}

static inline int32_t new_clone(tree *t, int32_t original) {
    int32_t copy = new_row(t, t->rows.tag[original]);
    if (copy == DOCUMENT) return DOCUMENT;
    t->work += tree_clone_work(t, original);
    copy_attributes(t, original);
    return copy;
}

int32_t tree_insert_clone(tree *t, int32_t original) {
    int32_t copy = new_clone(t, original);
    if (!t->result) finish_implied(t, copy);
    return copy;
}

int32_t tree_clone(tree *t, int32_t original) {
    int32_t copy = new_clone(t, original);
    if (copy != DOCUMENT) start_implied(t, copy, DOCUMENT);
    t->rows.parent[copy] = NONE;
    return copy;
}

/* Copy a text to the end of the spill with twice the room it needs: amortised, a text that grows in many steps is copied a
 * constant number of times. */
static bool spill_text(tree *t, int32_t row, int32_t more) {
    store *s = t->store;
    const row_columns *c = &t->rows;
    int32_t length = c->stop[row] - c->start[row];
    if (length > INT32_MAX / 2 - more) {
        t->result = READ_NO_MEMORY;
        return false;
    }
    int32_t room = 2 * (length + more), start = s->length + s->spilled;
    if (store_reserve(s, room)) {
        t->result = READ_NO_MEMORY;
        return false;
    }
    uint8_t *to = s->spill + (start - s->length);
    memcpy(to, store_at(s, c->start[row]), (size_t)length);
    memset(to + length, ' ', (size_t)(room - length)); /* room that stays unused leaves with the spill */
    c->start[row] = start;
    c->stop[row] = start + length;
    c->end[row] = room;
    return true;
}

static void extend_text(tree *t, int32_t row, span more) {
    const row_columns *c = &t->rows;
    store *s = t->store;
    if (c->chars[row] != GROWN) {
        c->chars[row] = GROWN;
        c->end[row] = 0; /* no room yet */
        if (row < t->first_grown) t->first_grown = row;
    }
    int32_t count = more.stop - more.start;
    c->source_stop[row] = t->token.stop;
    if (c->stop[row] == more.start && more.stop <= s->length) { /* contiguous in the source */
        c->stop[row] = more.stop;
        return;
    }
    if (c->stop[row] - c->start[row] + count > c->end[row] && !spill_text(t, row, count)) return;
    memcpy(s->spill + (c->stop[row] - s->length), store_at(s, more.start), (size_t)count);
    c->stop[row] += count;
}

/* Bytes from an offset to the end of the source, or of the spill. */
static inline int32_t readable_from(const store *s, int32_t offset) {
    return offset < s->length ? s->length - offset : s->length + s->spilled - offset;
}

static inline bool shows_no_text(int32_t tag) { return tag == TAG_SCRIPT || tag == TAG_STYLE; }

int32_t tree_count_chars(const tree *t, int32_t text) {
    int32_t start = t->rows.start[text], length = t->rows.stop[text] - start;
    if (shows_no_text(t->rows.tag[t->rows.parent[text]])) return 0;
    return count_chars(store_at(t->store, start), length, readable_from(t->store, start));
}

static inline void start_text(tree *t, int32_t row, int32_t parent, span text, int32_t chars) {
    const row_columns *c = &t->rows;
    c->parent[row] = parent;
    c->depth[row] = c->depth[parent] + 1;
    c->start[row] = text.start;
    c->stop[row] = text.stop;
    c->flags[row] = c->flags[parent] & SHOWN_FLAGS;
    set_source(t, row, t->token.start, t->token.stop);
    if (chars > 0 && shows_no_text(c->tag[parent])) chars = 0;
    c->chars[row] = chars == CHARS_UNKNOWN ? tree_count_chars(t, row) : chars;
}

static int32_t node_before(const tree *t, place here) {
    if (tree_is_linked(t)) return here.before == NONE ? t->links.last[here.parent] : t->links.prev[here.before];
    return t->text_closed_at == t->count || t->rows.parent[t->count - 1] != here.parent ? NONE : t->count - 1;
}

static COLD void insert_any_text(tree *t, span text, int32_t chars) {
    if (t->foster_parenting && !tree_link(t)) return;
    place here = appropriate_place(t, tree_current(t));
    if (here.parent == DOCUMENT) return;
    int32_t before = node_before(t, here);
    if (before != NONE && t->rows.tag[before] == TAG_TEXT) {
        extend_text(t, before, text);
        return;
    }
    int32_t row = new_row(t, TAG_TEXT);
    if (row == DOCUMENT) return;
    start_text(t, row, here.parent, text, chars);
    if (tree_is_linked(t)) tree_insert_before(t, here.parent, row, here.before);
}

/* Fast path: most texts follow a tag and are a new child of the current node. */
void tree_insert_text(tree *t, span text, int32_t chars) {
    int32_t parent = tree_current(t), row = t->count;
    const row_columns *c = &t->rows;
    bool extends = c->tag[row - 1] == TAG_TEXT && c->parent[row - 1] == parent;
    if (row >= t->plain_room || extends || parent == DOCUMENT) {
        insert_any_text(t, text, chars);
        return;
    }
    new_row(t, TAG_TEXT);
    start_text(t, row, parent, text, chars);
}

int32_t tree_new_comment(tree *t) {
    int32_t comment = new_row(t, COMMENT);
    if (comment != DOCUMENT) {
        start_element(t, comment, DOCUMENT);
        t->rows.flags[comment] = 0;
    }
    return comment;
}

void tree_insert_comment(tree *t, int32_t parent) {
    place here = parent == NONE ? appropriate_place(t, tree_current(t)) : (place){parent, NONE};
    if (tree_is_linked(t) || t->foster_parenting) {
        int32_t comment = tree_new_comment(t);
        if (!t->result) tree_insert_before(t, here.parent, comment, here.before);
    } else if (tree_grow(t, (void **)&t->comments, &t->comment_room, t->comment_count + 1, sizeof(comment_note))) {
        t->comments[t->comment_count++] = (comment_note){t->count, here.parent};
        if (t->rows.parent[t->count - 1] == here.parent) t->text_closed_at = t->count;
    }
}

static bool is_among(int32_t name, const int32_t *others, int32_t count) {
    for (int32_t at = 0; at < count; at++)
        if (others[at] == name) return true;
    return false;
}

static bool make_late_room(tree *t, late_attributes *late) {
    if (late->count < late->room) return true;
    int32_t room = late->room ? 2 * late->room : 16;
    if (!attribute_columns_grow(&late->attributes, late->count, room)) {
        t->result = READ_NO_MEMORY;
        return false;
    }
    late->room = room;
    return true;
}

/* A second <html> or <body> adds the attributes that the first one lacks. The limit of attributes per element bounds the
 * work. */
void tree_merge_attributes(tree *t, int32_t element) {
    late_attributes *late = &t->late[t->late[0].element != NONE && t->late[0].element != element];
    const attribute_columns *from = &t->tokenizer.attributes;
    int32_t first = t->token.attribute_first, own = t->rows.attr_first[element], count = tree_attribute_count(t, element);
    late->element = element;
    for (int32_t at = first; at < first + t->token.attribute_count; at++) {
        int32_t name = from->name[at];
        if (is_among(name, from->name + own, count) || is_among(name, late->attributes.name, late->count)) continue;
        if (count + late->count >= t->tokenizer.most_attributes) {
            t->attributes_cut++;
            continue;
        }
        if (!make_late_room(t, late)) return;
        late->attributes.name[late->count] = name;
        late->attributes.start[late->count] = from->start[at];
        late->attributes.stop[late->count++] = from->stop[at];
    }
}
