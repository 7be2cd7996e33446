/* The tree construction dispatcher: pulls tokens and processes each by the rules of the current insertion mode. */
#include "compiler.h"
#include "attributes.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Initial room for one row per BYTES_PER_ROW bytes, enough for most pages; untouched memory costs nothing. */
enum { TOKENS_PER_CLOCK = 4096, FIRST_ROWS = 256, BYTES_PER_ROW = 48 };

static void set_rules(tree *t, column_rules rules) {
    t->rules = rules;
    memcpy(t->flags_of_tag, rules.flags_of_tag, (size_t)(rules.known < TAG_COUNT ? rules.known : TAG_COUNT));
    t->flags_of_tag[TAG_A] |= FLAGS_FROM_ATTRIBUTES;
    t->flags_of_tag[TAG_DIALOG] |= FLAGS_FROM_ATTRIBUTES;
    t->flags_of_tag[TAG_TEMPLATE] |= FLAGS_FROM_ATTRIBUTES;
}

static const char *const ATTRIBUTES[] = ATTRIBUTE_NAMES;

int tree_tables_init(tree_tables *tables) {
    memset(tables, 0, sizeof *tables);
    tree_classify_tags(tables->class_of);
    return names_init(&tables->tags, tag_names, TAG_COUNT) || names_init(&tables->attribute_names, ATTRIBUTES, ATTRIBUTE_COUNT);
}

void tree_tables_free(tree_tables *tables) {
    names_free(&tables->tags);
    names_free(&tables->attribute_names);
}

int tree_init(tree *t, store *s, const tree_tables *tables, column_rules rules, int32_t most_nodes, int32_t most_attributes) {
    memset(t, 0, sizeof(*t));
    t->store = s;
    t->tables = tables;
    t->most_nodes = most_nodes;
    t->frameset_ok = true;
    t->head = t->form = NONE;
    t->current = DOCUMENT;
    t->first_grown = t->first_foreign = INT32_MAX;
    t->most_attributes = most_nodes < INT32_MAX / ATTRIBUTES_PER_NODE ? most_nodes * ATTRIBUTES_PER_NODE : INT32_MAX;
    t->late[0].element = t->late[1].element = NONE;
    set_rules(t, rules);
    if (names_copy(&t->tags, &tables->tags) || names_copy(&t->attribute_names, &tables->attribute_names) ||
        tokenizer_init(&t->tokenizer, s, &t->tags, &t->attribute_names, most_attributes) || !tree_make_stack(t))
        return -1;
    int32_t room = FIRST_ROWS + s->length / BYTES_PER_ROW;
    t->room = t->plain_room = room < most_nodes ? room : most_nodes;
    if (!row_columns_grow(&t->rows, 0, t->room)) return -1;
    const row_columns *c = &t->rows;
    c->parent[DOCUMENT] = NONE;
    c->tag[DOCUMENT] = COMMENT;
    c->depth[DOCUMENT] = -1;
    c->flags[DOCUMENT] = c->end[DOCUMENT] = c->attr_first[0] = 0;
    return 0;
}

/* What only construction needs: on a deep page the stack of open elements is as large as the rows. */
static void free_construction(tree *t) {
    free(t->comments);
    free(t->open);
    free(t->contexts);
    free(t->latest[0]);
    free(t->latest[1]);
    free(t->formatting);
    free(t->templates);
    free(t->pending);
    t->comments = NULL;
    t->open = NULL;
    t->contexts = NULL;
    t->latest[0] = t->latest[1] = t->formatting = NULL;
    t->templates = NULL;
    t->pending = NULL;
}

void tree_free(tree *t) {
    tokenizer_free(&t->tokenizer);
    names_free(&t->tags);
    names_free(&t->attribute_names);
    row_columns_free(&t->rows);
    row_columns_free(&t->ordered);
    attribute_columns_free(&t->ordered_attributes);
    attribute_columns_free(&t->late[0].attributes);
    attribute_columns_free(&t->late[1].attributes);
    tree_free_links(t);
    free_construction(t);
}

/* The leading white space of a text. */
span tree_leading_blank(const tree *t, span text) {
    const uint8_t *bytes = store_at(t->store, text.start);
    int32_t length = text.stop - text.start, at = 0;
    while (at < length && (bytes[at] == ' ' || (bytes[at] >= '\t' && bytes[at] <= '\r' && bytes[at] != '\v'))) at++;
    return (span){text.start, text.start + at};
}

bool tree_equals(const tree *t, span text, const char *wanted) {
    int32_t length = (int32_t)strlen(wanted);
    if (text.start < 0 || text.stop - text.start != length) return false;
    const uint8_t *bytes = store_at(t->store, text.start);
    for (int32_t at = 0; at < length; at++) {
        uint8_t lower = bytes[at] >= 'A' && bytes[at] <= 'Z' ? (uint8_t)(bytes[at] + 32) : bytes[at];
        if (lower != (uint8_t)wanted[at]) return false;
    }
    return true;
}

span tree_token_attribute(const tree *t, int32_t name) {
    int32_t first = t->token.attribute_first;
    for (int32_t at = first; at < first + t->token.attribute_count; at++)
        if (t->tokenizer.attributes.name[at] == name) return tree_attribute_value(t, at);
    return (span){-1, -1};
}

bool tree_is_hidden_input(const tree *t) { return tree_equals(t, tree_token_attribute(t, ATTRIBUTE_TYPE), "hidden"); }

/* U+0000 is dropped in HTML content and replaced by U+FFFD in foreign content. */
static void remove_nul(tree *t) {
    span text = t->token.text;
    bool replace = tree_in_foreign_content(t);
    int32_t start = t->store->length + t->store->spilled;
    for (int32_t at = text.start; at < text.stop && !t->result;) {
        const uint8_t *bytes = store_at(t->store, at);
        const uint8_t *nul = memchr(bytes, 0, (size_t)(text.stop - at));
        int32_t count = nul ? (int32_t)(nul - bytes) : text.stop - at;
        /* The text may be in the spill, which may move when it grows: reserve first, then take addresses. */
        int32_t extra = nul && replace ? 3 : 0;
        if (store_reserve(t->store, count + extra)) {
            t->result = READ_NO_MEMORY;
            return;
        }
        if (count + extra) {
            uint8_t *to = t->store->spill + t->store->spilled - count - extra;
            memcpy(to, store_at(t->store, at), (size_t)count);
            if (extra) memcpy(to + count, "\xEF\xBF\xBD", 3);
        }
        at += count + (nul ? 1 : 0);
    }
    t->token.text = (span){start, t->store->length + t->store->spilled};
    span blank = tree_leading_blank(t, t->token.text);
    t->token.blank = blank.stop == t->token.text.stop;
    t->token.chars = t->token.blank ? 0 : CHARS_UNKNOWN;
}

static COLD bool prepare_text(tree *t) {
    if (t->skip_newline && t->token.text.start < t->token.text.stop && *store_at(t->store, t->token.text.start) == '\n')
        t->token.text.start++;
    t->skip_newline = false;
    if (t->token.has_nul) remove_nul(t);
    return t->token.text.start < t->token.text.stop;
}

static bool is_html_integration(const tree *t, int32_t element) {
    int32_t tag = t->rows.tag[element];
    if (tree_namespace(t, element) == NS_SVG) return tag == TAG_FOREIGNOBJECT || tag == TAG_DESC || tag == TAG_TITLE;
    return tag == TAG_ANNOTATION_XML && t->rows.flags[element] & HOLDS_HTML;
}

static bool is_math_text(int32_t tag) {
    return tag == TAG_MI || tag == TAG_MO || tag == TAG_MN || tag == TAG_MS || tag == TAG_MTEXT;
}

bool tree_in_foreign_content(const tree *t) {
    int32_t current = tree_current(t), tag = t->rows.tag[current];
    name_space space = tree_namespace(t, current);
    if (space == NS_HTML || t->token.kind == TOKEN_END_OF_FILE) return false;
    bool starts = t->token.kind == TOKEN_START, text = t->token.kind == TOKEN_TEXT;
    if (space == NS_MATH) {
        if (is_math_text(tag) && (text || (starts && t->token.tag != TAG_MGLYPH && t->token.tag != TAG_MALIGNMARK)))
            return false;
        if (tag == TAG_ANNOTATION_XML && starts && t->token.tag == TAG_SVG) return false;
    }
    return !(is_html_integration(t, current) && (starts || text));
}

outcome tree_dispatch(tree *t, insertion_mode mode) {
    switch (mode) {
        case IN_HEAD:
            return mode_in_head(t);
        case INITIAL: case BEFORE_HTML: case BEFORE_HEAD: case IN_HEAD_NOSCRIPT: case AFTER_HEAD:
            return mode_before_body(t);
        case IN_TEXT: case IN_BODY:
            return mode_in_body(t);
        case IN_TABLE: case IN_TABLE_TEXT: case IN_CAPTION: case IN_COLUMN_GROUP: case IN_TABLE_BODY: case IN_ROW:
        case IN_CELL:
            return mode_in_table(t);
        case IN_TEMPLATE:
            return mode_in_template(t);
        default:
            return mode_after_body(t);
    }
}

static insertion_mode mode_for(const tree *t, int32_t tag, bool last) {
    switch (tag) {
        case TAG_TD: case TAG_TH: return last ? IN_BODY : IN_CELL;
        case TAG_TR: return IN_ROW;
        case TAG_TBODY: case TAG_THEAD: case TAG_TFOOT: return IN_TABLE_BODY;
        case TAG_CAPTION: return IN_CAPTION;
        case TAG_COLGROUP: return IN_COLUMN_GROUP;
        case TAG_TABLE: return IN_TABLE;
        case TAG_TEMPLATE: return t->templates[t->template_count - 1].mode;
        case TAG_HEAD: return last ? IN_BODY : IN_HEAD;
        case TAG_BODY: return IN_BODY;
        case TAG_FRAMESET: return IN_FRAMESET;
        case TAG_HTML: return t->head == NONE ? BEFORE_HEAD : AFTER_HEAD;
        default: return INITIAL;
    }
}

void tree_reset_insertion_mode(tree *t) {
    int32_t at = t->open_count ? tree_context(t)->decides_mode : NONE;
    t->mode = at == NONE ? IN_BODY : mode_for(t, tree_html_tag(t, tree_open(t, at)), at == 0);
}

void tree_enter_text(tree *t, content_model model) {
    tokenizer_set_content_model(&t->tokenizer, model, t->token.tag);
    t->original_mode = t->mode;
    t->mode = IN_TEXT;
}

/* Wall time: process time sums over all threads. */
static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static outcome process_token(tree *t) {
    if (t->tokenizer.in_foreign && tree_in_foreign_content(t)) return mode_foreign(t);
    return t->mode == IN_BODY ? mode_in_body(t) : tree_dispatch(t, t->mode);
}

/* False: stop before this token, the `tokens`-th, because of memory or time. */
static COLD bool check_limits(tree *t, int32_t tokens, double deadline) {
    if (t->token.kind == TOKEN_FAILED) t->result = READ_NO_MEMORY;
    if (tokens % TOKENS_PER_CLOCK == 0 && now() > deadline) t->result = READ_TOO_LATE;
    return !t->result;
}

read_result tree_build(tree *t, double seconds) {
    double deadline = now() + seconds;
    for (int32_t tokens = 1; !t->result; tokens++) {
        tokenizer_next(&t->tokenizer, &t->token);
        token_kind kind = t->token.kind;
        if ((kind == TOKEN_FAILED || tokens % TOKENS_PER_CLOCK == 0) && !check_limits(t, tokens, deadline)) break;
        if (kind == TOKEN_TEXT) {
            if ((t->skip_newline || t->token.has_nul) && !prepare_text(t)) continue;
        } else {
            t->skip_newline = false;
        }
        while (process_token(t) == REPROCESS && !t->result) continue;
        if (kind == TOKEN_END_OF_FILE) break;
    }
    return t->result;
}

/* Insert merged attributes behind those of their element; all later ones move. */
static bool insert_late(tree *t, const late_attributes *late) {
    tokenizer *pool = &t->tokenizer;
    int32_t count = late->count, kept = pool->attributes_kept;
    if (!count) return true;
    if (!tokenizer_make_room(pool, kept + count)) return false;
    int32_t at = t->rows.attr_first[late->element + 1];
    attribute_columns_move(&pool->attributes, at, &pool->attributes, at + count, kept - at);
    attribute_columns_move(&late->attributes, 0, &pool->attributes, at, count);
    for (int32_t row = late->element + 1; row <= t->count; row++) t->rows.attr_first[row] += count;
    pool->attributes_kept = kept + count;
    return true;
}

/* Replace the temporary values in the cells of a regular page (see tree.h). */
static void finish_cells(tree *t) {
    const row_columns *c = &t->rows;
    for (int32_t at = 0; at < t->open_count; at++) c->end[tree_open(t, at)] = t->count;
    for (int32_t row = t->first_foreign, *flags = c->flags; row < t->count; row++) flags[row] &= SHOWN_FLAGS;
    for (int32_t row = t->first_grown; row < t->count; row++) {
        if (c->chars[row] != GROWN) continue;
        c->chars[row] = tree_count_chars(t, row);
        c->end[row] = row + 1;
    }
    if (t->ends_unsure) row_columns_set_ends(c, t->count);
}

read_result tree_finish(tree *t, columns *out) {
    t->irregular |= tree_has_open(t, TAG_TEMPLATE);
    if (!insert_late(t, &t->late[0]) || !insert_late(t, &t->late[1])) return t->result = READ_NO_MEMORY;
    if (!t->irregular) {
        finish_cells(t);
        *out = (columns){t->rows, t->tokenizer.attributes, t->count, t->tokenizer.attributes_kept};
        return t->result;
    }
    free_construction(t);
    tree_free_links_back(t);
    if (!tree_order(t, out)) t->result = READ_NO_MEMORY;
    tree_free_links(t);
    row_columns_free(&t->rows);
    return t->result;
}

void tree_release_columns(tree *t) {
    memset(t->irregular ? &t->ordered : &t->rows, 0, sizeof t->rows);
    memset(t->irregular ? &t->ordered_attributes : &t->tokenizer.attributes, 0, sizeof t->ordered_attributes);
}
