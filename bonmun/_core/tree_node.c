/* The arena of nodes, the stack of open elements, and where new nodes go. */
#include <stdlib.h>
#include <string.h>

#include "apart.h"
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

/* Room for one more node, of which there may be most_nodes. */
static APART bool grow_nodes(tree *t) {
    if (t->count >= t->most_nodes) {
        t->result = READ_TOO_MANY_NODES;
        return false;
    }
    int32_t room = t->room;
    if (!tree_grow(t, (void **)&t->nodes, &room, t->count + 1, sizeof(node))) return false;
    t->room = room < t->most_nodes ? room : t->most_nodes;
    return true;
}

/* Node 0 is the document, so that a failed allocation can safely answer 0: the caller stops at t->result. */
static inline int32_t new_node(tree *t) {
    if (t->count >= t->room && !grow_nodes(t)) return DOCUMENT;
    return t->count++;
}

static inline void start_element(tree *t, int32_t element, int32_t tag, name_space space) {
    t->nodes[element] = (node){.parent = NOBODY, .first = NOBODY, .last = NOBODY, .prev = NOBODY, .next = NOBODY, .tag = tag,
                               .open_at = NOBODY, .source = {-1, -1}, .space = (uint8_t)space};
}

static inline int32_t new_element(tree *t, int32_t tag, name_space space) {
    int32_t element = new_node(t);
    if (element != DOCUMENT) start_element(t, element, tag, space);
    return element;
}

static inline void append(tree *t, int32_t parent, int32_t child) {
    node *nodes = t->nodes;
    int32_t after = nodes[parent].last;
    nodes[child].parent = parent;
    nodes[child].prev = after;
    nodes[parent].last = child;
    if (after == NOBODY) nodes[parent].first = child;
    else nodes[after].next = child;
}

void tree_append(tree *t, int32_t parent, int32_t child) { append(t, parent, child); }

void tree_insert_before(tree *t, int32_t parent, int32_t child, int32_t before) {
    node *nodes = t->nodes;
    t->moved = true;
    int32_t after = before == NOBODY ? nodes[parent].last : nodes[before].prev;
    nodes[child].parent = parent;
    nodes[child].prev = after;
    nodes[child].next = before;
    if (after == NOBODY) nodes[parent].first = child;
    else nodes[after].next = child;
    if (before == NOBODY) nodes[parent].last = child;
    else nodes[before].prev = child;
}

void tree_detach(tree *t, int32_t child) {
    node *nodes = t->nodes, *moved = &nodes[child];
    t->moved = true;
    if (moved->parent == NOBODY) return;
    if (moved->prev == NOBODY) nodes[moved->parent].first = moved->next;
    else nodes[moved->prev].next = moved->next;
    if (moved->next == NOBODY) nodes[moved->parent].last = moved->prev;
    else nodes[moved->next].prev = moved->prev;
    moved->parent = moved->prev = moved->next = NOBODY;
}

typedef struct {
    int32_t parent, before;
} place;

static bool takes_no_text(int32_t tag) {
    return tag == TAG_TABLE || tag == TAG_TBODY || tag == TAG_TFOOT || tag == TAG_THEAD || tag == TAG_TR;
}

/* Foster parenting: what a table may not hold goes before it. The table is near the top of the stack, since a target that
 * is part of it is the current node or close to it. */
static place foster_place(const tree *t) {
    for (int32_t at = t->open_count - 1; at > 0; at--) {
        int32_t element = tree_open(t, at), tag = tree_html_tag(t, element);
        if (tag == TAG_TEMPLATE) return (place){element, NOBODY};
        if (tag == TAG_TABLE) {
            if (t->nodes[element].parent != NOBODY) return (place){t->nodes[element].parent, element};
            return (place){tree_open(t, at - 1), NOBODY};
        }
    }
    return (place){tree_open(t, 0), NOBODY};
}

static place appropriate_place(const tree *t, int32_t target) {
    if (t->foster && takes_no_text(tree_html_tag(t, target))) return foster_place(t);
    return (place){target, NOBODY};
}

/* Foster parenting is a move even where it appends: the table is still open, and gets more children. */
static void put_at(tree *t, int32_t child, place here) {
    if (t->foster) tree_insert_before(t, here.parent, child, here.before);
    else append(t, here.parent, child);
}

void tree_place(tree *t, int32_t child, int32_t target) {
    if (t->foster) put_at(t, child, appropriate_place(t, target));
    else append(t, target, child);
}

static void count_attributes(tree *t, int32_t more) {
    int64_t most = (int64_t)ATTRIBUTES_PER_NODE * t->most_nodes;
    if (more > (most < INT32_MAX ? most : INT32_MAX) - t->attribute_total) t->result = READ_TOO_MANY_NODES;
    else t->attribute_total += more;
}

static inline void keep_attributes(tree *t, node *element) {
    int32_t first = t->token.attribute_first, count = t->token.attribute_count;
    t->attributes_cut += t->token.attributes_cut;
    if (!count) return;
    element->attribute_first = first;
    element->attribute_count = count;
    t->tokenizer.attributes_kept = first + count;
    count_attributes(t, count);
}

int32_t tree_insert_element(tree *t, int32_t tag, name_space space) {
    int32_t element = new_element(t, tag, space);
    if (element == DOCUMENT) return DOCUMENT;
    node *made = &t->nodes[element];
    made->source = (span){t->token.start, t->token.stop};
    keep_attributes(t, made);
    if (t->result) return DOCUMENT;
    if (t->foster) tree_place(t, element, tree_current(t));
    else append(t, tree_current(t), element);
    tree_push(t, element);
    return element;
}

int32_t tree_insert_implied(tree *t, int32_t tag) {
    int32_t element = new_element(t, tag, NS_HTML);
    if (element == DOCUMENT) return DOCUMENT;
    tree_place(t, element, tree_current(t));
    tree_push(t, element);
    return element;
}

int32_t tree_clone(tree *t, int32_t original) {
    int32_t copy = new_element(t, t->nodes[original].tag, (name_space)t->nodes[original].space);
    if (copy == DOCUMENT) return DOCUMENT;
    t->nodes[copy].attribute_first = t->nodes[original].attribute_first;
    t->nodes[copy].attribute_count = t->nodes[original].attribute_count;
    count_attributes(t, t->nodes[copy].attribute_count);
    t->work += 1 + t->nodes[copy].attribute_count;
    return copy;
}

/* Make room behind a text that lies in the spill, doubling it, so that a text that grows in many steps is copied a
 * bounded number of times in all. */
static bool spill_text(tree *t, node *text, int32_t more) {
    store *s = t->store;
    int32_t length = text->text.stop - text->text.start;
    if (length > INT32_MAX / 2 - more) {
        t->result = READ_NO_MEMORY;
        return false;
    }
    int32_t room = 2 * (length + more), start = s->length + s->spilled;
    if (store_reserve(s, room)) {
        t->result = READ_NO_MEMORY;
        return false;
    }
    memcpy(s->spill + (start - s->length), store_at(s, text->text.start), (size_t)length);
    text->text = (span){start, start + length};
    text->text_room = room;
    return true;
}

static bool is_blank_part(const tree *t, span text) {
    return t->token.blank && text.start == t->token.text.start && text.stop == t->token.text.stop;
}

static void extend_text(tree *t, int32_t at, span more, span source) {
    node *text = &t->nodes[at];
    text->blank = text->blank && is_blank_part(t, more);
    int32_t count = more.stop - more.start, length = text->text.stop - text->text.start;
    text->source.stop = source.stop;
    if (text->text.stop == more.start && more.stop <= t->store->length) { /* goes on in the source */
        text->text.stop = more.stop;
        return;
    }
    if (length + count > text->text_room && !spill_text(t, text, count)) return;
    store *s = t->store;
    memcpy(s->spill + (text->text.stop - s->length), store_at(s, more.start), (size_t)count);
    text->text.stop += count;
}

static void put_text_at(tree *t, span text, place here) {
    span source = {t->token.start, t->token.stop};
    int32_t before = here.before == NOBODY ? t->nodes[here.parent].last : t->nodes[here.before].prev;
    if (before != NOBODY && t->nodes[before].tag == TAG_TEXT) {
        extend_text(t, before, text, source);
        return;
    }
    int32_t made = new_node(t);
    if (made == DOCUMENT) return;
    t->nodes[made] = (node){.parent = NOBODY, .first = NOBODY, .last = NOBODY, .prev = NOBODY, .next = NOBODY, .tag = TAG_TEXT,
                            .text = text, .source = source, .space = NS_HTML, .blank = is_blank_part(t, text)};
    put_at(t, made, here);
}

static APART void insert_any_text(tree *t, span text) {
    if (text.start == text.stop) return;
    place here = appropriate_place(t, tree_current(t));
    if (here.parent != DOCUMENT) put_text_at(t, text, here);
}

/* Most texts come after a tag, and go where they stand. */
void tree_insert_text(tree *t, span text) {
    int32_t parent = tree_current(t), made = t->count;
    node *above = &t->nodes[parent], *after = &t->nodes[above->last == NOBODY ? DOCUMENT : above->last];
    if (t->foster || parent == DOCUMENT || after->tag == TAG_TEXT || made >= t->room || text.start == text.stop) {
        insert_any_text(t, text);
        return;
    }
    t->count = made + 1;
    t->nodes[made] = (node){.parent = parent, .first = NOBODY, .last = NOBODY, .prev = above->last, .next = NOBODY,
                            .tag = TAG_TEXT, .text = text, .source = {t->token.start, t->token.stop}, .space = NS_HTML,
                            .blank = is_blank_part(t, text)};
    if (above->last == NOBODY) above->first = made;
    else after->next = made;
    above->last = made;
}

void tree_insert_comment(tree *t, int32_t parent) {
    int32_t made = new_element(t, COMMENT, NS_HTML);
    if (made == DOCUMENT) return;
    if (parent != NOBODY) tree_append(t, parent, made);
    else tree_place(t, made, tree_current(t));
}

static bool has_attribute(const tree *t, const node *element, int32_t name) {
    for (int32_t at = 0; at < element->attribute_count; at++)
        if (tree_attributes(t, element)[at].name == name) return true;
    return false;
}

/* A second <html> or <body> adds the attributes that the first one lacks. They move to the end of the pool, so that they
 * stay side by side; the number of attributes an element may have bounds the work. */
void tree_merge_attributes(tree *t, int32_t element) {
    node *kept = &t->nodes[element];
    tokenizer *pool = &t->tokenizer;
    int32_t offered = t->token.attribute_count, count = kept->attribute_count, added = 0;
    for (int32_t at = 0; at < offered; at++)
        if (!has_attribute(t, kept, token_attributes(pool, &t->token)[at].name)) added++;
    if (!added) return;
    if (count + added > pool->most_attributes) {
        t->attributes_cut += count + added - pool->most_attributes;
        added = pool->most_attributes - count;
    }
    if (added <= 0) return;
    int32_t first = t->token.attribute_first + offered, end = first + count;
    if (!tokenizer_make_room(pool, end + added)) {
        t->result = READ_NO_MEMORY;
        return;
    }
    if (count) memcpy(pool->attributes + first, tree_attributes(t, kept), (size_t)count * sizeof(attribute));
    for (int32_t at = 0; at < offered && end < first + count + added; at++) {
        attribute offer = token_attributes(pool, &t->token)[at];
        if (!has_attribute(t, kept, offer.name)) pool->attributes[end++] = offer;
    }
    kept->attribute_first = first;
    kept->attribute_count = end - first;
    pool->attributes_kept = end;
    count_attributes(t, added);
}
