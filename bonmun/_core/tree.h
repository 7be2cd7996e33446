/* HTML5 tree construction (the WHATWG standard, scripting off), written straight into columns.
 *
 * A node is its row number, since most pages are written in document order. Once a node has to move (foster parenting, the
 * adoption agency), all nodes get sibling links (links.c); moving then relinks numbers and copies nothing, and the rows are
 * put in document order at the end (order.c). Scope queries ("has a p element in button scope?") take constant time at any
 * depth (stack.c). Where exact HTML5 would still take quadratic time there is a bound instead:
 *
 *   - the list of active formatting elements holds at most MOST_FORMATTING entries since its last marker; beyond that
 *     the oldest is dropped;
 *   - work not paid for by bytes of the page (reconstructing formatting elements and their attributes, moving open elements
 *     in the adoption agency, searching for equal entries) is limited to FREE_WORK steps plus one per BYTES_PER_WORK bytes
 *     read. Beyond that, formatting elements are dropped instead of reconstructed, and an end tag closes only what is
 *     open. Of 2,540 real pages none needed 1,000 steps;
 *   - a tag keeps at most `most_attributes` attributes (tokenizer.h), and all elements together, clones included,
 *     ATTRIBUTES_PER_NODE times the node limit; beyond that the page exceeds the node limit.
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
enum { NONE = -2 };    /* sentinel: no node, or no index */
enum { COMMENT = -2 }; /* tag of a comment node */
enum { MARKER = -1 };  /* in the list of active formatting elements */

typedef enum { NS_HTML, NS_SVG, NS_MATH } name_space;

typedef enum {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, IN_TEXT, IN_TABLE, IN_TABLE_TEXT,
    IN_CAPTION, IN_COLUMN_GROUP, IN_TABLE_BODY, IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY, IN_FRAMESET, AFTER_FRAMESET,
    AFTER_AFTER_BODY, AFTER_AFTER_FRAMESET
} insertion_mode;

typedef enum { READ_OK, READ_NO_MEMORY, READ_TOO_MANY_NODES, READ_TOO_LATE } read_result;

/* During construction some cells hold temporary values:
 *   flags of an element: its name_space from bit SPACE_SHIFT on, and HOLDS_HTML for an annotation-xml with an HTML encoding;
 *   end of an open element: ~ its index in the stack of open elements;
 *   chars of an extended text: GROWN, counted at the end; its `end` is the room reserved for it in the spill. */
enum { SHOWN_FLAGS = 0xFF, SPACE_SHIFT = 8, HOLDS_HTML = 1 << 10, GROWN = -1 };

/* Children and siblings of each node, from the first move on. */
typedef struct {
    int32_t *first, *last, *prev, *next;
} links;

/* A comment without a node: it comes before `row`. */
typedef struct {
    int32_t row, parent;
} comment_note;

typedef struct {
    insertion_mode mode;
    int32_t listed; /* active formatting elements when it was opened */
} open_template;

typedef struct {
    const uint8_t *flags_of_tag; /* by tag number; tags from `known` on have no flags */
    int32_t known;
    int32_t most_depth; /* deeper elements get no row; their text stays, below the deepest element with a row */
} column_rules;

/* Digests of names that page_facts.c looks up on every page. */
typedef struct {
    uint64_t known[KNOWN_ATTRIBUTES], formula_attributes[FORMULA_NAME_COUNT], formula_tags[FORMULA_TAGS];
} wanted_digests;

/* Tables shared by all pages, made once. */
typedef struct {
    names tags, attribute_names;
    wanted_digests wanted;
    uint8_t class_of[TAG_COUNT]; /* of HTML elements; see stack.c */
} tree_tables;

int tree_tables_init(tree_tables *tables); /* -1: no memory */
void tree_tables_free(tree_tables *tables);

/* Attributes that later <html> or <body> tags add to the element. */
typedef struct {
    int32_t element, count, room;
    attribute_columns attributes;
} late_attributes;

typedef struct {
    span text, source;
} table_text;

typedef enum { SCOPE_PLAIN, SCOPE_LIST_ITEM, SCOPE_BUTTON, SCOPE_TABLE, SCOPE_COUNT } scope;

/* What few open elements change: the index of the nearest entry of some class, from the top down, or NONE. */
typedef struct {
    int32_t bound[SCOPE_COUNT]; /* the nearest boundary of each scope */
    int32_t decides_mode;       /* the nearest element that determines the insertion mode */
    int32_t html;               /* below a foreign element: the nearest HTML element */
} open_context;

/* An entry of the stack of open elements. All fields but `element` cache the result of a search down the stack from this
 * entry, itself included. */
typedef struct {
    int32_t element;
    int32_t same;       /* the next entry below with the same name */
    int32_t special;    /* the nearest special element */
    int32_t item_bound; /* the nearest special element other than address, div and p */
    int32_t context;    /* the index of what the other searches find */
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
    int32_t plain_room;      /* `room` while new rows need no links, else 0 */
    int32_t most_attributes; /* of all elements together */
    column_rules rules;
    uint8_t flags_of_tag[TAG_COUNT]; /* from the rules, with FLAGS_FROM_ATTRIBUTES */
    uint8_t seen[256];               /* by the low byte of a tag: whether a row has, or had, such a tag */
    links links;                     /* NULL while every node is in document order */
    comment_note *comments;          /* while there are no links; with links, comments are nodes */
    int32_t comment_count, comment_room;
    int32_t text_closed_at; /* row count when a comment followed the last text, which must not be extended then */
    late_attributes late[2];
    bool irregular;        /* the rows are not the page in document order; order.c has to run */
    bool ends_unsure;      /* some element left the stack before its descendants */
    int32_t first_grown;   /* the first text with `chars` GROWN */
    int32_t first_foreign; /* the first element that is not HTML */
    row_columns ordered;   /* the result for an irregular page */
    attribute_columns ordered_attributes;

    open_entry *open; /* the stack of open elements */
    int32_t open_count, open_room;
    open_context *contexts; /* at 0: with nothing open */
    int32_t context_room;
    int32_t current;    /* the current node; DOCUMENT: no element is open */
    int32_t *latest[2]; /* by tag number: stack index of the topmost HTML [0] or foreign [1] element, or NONE */
    int32_t latest_room[2];
    int32_t *formatting; /* the list of active formatting elements, with MARKERs */
    int32_t formatting_count, formatting_room;
    open_template *templates; /* the stack of template insertion modes */
    int32_t template_count, template_room;

    int64_t work; /* steps so far that no byte of the page pays for */
    insertion_mode mode, original_mode;
    int32_t head, form; /* the head and form element pointers */
    bool frameset_ok, quirks, foster_parenting, skip_newline;

    table_text *pending; /* pending table character tokens */
    int32_t pending_count, pending_room;
    bool pending_solid; /* not only white space */

    int32_t attributes_cut, depth_cut;
} tree;

int tree_init(tree *t, store *s, const tree_tables *tables, column_rules rules, int32_t most_nodes,
              int32_t most_attributes); /* -1: no memory */
void tree_free(tree *t);
read_result tree_build(tree *t, double seconds);
read_result tree_finish(tree *t, columns *out);
void tree_release_columns(tree *t); /* the caller owns them from now on */

/* — tree_node.c: creating nodes, and the appropriate place for inserting them — */
int32_t tree_insert_element(tree *t, int32_t tag);                   /* for the current token; pushed */
int32_t tree_insert_foreign(tree *t, int32_t tag, name_space space); /* likewise */
int32_t tree_insert_implied(tree *t, int32_t tag);                   /* without a token; pushed */
int32_t tree_insert_clone(tree *t, int32_t original);                /* without children; pushed */
int32_t tree_clone(tree *t, int32_t original);                       /* detached; needs links */
int64_t tree_clone_work(const tree *t, int32_t original);            /* steps of work, see above */
READER_LOCAL void tree_insert_text(tree *t, span text, int32_t chars); /* not empty; `chars` as in token */
void tree_insert_comment(tree *t, int32_t parent);     /* NONE: at the appropriate place */
int32_t tree_new_comment(tree *t);                     /* detached; needs links */
int32_t tree_count_chars(const tree *t, int32_t text); /* visible characters; 0 in script and style */
void tree_insert_at_appropriate_place(tree *t, int32_t child, int32_t target); /* `target`: the override target */
void tree_merge_attributes(tree *t, int32_t element);
bool tree_grow(tree *t, void **array, int32_t *room, int32_t needed, size_t size);

/* — links.c: nodes that move — */
bool tree_link(tree *t); /* false: no memory, t->result is set */
bool tree_grow_links(tree *t, int32_t room);
void tree_free_links(tree *t);
void tree_free_links_back(tree *t); /* the others tell the order of the page */
void tree_append(tree *t, int32_t parent, int32_t child);
void tree_insert_before(tree *t, int32_t parent, int32_t child, int32_t before);
void tree_detach(tree *t, int32_t child);
void tree_move_children(tree *t, int32_t from, int32_t to);

/* — order.c: the rows of an irregular page — */
bool tree_order(tree *t, columns *out); /* false: no memory */

/* — flags.c: whether an element is shown, whether it is a link — */
enum { FLAGS_FROM_ATTRIBUTES = 0x80 }; /* in flags_of_tag: the flags depend on attributes too */
int32_t tree_own_flags(const tree *t, int32_t element);
bool tree_is_shadow_root(const tree *t, int32_t element);

/* — stack.c: the stack of open elements — */
void tree_classify_tags(uint8_t *class_of);
bool tree_make_stack(tree *t); /* room for the known tags and some depth */
READER_LOCAL void tree_push(tree *t, int32_t element, int32_t tag, name_space space);
READER_LOCAL void tree_pop(tree *t);
void tree_remove_open(tree *t, int32_t at); /* from the middle of the stack */
void tree_insert_open(tree *t, int32_t at, int32_t element);
void tree_replace_open(tree *t, int32_t at, int32_t element);
READER_LOCAL int32_t tree_latest(const tree *t, int32_t tag, bool foreign); /* topmost open element of that name, or NONE */

static inline int32_t tree_attribute_count(const tree *t, int32_t element) {
    return t->rows.attr_first[element + 1] - t->rows.attr_first[element];
}
static inline span tree_attribute_value(const tree *t, int32_t at) {
    return (span){t->tokenizer.attributes.start[at], t->tokenizer.attributes.stop[at]};
}

static inline name_space tree_namespace(const tree *t, int32_t element) {
    return (name_space)(t->rows.flags[element] >> SPACE_SHIFT & 3);
}

/* The index of an element in the stack of open elements, or NONE. */
static inline int32_t tree_stack_index(const tree *t, int32_t element) {
    int32_t end = t->rows.end[element];
    return end < 0 ? ~end : NONE;
}
static inline bool tree_is_linked(const tree *t) { return t->links.first != NULL; }

/* Whether foster parenting is on. It needs links even where it appends: the table is still open and gets more children. */
static inline void tree_set_foster_parenting(tree *t, bool on) {
    t->foster_parenting = on;
    t->plain_room = on || tree_is_linked(t) ? 0 : t->room;
}

static inline int32_t tree_open(const tree *t, int32_t at) { return t->open[at].element; }
static inline int32_t tree_current(const tree *t) { return t->current; }
static inline const open_entry *tree_top(const tree *t) { return &t->open[t->open_count - 1]; }
static inline const open_context *tree_context(const tree *t) { return &t->contexts[tree_top(t)->context]; } /* some element is open */

/* The tag of an open HTML element; TAG_TEXT, which no element has, for a foreign one; COMMENT for the document. */
static inline int32_t tree_html_tag(const tree *t, int32_t element) {
    return tree_namespace(t, element) == NS_HTML ? t->rows.tag[element] : TAG_TEXT;
}
static inline bool tree_is_current(const tree *t, int32_t tag) { return tree_html_tag(t, tree_current(t)) == tag; }
static inline bool tree_has_open(const tree *t, int32_t tag) { return tree_latest(t, tag, false) != NONE; }

/* — scope.c — */
bool tag_bounds(int32_t tag, name_space space, scope kind);
bool tag_is_special(int32_t tag, name_space space);
READER_LOCAL bool tree_in_scope(const tree *t, int32_t tag, scope kind);
bool tree_heading_in_scope(const tree *t);
bool tree_element_in_scope(const tree *t, int32_t element);
bool tree_is_special(const tree *t, int32_t element);
bool tree_is_heading(int32_t tag);
READER_LOCAL void tree_pop_until(tree *t, int32_t tag);
READER_LOCAL void tree_generate_implied_end_tags(tree *t, int32_t except); /* TAG_TEXT: no exception */
void tree_generate_implied_end_tags_thoroughly(tree *t);
READER_LOCAL void tree_close_p(tree *t); /* if one is in button scope */
void tree_clear_back_to(tree *t, const int32_t *tags, int32_t count);

/* — formatting.c — */
bool tree_has_work_left(const tree *t, int64_t steps); /* see above: work */
void formatting_push(tree *t, int32_t element);
void formatting_insert_marker(tree *t);
void formatting_clear_to_marker(tree *t);
void formatting_reopen(tree *t); /* reconstruct; the last entry is known to be closed */
int32_t formatting_find(const tree *t, int32_t tag); /* index of the last entry since the last marker, or NONE */
void formatting_remove(tree *t, int32_t element);
void formatting_run_adoption_agency(tree *t, int32_t tag);

/* Reconstruct the active formatting elements. */
static inline void formatting_reconstruct(tree *t) {
    int32_t last = t->formatting_count ? t->formatting[t->formatting_count - 1] : MARKER;
    if (last != MARKER && tree_stack_index(t, last) == NONE) formatting_reopen(t);
}

/* — insertion modes: each processes the current token, and may ask for it to be reprocessed — */
typedef enum { DONE, REPROCESS } outcome;
outcome mode_before_body(tree *t);  /* tree_head.c: INITIAL … AFTER_HEAD */
outcome mode_in_head(tree *t);
READER_LOCAL outcome mode_in_body(tree *t);      /* tree_body.c */
outcome mode_in_table(tree *t);     /* tree_table.c: IN_TABLE … IN_CELL */
outcome mode_foreign(tree *t);      /* tree_foreign.c */
outcome mode_in_template(tree *t);  /* tree_rest.c */
void tree_close_template(tree *t);  /* the topmost open template */
outcome mode_after_body(tree *t);   /* tree_rest.c: AFTER_BODY, framesets and the modes after them */
outcome tree_dispatch(tree *t, insertion_mode mode);
bool tree_in_foreign_content(const tree *t);
void tree_reset_insertion_mode(tree *t);
void tree_enter_text(tree *t, content_model model);
span tree_leading_blank(const tree *t, span text);
void tree_insert_white_space(tree *t); /* that of the token; its other characters are dropped */
void tree_any_other_end_tag(tree *t);
span tree_token_attribute(const tree *t, int32_t name); /* start < 0: missing */
bool tree_equals(const tree *t, span text, const char *wanted); /* ASCII case-insensitive */
bool tree_is_hidden_input(const tree *t);

#endif
