/* HTML5 tree construction, straight into columns.
 *
 * Nodes are numbers: their rows, as most pages are written in document order. Where a node has to be moved (foster
 * parenting, the adoption agency), all get links to their neighbours (links.c), moving relinks numbers and copies nothing,
 * and the rows are brought in order at the end (order.c). The tree is that of a browser with scripting off. Questions to
 * the stack of open elements ("is there a p in button scope?") take constant time at any depth (stack.c). Where exact HTML5
 * would still cost quadratic time there is a bound instead:
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

#include "columns.h"
#include "compiler.h"
#include "names.h"
#include "span.h"
#include "tags_table.h"
#include "tokenizer.h"

enum { MOST_FORMATTING = 128, FREE_WORK = 4096, BYTES_PER_WORK = 4, ATTRIBUTES_PER_NODE = 4 };
enum { NOBODY = -2, COMMENT = -2, MARKER = -1 };

typedef enum { NS_HTML, NS_SVG, NS_MATH } name_space;

typedef enum {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, IN_TEXT, IN_TABLE, IN_TABLE_TEXT,
    IN_CAPTION, IN_COLUMN_GROUP, IN_TABLE_BODY, IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY, IN_FRAMESET, AFTER_FRAMESET,
    AFTER_AFTER_BODY, AFTER_AFTER_FRAMESET
} insertion_mode;

typedef enum { READ_WELL, READ_NO_MEMORY, READ_TOO_MANY_NODES, READ_TOO_LATE } read_result;

/* While the tree grows, a row's cells also say what a reader of the page need not know:
 *   flags, of an element: its name_space from SPACE_SHIFT on, and HOLDS_HTML for an annotation-xml whose encoding says so;
 *   end, of an open element: ~ its place on the stack of open elements;
 *   chars, of a text that grew: GROWN, to be counted at the end; then its end is the room reserved for it in the spill. */
enum { SHOWN_FLAGS = 0xFF, SPACE_SHIFT = 8, HOLDS_HTML = 1 << 10, GROWN = -1 };

/* The neighbours of each node, once they are needed. */
typedef struct {
    int32_t *first, *last, *prev, *next;
} links;

/* A comment before a row; it has none itself. */
typedef struct {
    int32_t row, parent;
} passed_comment;

typedef struct {
    insertion_mode mode;
    int32_t listed; /* formatting elements before it */
} open_template;

typedef struct {
    const uint8_t *flags_of_tag; /* by tag number; beyond `known`: none */
    int32_t known;
    int32_t most_depth; /* deeper elements have no row; their text stays, below the deepest that has one */
} column_rules;

/* What is the same for every page, made once. */
typedef struct {
    names tags, attribute_names;
    uint8_t class_of[TAG_COUNT]; /* of HTML elements: see stack.c */
} tree_tables;

int tree_tables_init(tree_tables *tables); /* -1: no memory */
void tree_tables_free(tree_tables *tables);

/* Attributes that a second <html> or <body> added to the first. */
typedef struct {
    int32_t element, count, room;
    attribute_columns attributes;
} late_attributes;

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
    const tree_tables *tables;
    names tags, attribute_names;
    tokenizer tokenizer;
    token token;
    read_result result;

    row_columns rows;
    int32_t count, room, most_nodes;
    int32_t plain_room;      /* as long as new rows need no links: the room; else 0 */
    int32_t most_attributes; /* in all */
    column_rules rules;
    uint8_t flags_of_tag[TAG_COUNT]; /* from the rules; TAG_ASKS */
    links links;                     /* no memory: every node stands in document order */
    passed_comment *passed;          /* as long as there are no links; then comments are nodes */
    int32_t passed_count, passed_room;
    int32_t parted_at;               /* so many rows there were when a comment came after the text that is the last of them */
    late_attributes late[2];
    bool irregular;        /* some node is no row of the page, or not where it was made */
    bool ends_unsure;      /* some element left the stack before those that it holds */
    int32_t first_grown;   /* of the texts that have still to be counted */
    int32_t first_foreign; /* of the elements that are not HTML */
    row_columns ordered;   /* of an irregular page, in the end */
    attribute_columns ordered_attributes;

    open_entry *open; /* the stack of open elements */
    int32_t open_count, open_room;
    int32_t current;            /* the topmost open element; DOCUMENT: none is open */
    int32_t *latest[2]; /* by tag number: the topmost open HTML [0] or foreign [1] element of that name, or NOBODY */
    int32_t latest_room[2];
    int32_t *formatting;        /* active formatting elements; MARKER between */
    int32_t formatting_count, formatting_room;
    open_template *templates;
    int32_t template_count, template_room;

    int64_t work; /* done so far that no byte paid for */
    insertion_mode mode, original_mode;
    int32_t head, form;
    bool frameset_ok, quirks, foster, skip_newline;

    table_text *pending;
    int32_t pending_count, pending_room;
    bool pending_solid; /* some of it is not white space */

    int32_t attributes_cut, depth_cut;
} tree;

int tree_init(tree *t, store *s, const tree_tables *tables, column_rules rules, int32_t most_nodes, int32_t most_attributes);
void tree_free(tree *t);
read_result tree_build(tree *t, double seconds);
read_result tree_finish(tree *t, columns *out);
void tree_give_columns(tree *t); /* they were the tree's, and are the caller's to free */

/* — tree_node.c: new rows, and where they go — */
int32_t tree_insert_element(tree *t, int32_t tag);                   /* from the current token; pushed */
int32_t tree_insert_foreign(tree *t, int32_t tag, name_space space); /* the same */
int32_t tree_insert_implied(tree *t, int32_t tag);                   /* no token of its own; pushed */
int32_t tree_insert_clone(tree *t, int32_t original);                /* a copy without children; pushed */
int32_t tree_clone(tree *t, int32_t original);                       /* a detached one, where nodes are linked */
int64_t tree_clone_work(const tree *t, int32_t original);            /* what that costs: see above */
READER_LOCAL void tree_insert_text(tree *t, span text, bool blank); /* not empty; blank: surely nothing but white space */
void tree_insert_comment(tree *t, int32_t parent); /* NOBODY: at the appropriate place */
int32_t tree_new_comment(tree *t);                 /* detached; where nodes are linked */
int32_t tree_count_chars(const tree *t, int32_t text); /* those that a reader sees: none of a script or a style sheet */
void tree_place(tree *t, int32_t child, int32_t target); /* at the appropriate place, `target` in the current node's stead */
void tree_merge_attributes(tree *t, int32_t element);
bool tree_grow(tree *t, void **array, int32_t *room, int32_t needed, size_t size);

/* — links.c: nodes that move — */
bool tree_link(tree *t); /* false: no memory, and t->result says so */
bool tree_grow_links(tree *t, int32_t room);
void tree_free_links(tree *t);
void tree_append(tree *t, int32_t parent, int32_t child);
void tree_insert_before(tree *t, int32_t parent, int32_t child, int32_t before);
void tree_detach(tree *t, int32_t child);
void tree_hand_over_children(tree *t, int32_t from, int32_t to);

/* — order.c: the rows of an irregular page — */
bool tree_order(tree *t, columns *out); /* false: no memory */

/* — flags.c: whether a reader sees an element, whether it is a link — */
enum { TAG_ASKS = 0x80 }; /* in flags_of_tag: the attributes have a say */
int32_t tree_own_flags(const tree *t, int32_t element);
bool tree_is_shadow_root(const tree *t, int32_t element);

/* — stack.c: the stack of open elements — */
void tree_classify_tags(uint8_t *class_of);
bool tree_make_stack(tree *t); /* room for the tags that are known, and some depth */
READER_LOCAL void tree_push(tree *t, int32_t element, int32_t tag, name_space space);
READER_LOCAL void tree_pop(tree *t);
void tree_remove_open(tree *t, int32_t at); /* from the middle of the stack */
void tree_insert_open(tree *t, int32_t at, int32_t element);
void tree_replace_open(tree *t, int32_t at, int32_t element);
READER_LOCAL int32_t tree_latest(const tree *t, int32_t tag, bool foreign); /* the topmost open element of that name, or NOBODY */

static inline int32_t tree_attribute_count(const tree *t, int32_t element) {
    return t->rows.attr_first[element + 1] - t->rows.attr_first[element];
}
static inline span tree_attribute_value(const tree *t, int32_t at) {
    return (span){t->tokenizer.attributes.start[at], t->tokenizer.attributes.stop[at]};
}

static inline name_space tree_space(const tree *t, int32_t element) {
    return (name_space)(t->rows.flags[element] >> SPACE_SHIFT & 3);
}

/* Where an element stands on the stack of open elements, or NOBODY. */
static inline int32_t tree_place_on_stack(const tree *t, int32_t element) {
    int32_t end = t->rows.end[element];
    return end < 0 ? ~end : NOBODY;
}
static inline bool tree_is_linked(const tree *t) { return t->links.first != NULL; }

/* Whether what may not stand in a table goes before it. That is a move even where it appends: the table is still open, and
 * gets more children. */
static inline void tree_set_foster(tree *t, bool foster) {
    t->foster = foster;
    t->plain_room = foster || tree_is_linked(t) ? 0 : t->room;
}

static inline int32_t tree_open(const tree *t, int32_t at) { return t->open[at].element; }
static inline int32_t tree_current(const tree *t) { return t->current; }
static inline const open_entry *tree_top(const tree *t) { return &t->open[t->open_count - 1]; }

/* The tag of an open HTML element, TAG_TEXT (which no element has) for a foreign one, COMMENT for the document. */
static inline int32_t tree_html_tag(const tree *t, int32_t element) {
    return tree_space(t, element) == NS_HTML ? t->rows.tag[element] : TAG_TEXT;
}
static inline bool tree_is_current(const tree *t, int32_t tag) { return tree_html_tag(t, tree_current(t)) == tag; }
static inline bool tree_has_open(const tree *t, int32_t tag) { return tree_latest(t, tag, false) != NOBODY; }

/* — scope.c — */
bool tag_bounds(int32_t tag, name_space space, scope kind);
bool tag_is_special(int32_t tag, name_space space);
READER_LOCAL bool tree_in_scope(const tree *t, int32_t tag, scope kind);
bool tree_heading_in_scope(const tree *t);
bool tree_element_in_scope(const tree *t, int32_t element);
bool tree_is_special(const tree *t, int32_t element);
bool tree_is_heading(int32_t tag);
READER_LOCAL void tree_pop_until(tree *t, int32_t tag);
READER_LOCAL void tree_imply_ends(tree *t, int32_t except); /* TAG_TEXT: no exception */
void tree_imply_ends_thoroughly(tree *t);
READER_LOCAL void tree_close_p(tree *t); /* if one is in button scope */
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
    if (last != MARKER && tree_place_on_stack(t, last) == NOBODY) formatting_reopen(t);
}

/* — the modes; each handles the current token and may ask for it to be handled again — */
typedef enum { DONE, AGAIN } outcome;
outcome mode_before_body(tree *t);  /* tree_head.c: INITIAL … AFTER_HEAD */
outcome mode_in_head(tree *t);
READER_LOCAL outcome mode_in_body(tree *t);      /* tree_body.c */
outcome mode_in_table(tree *t);     /* tree_table.c: IN_TABLE … IN_CELL */
outcome mode_foreign(tree *t);      /* tree_foreign.c */
outcome mode_in_template(tree *t);  /* tree_rest.c */
void tree_close_template(tree *t);  /* the topmost one that is open */
outcome mode_after_body(tree *t);   /* tree_rest.c: AFTER_BODY, framesets and what follows them */
outcome tree_dispatch(tree *t, insertion_mode mode);
bool tree_is_foreign_now(const tree *t);
void tree_reset_mode(tree *t);
void tree_enter_text(tree *t, content_model model);
span tree_leading_blank(const tree *t, span text);
void tree_insert_white_space(tree *t); /* what there is of it in the token; the rest has no place here */
void tree_any_other_end(tree *t);
span tree_token_attribute(const tree *t, int32_t name); /* start < 0: not there */
bool tree_equals(const tree *t, span text, const char *wanted); /* ASCII case aside */
bool tree_is_hidden_input(const tree *t);

#endif
