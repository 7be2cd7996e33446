/* The driver: pulls tokens, prepares text, and hands each token to the rules of the current insertion mode. */
#include "apart.h"
#include "attributes.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Room for a page of 1 node in so many bytes, as most are: what is never touched costs nothing. */
enum { TOKENS_PER_CLOCK = 4096, FIRST_NODES = 64, BYTES_PER_NODE = 64 };

int tree_init(tree *t, store *s, names *tags, names *attribute_names, int32_t most_nodes, int32_t most_attributes) {
    memset(t, 0, sizeof(*t));
    t->store = s;
    t->most_nodes = most_nodes < INT32_MAX - 8 ? most_nodes + 8 : most_nodes; /* the document, and what is never a row */
    t->frameset_ok = true;
    t->head = t->form = NOBODY;
    tree_forget_classes(t);
    if (tokenizer_init(&t->tokenizer, s, tags, attribute_names, most_attributes)) return -1;
    if (!tree_grow(t, (void **)&t->nodes, &t->room, FIRST_NODES + s->length / BYTES_PER_NODE, sizeof(node))) return -1;
    if (t->room > t->most_nodes) t->room = t->most_nodes;
    t->nodes[DOCUMENT] = (node){.parent = NOBODY, .first = NOBODY, .last = NOBODY, .prev = NOBODY, .next = NOBODY,
                                .tag = COMMENT};
    t->count = 1;
    return 0;
}

void tree_free(tree *t) {
    tokenizer_free(&t->tokenizer);
    free(t->nodes);
    free(t->open);
    free(t->latest[0]);
    free(t->latest[1]);
    free(t->formatting);
    free(t->template_modes);
    free(t->pending);
}

/* The white space that a text starts with. */
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
    const attribute *attributes = token_attributes(&t->tokenizer, &t->token);
    for (int32_t at = 0; at < t->token.attribute_count; at++)
        if (attributes[at].name == name) return attributes[at].value;
    return (span){-1, -1};
}

bool tree_is_hidden_input(const tree *t) { return tree_equals(t, tree_token_attribute(t, ATTRIBUTE_TYPE), "hidden"); }

/* U+0000 is dropped from HTML content and replaced in foreign content. */
static void without_nul(tree *t) {
    span text = t->token.text;
    bool replace = tree_is_foreign_now(t);
    int32_t start = t->store->length + t->store->spilled;
    for (int32_t at = text.start; at < text.stop && !t->result;) {
        const uint8_t *bytes = store_at(t->store, at);
        const uint8_t *nul = memchr(bytes, 0, (size_t)(text.stop - at));
        int32_t count = nul ? (int32_t)(nul - bytes) : text.stop - at;
        /* The spill may move while it grows, and the text may lie in it: reserve first, then look again. */
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
}

static APART bool prepare_text(tree *t) {
    if (t->skip_newline && t->token.text.start < t->token.text.stop && *store_at(t->store, t->token.text.start) == '\n')
        t->token.text.start++;
    t->skip_newline = false;
    if (t->token.has_nul) without_nul(t);
    return t->token.text.start < t->token.text.stop;
}

static bool is_html_integration(const tree *t, int32_t element) {
    const node *here = &t->nodes[element];
    if (here->space == NS_SVG)
        return here->tag == TAG_FOREIGNOBJECT || here->tag == TAG_DESC || here->tag == TAG_TITLE;
    return here->space == NS_MATH && here->tag == TAG_ANNOTATION_XML && here->holds_html;
}

static bool is_math_text(const node *here) {
    return here->space == NS_MATH && (here->tag == TAG_MI || here->tag == TAG_MO || here->tag == TAG_MN ||
                                      here->tag == TAG_MS || here->tag == TAG_MTEXT);
}

bool tree_is_foreign_now(const tree *t) {
    int32_t current = tree_current(t);
    if (t->nodes[current].space == NS_HTML || t->token.kind == TOKEN_END_OF_FILE) return false;
    const node *here = &t->nodes[current];
    bool starts = t->token.kind == TOKEN_START, text = t->token.kind == TOKEN_TEXT;
    if (is_math_text(here) && (text || (starts && t->token.tag != TAG_MGLYPH && t->token.tag != TAG_MALIGNMARK)))
        return false;
    if (here->space == NS_MATH && here->tag == TAG_ANNOTATION_XML && starts && t->token.tag == TAG_SVG) return false;
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
        case TAG_TEMPLATE: return (insertion_mode)t->template_modes[t->template_count - 1];
        case TAG_HEAD: return last ? IN_BODY : IN_HEAD;
        case TAG_BODY: return IN_BODY;
        case TAG_FRAMESET: return IN_FRAMESET;
        case TAG_HTML: return t->head == NOBODY ? BEFORE_HEAD : AFTER_HEAD;
        default: return INITIAL;
    }
}

void tree_reset_mode(tree *t) {
    int32_t at = t->open_count ? tree_top(t)->decides_mode : NOBODY;
    t->mode = at == NOBODY ? IN_BODY : mode_for(t, tree_html_tag(t, tree_open(t, at)), at == 0);
}

void tree_enter_text(tree *t, content_model model) {
    tokenizer_enter(&t->tokenizer, model, t->token.tag);
    t->original_mode = t->mode;
    t->mode = IN_TEXT;
}

/* Wall time: process time would run faster the more threads read at once. */
static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static outcome handle(tree *t) {
    if (t->tokenizer.in_foreign && tree_is_foreign_now(t)) return mode_foreign(t);
    return t->mode == IN_BODY ? mode_in_body(t) : tree_dispatch(t, t->mode);
}

/* Whether there is no reason to stop before this token; `tokens` were read. */
static APART bool may_go_on(tree *t, int32_t tokens, double deadline) {
    if (t->token.kind == TOKEN_FAILED) t->result = READ_NO_MEMORY;
    if (tokens % TOKENS_PER_CLOCK == 0 && now() > deadline) t->result = READ_TOO_LATE;
    return !t->result;
}

read_result tree_build(tree *t, double seconds) {
    double deadline = now() + seconds;
    for (int32_t tokens = 1; !t->result; tokens++) {
        tokenizer_next(&t->tokenizer, &t->token);
        token_kind kind = t->token.kind;
        if ((kind == TOKEN_FAILED || tokens % TOKENS_PER_CLOCK == 0) && !may_go_on(t, tokens, deadline)) break;
        if (kind == TOKEN_TEXT) {
            if ((t->skip_newline || t->token.has_nul) && !prepare_text(t)) continue;
        } else {
            t->skip_newline = false;
        }
        while (handle(t) == AGAIN && !t->result) continue;
        if (kind == TOKEN_END_OF_FILE) break;
    }
    return t->result;
}
