/* HTML5 tree construction on an arena of nodes.
 *
 * Nodes are numbers; moving one (foster parenting, the adoption agency) relinks numbers and copies nothing. The tree is
 * that of a browser with scripting off. Questions to the stack of open elements ("is there a p in button scope?") take
 * constant time at any depth (stack.c). Where exact HTML5 would still cost quadratic time there is a bound instead:
 *
 *   - the list of active formatting elements holds at most MOST_FORMATTING entries since its last marker; beyond that
 *     the oldest is forgotten;
 *   - work that no byte of the page pays for (formatting elements opened again, with their attributes; open elements moved
 *     by the adoption agency; the search for equal ones) may come to FREE_WORK steps, and one more for BYTES_PER_WORK
 *     bytes read. Beyond that, formatting elements are forgotten instead of opened again, and an end tag closes what it
 *     can. Of 2,540 real pages none needed 1,000 steps;
 *   - a tag keeps at most `most_attributes` attributes (tokenizer.h), and all elements together, clones included,
 *     ATTRIBUTES_PER_NODE for each node that the page may have; beyond that it has too many nodes.
 */
#ifndef BONMUN_TREE_H
#define BONMUN_TREE_H

#include <stdbool.h>

#include "inner.h"
#include "names.h"
#include "span.h"
#include "tags_table.h"
#include "tokenizer.h"

enum { MOST_FORMATTING = 128, FREE_WORK = 4096, BYTES_PER_WORK = 4, ATTRIBUTES_PER_NODE = 4 };
enum { NOBODY = -1, COMMENT = -2, MARKER = -1, DOCUMENT = 0 };

typedef enum { NS_HTML, NS_SVG, NS_MATH } name_space;

typedef enum {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, IN_TEXT, IN_TABLE, IN_TABLE_TEXT,
    IN_CAPTION, IN_COLUMN_GROUP, IN_TABLE_BODY, IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY, IN_FRAMESET, AFTER_FRAMESET,
    AFTER_AFTER_BODY, AFTER_AFTER_FRAMESET
} insertion_mode;

typedef enum { READ_WELL, READ_NO_MEMORY, READ_TOO_MANY_NODES, READ_TOO_LATE } read_result;

typedef struct {
    int32_t parent, first, last, prev, next;
    int32_t tag;              /* TAG_TEXT, an element's number, or COMMENT */
    union {
        span text;                                              /* TAG_TEXT */
        struct { int32_t attribute_first, attribute_count; };   /* of an element */
    };
    union {
        int32_t text_room;    /* TAG_TEXT: bytes reserved in the spill for it to grow */
        int32_t open_at;      /* where an element stands on the stack of open elements, or NOBODY */
    };
    span source;              /* the start tag, or the characters; start < 0: implied */
    uint8_t space;            /* name_space */
    bool blank;               /* TAG_TEXT: surely nothing but white space */
    bool holds_html;          /* an annotation-xml whose encoding says so */
} node;

typedef struct {
    span text, source;
} table_text;

typedef enum { SCOPE_PLAIN, SCOPE_LIST_ITEM, SCOPE_BUTTON, SCOPE_TABLE, SCOPE_COUNT } scope;

/* An entry of the stack of open elements. Everything but the element is the place of the nearest entry of some sort, itself
 * included, looking down from here: what a walk down the stack would find, known beforehand. NOBODY: none. */
typedef struct {
    int32_t element;
    int32_t same;               /* the next one below with the same name */
    int32_t bound[SCOPE_COUNT]; /* the nearest that bounds a scope */
    int32_t special;            /* the nearest special one */
    int32_t item_bound;         /* the nearest special one other than address, div and p */
    int32_t html;               /* the nearest of the HTML namespace */
    int32_t decides_mode;       /* the nearest that the insertion mode follows from */
} open_entry;

typedef struct {
    store *store;
    tokenizer tokenizer;
    token token;
    read_result result;

    node *nodes;
    int32_t count, room, most_nodes;
    int32_t attribute_total; /* over all elements; those that a clone shares with its original count for both */

    open_entry *open; /* the stack of open elements */
    int32_t open_count, open_room;
    int32_t current;            /* the topmost open element; DOCUMENT: none is open */
    uint8_t class_of[TAG_COUNT]; /* of HTML elements: see stack.c */
    int32_t *latest[2]; /* by tag number: the topmost open HTML [0] or foreign [1] element of that name, or NOBODY */
    int32_t latest_room[2];
    int32_t *formatting;        /* active formatting elements; MARKER between */
    int32_t formatting_count, formatting_room;
    uint8_t *template_modes;
    int32_t template_count, template_room;

    int64_t work; /* done so far that no byte paid for */
    insertion_mode mode, original_mode;
    int32_t head, form;
    bool moved; /* some node was: they no longer stand in document order */
    bool frameset_ok, quirks, foster, skip_newline;

    table_text *pending;
    int32_t pending_count, pending_room;
    bool pending_solid; /* some of it is not white space */

    int32_t attributes_cut;
} tree;

int tree_init(tree *t, store *s, names *tags, names *attribute_names, int32_t most_nodes, int32_t most_attributes);
void tree_free(tree *t);
read_result tree_build(tree *t, double seconds);

/* — tree_node.c: the arena, the stack, where things go — */
int32_t tree_insert_element(tree *t, int32_t tag, name_space space); /* from the current token; pushed */
int32_t tree_insert_implied(tree *t, int32_t tag);                   /* no token of its own; pushed */
int32_t tree_clone(tree *t, int32_t original);                       /* a detached copy without children */
INNER void tree_insert_text(tree *t, span text);
void tree_insert_comment(tree *t, int32_t parent); /* NOBODY: at the appropriate place */
void tree_place(tree *t, int32_t child, int32_t target); /* at the appropriate place, `target` in the current node's stead */
void tree_append(tree *t, int32_t parent, int32_t child);
void tree_insert_before(tree *t, int32_t parent, int32_t child, int32_t before);
void tree_detach(tree *t, int32_t child);
void tree_merge_attributes(tree *t, int32_t element);
bool tree_grow(tree *t, void **array, int32_t *room, int32_t needed, size_t size);

/* — stack.c: the stack of open elements — */
void tree_forget_classes(tree *t); /* class_of is filled as tags come */
INNER void tree_push(tree *t, int32_t element);
INNER void tree_pop(tree *t);
void tree_remove_open(tree *t, int32_t at); /* from the middle of the stack */
void tree_insert_open(tree *t, int32_t at, int32_t element);
void tree_replace_open(tree *t, int32_t at, int32_t element);
INNER int32_t tree_latest(const tree *t, int32_t tag, bool foreign); /* the topmost open element of that name, or NOBODY */

/* The attributes of an element, in the tokenizer's pool. */
static inline const attribute *tree_attributes(const tree *t, const node *element) {
    return t->tokenizer.attributes + element->attribute_first;
}

static inline int32_t tree_open(const tree *t, int32_t at) { return t->open[at].element; }
static inline int32_t tree_current(const tree *t) { return t->current; }
static inline const open_entry *tree_top(const tree *t) { return &t->open[t->open_count - 1]; }

/* The tag of an open HTML element, TAG_TEXT (which no element has) for a foreign one, COMMENT for the document. */
static inline int32_t tree_html_tag(const tree *t, int32_t element) {
    return t->nodes[element].space == NS_HTML ? t->nodes[element].tag : TAG_TEXT;
}
static inline bool tree_is_current(const tree *t, int32_t tag) { return tree_html_tag(t, tree_current(t)) == tag; }
static inline bool tree_has_open(const tree *t, int32_t tag) { return tree_latest(t, tag, false) != NOBODY; }

/* — scope.c — */
bool node_bounds(const node *here, scope kind);
bool node_is_special(const node *here);
INNER bool tree_in_scope(const tree *t, int32_t tag, scope kind);
bool tree_heading_in_scope(const tree *t);
bool tree_element_in_scope(const tree *t, int32_t element);
bool tree_is_special(const tree *t, int32_t element);
bool tree_is_heading(int32_t tag);
INNER void tree_pop_until(tree *t, int32_t tag);
INNER void tree_imply_ends(tree *t, int32_t except); /* TAG_TEXT: no exception */
void tree_imply_ends_thoroughly(tree *t);
INNER void tree_close_p(tree *t); /* if one is in button scope */
void tree_clear_back_to(tree *t, const int32_t *tags, int32_t count);

/* — formatting.c — */
bool tree_can_afford(const tree *t, int64_t more); /* see above: work */
void formatting_push(tree *t, int32_t element);
void formatting_mark(tree *t);
void formatting_clear(tree *t); /* back to the last marker */
void formatting_reopen(tree *t); /* the last listed, which is closed, and what is closed before it */
int32_t formatting_find(const tree *t, int32_t tag); /* its index since the last marker, or NOBODY */
void formatting_remove(tree *t, int32_t element);
void formatting_adopt(tree *t, int32_t tag); /* the adoption agency */

static inline void formatting_reconstruct(tree *t) {
    int32_t last = t->formatting_count ? t->formatting[t->formatting_count - 1] : MARKER;
    if (last != MARKER && t->nodes[last].open_at == NOBODY) formatting_reopen(t);
}

/* — the modes; each handles the current token and may ask for it to be handled again — */
typedef enum { DONE, AGAIN } outcome;
outcome mode_before_body(tree *t);  /* tree_head.c: INITIAL … AFTER_HEAD */
outcome mode_in_head(tree *t);
INNER outcome mode_in_body(tree *t);      /* tree_body.c */
outcome mode_in_table(tree *t);     /* tree_table.c: IN_TABLE … IN_CELL */
outcome mode_foreign(tree *t);      /* tree_foreign.c */
outcome mode_in_template(tree *t);  /* tree_rest.c */
outcome mode_after_body(tree *t);   /* tree_rest.c: AFTER_BODY, framesets and what follows them */
outcome tree_dispatch(tree *t, insertion_mode mode);
bool tree_is_foreign_now(const tree *t);
void tree_reset_mode(tree *t);
void tree_enter_text(tree *t, content_model model);
span tree_leading_blank(const tree *t, span text);
void tree_any_other_end(tree *t);
span tree_token_attribute(const tree *t, int32_t name); /* start < 0: not there */
bool tree_equals(const tree *t, span text, const char *wanted); /* ASCII case aside */
bool tree_is_hidden_input(const tree *t);

#endif
