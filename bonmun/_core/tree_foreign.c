/* Foreign content: SVG and MathML, and the HTML tags that break out of it. */
#include "attributes.h"
#include "tree.h"

static bool breaks_out(const tree *t) {
    switch (t->token.tag) {
        case TAG_B: case TAG_BIG: case TAG_BLOCKQUOTE: case TAG_BODY: case TAG_BR: case TAG_CENTER: case TAG_CODE:
        case TAG_DD: case TAG_DIV: case TAG_DL: case TAG_DT: case TAG_EM: case TAG_EMBED: case TAG_H1: case TAG_H2:
        case TAG_H3: case TAG_H4: case TAG_H5: case TAG_H6: case TAG_HEAD: case TAG_HR: case TAG_I: case TAG_IMG:
        case TAG_LI: case TAG_LISTING: case TAG_MENU: case TAG_META: case TAG_NOBR: case TAG_OL: case TAG_P: case TAG_PRE:
        case TAG_RUBY: case TAG_S: case TAG_SMALL: case TAG_SPAN: case TAG_STRONG: case TAG_STRIKE: case TAG_SUB:
        case TAG_SUP: case TAG_TABLE: case TAG_TT: case TAG_U: case TAG_UL: case TAG_VAR:
            return true;
        case TAG_FONT:
            return tree_token_attribute(t, ATTRIBUTE_COLOR).start >= 0 || tree_token_attribute(t, ATTRIBUTE_FACE).start >= 0 ||
                   tree_token_attribute(t, ATTRIBUTE_SIZE).start >= 0;
        default:
            return false;
    }
}

static bool holds_html(const tree *t, int32_t element) {
    if (tree_namespace(t, element) == NS_HTML) return true;
    if (t->rows.tag[element] == TAG_ANNOTATION_XML) return t->rows.flags[element] & HOLDS_HTML;
    return tree_is_special(t, element);
}

static outcome break_out(tree *t) {
    while (t->open_count && !holds_html(t, tree_current(t))) tree_pop(t);
    return tree_dispatch(t, t->mode);
}

static outcome foreign_start(tree *t) {
    if (breaks_out(t)) return break_out(t);
    int32_t current = tree_current(t);
    int32_t element = tree_insert_foreign(t, t->token.tag, tree_namespace(t, current));
    if (t->result) return DONE;
    if (t->token.tag == TAG_ANNOTATION_XML && tree_namespace(t, element) == NS_MATH) {
        span encoding = tree_token_attribute(t, ATTRIBUTE_ENCODING);
        if (tree_equals(t, encoding, "text/html") || tree_equals(t, encoding, "application/xhtml+xml"))
            t->rows.flags[element] |= HOLDS_HTML;
    }
    if (t->token.self_closing) tree_pop(t);
    /* No raw text here: script and style in svg are ordinary elements. */
    return DONE;
}

static outcome foreign_end(tree *t) {
    int32_t tag = t->token.tag;
    if (tag == TAG_BR || tag == TAG_P) return break_out(t);
    int32_t at = tree_latest(t, tag, true);
    if (at == NONE || at <= tree_context(t)->html) return tree_dispatch(t, t->mode);
    while (t->open_count > at) tree_pop(t);
    return DONE;
}

outcome mode_foreign(tree *t) {
    switch (t->token.kind) {
        case TOKEN_TEXT:
            tree_insert_text(t, t->token.text, t->token.chars);
            if (!t->token.blank) t->frameset_ok = false;
            return DONE;
        case TOKEN_COMMENT:
            tree_insert_comment(t, NONE);
            return DONE;
        case TOKEN_START:
            return foreign_start(t);
        case TOKEN_END:
            return foreign_end(t);
        default:
            return DONE;
    }
}
