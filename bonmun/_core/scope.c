/* Scope queries on the stack of open elements, and popping from it. */
#include "tree.h"

bool tree_is_heading(int32_t tag) { return tag >= TAG_H1 && tag <= TAG_H6; }

static bool bounds_plain(int32_t tag) {
    switch (tag) {
        case TAG_APPLET: case TAG_CAPTION: case TAG_HTML: case TAG_TABLE: case TAG_TD: case TAG_TH: case TAG_MARQUEE:
        case TAG_OBJECT: case TAG_SELECT: case TAG_TEMPLATE:
            return true;
        default:
            return false;
    }
}

static bool bounds_foreign(int32_t tag, name_space space) {
    if (space == NS_SVG) return tag == TAG_FOREIGNOBJECT || tag == TAG_DESC || tag == TAG_TITLE;
    switch (tag) {
        case TAG_MI: case TAG_MO: case TAG_MN: case TAG_MS: case TAG_MTEXT: case TAG_ANNOTATION_XML:
            return true;
        default:
            return false;
    }
}

bool tag_bounds(int32_t tag, name_space space, scope kind) {
    if (kind == SCOPE_TABLE) return space == NS_HTML && (tag == TAG_HTML || tag == TAG_TABLE || tag == TAG_TEMPLATE);
    if (space != NS_HTML) return bounds_foreign(tag, space);
    if (kind == SCOPE_BUTTON && tag == TAG_BUTTON) return true;
    if (kind == SCOPE_LIST_ITEM && (tag == TAG_OL || tag == TAG_UL)) return true;
    return bounds_plain(tag);
}

bool tree_in_scope(const tree *t, int32_t tag, scope kind) {
    int32_t at = tree_latest(t, tag, false);
    return at != NONE && at >= tree_context(t)->bound[kind];
}

bool tree_heading_in_scope(const tree *t) {
    for (int32_t tag = TAG_H1; tag <= TAG_H6; tag++)
        if (tree_in_scope(t, tag, SCOPE_PLAIN)) return true;
    return false;
}

bool tree_element_in_scope(const tree *t, int32_t element) {
    int32_t at = tree_stack_index(t, element);
    return at != NONE && at >= tree_context(t)->bound[SCOPE_PLAIN];
}

static bool special_html(int32_t tag) {
    switch (tag) {
        case TAG_ADDRESS: case TAG_APPLET: case TAG_AREA: case TAG_ARTICLE: case TAG_ASIDE: case TAG_BASE:
        case TAG_BASEFONT: case TAG_BGSOUND: case TAG_BLOCKQUOTE: case TAG_BODY: case TAG_BR: case TAG_BUTTON:
        case TAG_CAPTION: case TAG_CENTER: case TAG_COL: case TAG_COLGROUP: case TAG_DD: case TAG_DETAILS: case TAG_DIR:
        case TAG_DIV: case TAG_DL: case TAG_DT: case TAG_EMBED: case TAG_FIELDSET: case TAG_FIGCAPTION: case TAG_FIGURE:
        case TAG_FOOTER: case TAG_FORM: case TAG_FRAME: case TAG_FRAMESET: case TAG_H1: case TAG_H2: case TAG_H3:
        case TAG_H4: case TAG_H5: case TAG_H6: case TAG_HEAD: case TAG_HEADER: case TAG_HGROUP: case TAG_HR: case TAG_HTML:
        case TAG_IFRAME: case TAG_IMG: case TAG_INPUT: case TAG_KEYGEN: case TAG_LI: case TAG_LINK: case TAG_LISTING:
        case TAG_MAIN: case TAG_MARQUEE: case TAG_MENU: case TAG_META: case TAG_NAV: case TAG_NOEMBED: case TAG_NOFRAMES:
        case TAG_NOSCRIPT: case TAG_OBJECT: case TAG_OL: case TAG_P: case TAG_PARAM: case TAG_PLAINTEXT: case TAG_PRE:
        case TAG_SCRIPT: case TAG_SEARCH: case TAG_SECTION: case TAG_SELECT: case TAG_SOURCE: case TAG_STYLE:
        case TAG_SUMMARY: case TAG_TABLE: case TAG_TBODY: case TAG_TD: case TAG_TEMPLATE: case TAG_TEXTAREA: case TAG_TFOOT:
        case TAG_TH: case TAG_THEAD: case TAG_TITLE: case TAG_TR: case TAG_TRACK: case TAG_UL: case TAG_WBR: case TAG_XMP:
            return true;
        default:
            return false;
    }
}

bool tag_is_special(int32_t tag, name_space space) {
    return space == NS_HTML ? special_html(tag) : bounds_foreign(tag, space);
}

bool tree_is_special(const tree *t, int32_t element) {
    return tag_is_special(t->rows.tag[element], tree_namespace(t, element));
}

void tree_pop_until(tree *t, int32_t tag) {
    while (t->open_count) {
        bool found = tree_is_current(t, tag);
        tree_pop(t);
        if (found) return;
    }
}

static inline bool has_implied_end_tag(int32_t tag) {
    switch (tag) {
        case TAG_DD: case TAG_DT: case TAG_LI: case TAG_OPTGROUP: case TAG_OPTION: case TAG_P: case TAG_RB: case TAG_RP:
        case TAG_RT: case TAG_RTC:
            return true;
        default:
            return false;
    }
}

void tree_generate_implied_end_tags(tree *t, int32_t except) {
    for (int32_t tag; tag = tree_html_tag(t, tree_current(t)), has_implied_end_tag(tag) && tag != except;) tree_pop(t);
}

void tree_generate_implied_end_tags_thoroughly(tree *t) {
    for (;;) {
        int32_t tag = tree_html_tag(t, tree_current(t));
        bool part = tag == TAG_CAPTION || tag == TAG_COLGROUP || tag == TAG_TBODY || tag == TAG_TD || tag == TAG_TFOOT ||
                    tag == TAG_TH || tag == TAG_THEAD || tag == TAG_TR;
        if (!part && !has_implied_end_tag(tag)) return;
        tree_pop(t);
    }
}

void tree_close_p(tree *t) {
    if (!tree_in_scope(t, TAG_P, SCOPE_BUTTON)) return;
    tree_generate_implied_end_tags(t, TAG_P);
    tree_pop_until(t, TAG_P);
}

void tree_clear_back_to(tree *t, const int32_t *tags, int32_t count) {
    while (t->open_count) {
        int32_t tag = tree_html_tag(t, tree_current(t));
        if (tag == TAG_HTML || tag == TAG_TEMPLATE) return;
        for (int32_t at = 0; at < count; at++)
            if (tag == tags[at]) return;
        tree_pop(t);
    }
}
