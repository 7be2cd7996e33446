/* The insertion modes IN_BODY and IN_TEXT: most tokens of most pages. */
#include "tree.h"

static void insert_void(tree *t) {
    formatting_reconstruct(t);
    tree_insert_element(t, t->token.tag);
    tree_pop(t);
    t->frameset_ok = false;
}

static inline void insert_block(tree *t) {
    tree_close_p(t);
    tree_insert_element(t, t->token.tag);
}

/* A list item closes the previous one, if only address, div and p are open in between. */
static void insert_item(tree *t, int32_t tag, int32_t sibling) {
    t->frameset_ok = false;
    int32_t one = tree_latest(t, tag, false), other = tree_latest(t, sibling, false), at = one > other ? one : other;
    if (at != NONE && at >= tree_top(t)->item_bound) {
        int32_t here = tree_html_tag(t, tree_open(t, at));
        tree_generate_implied_end_tags(t, here);
        tree_pop_until(t, here);
    }
    insert_block(t);
}

static void insert_link(tree *t) {
    int32_t listed = formatting_find(t, TAG_A);
    if (listed != NONE) {
        int32_t previous = t->formatting[listed];
        formatting_run_adoption_agency(t, TAG_A);
        formatting_remove(t, previous);
    }
    formatting_reconstruct(t);
    formatting_push(t, tree_insert_element(t, TAG_A));
}

static void insert_frameset(tree *t) {
    if (t->open_count < 2 || tree_html_tag(t, tree_open(t, 1)) != TAG_BODY || !t->frameset_ok) return;
    if (!tree_link(t)) return;
    tree_detach(t, tree_open(t, 1));
    while (t->open_count > 1) tree_pop(t);
    tree_insert_element(t, TAG_FRAMESET);
    t->mode = IN_FRAMESET;
}

static void insert_form(tree *t) {
    bool in_template = tree_has_open(t, TAG_TEMPLATE);
    if (t->form != NONE && !in_template) return;
    insert_block(t);
    if (!in_template) t->form = tree_current(t);
}

static void insert_select(tree *t) {
    if (tree_in_scope(t, TAG_SELECT, SCOPE_PLAIN)) {
        tree_pop_until(t, TAG_SELECT);
        return;
    }
    formatting_reconstruct(t);
    tree_insert_element(t, TAG_SELECT);
    t->frameset_ok = false;
}

static void insert_option(tree *t) {
    if (tree_has_open(t, TAG_SELECT) && tree_in_scope(t, TAG_SELECT, SCOPE_PLAIN))
        tree_generate_implied_end_tags(t, t->token.tag == TAG_OPTION ? TAG_OPTGROUP : TAG_TEXT);
    else if (tree_is_current(t, TAG_OPTION)) tree_pop(t);
    formatting_reconstruct(t);
    tree_insert_element(t, t->token.tag);
}

static void insert_foreign(tree *t, name_space space) {
    formatting_reconstruct(t);
    tree_insert_foreign(t, t->token.tag, space);
    if (t->token.self_closing) tree_pop(t);
}

static void insert_input(tree *t) {
    if (tree_in_scope(t, TAG_SELECT, SCOPE_PLAIN)) tree_pop_until(t, TAG_SELECT);
    bool was_ok = t->frameset_ok;
    insert_void(t);
    if (tree_is_hidden_input(t)) t->frameset_ok = was_ok;
}

static void insert_raw(tree *t, content_model model) {
    tree_insert_element(t, t->token.tag);
    tree_enter_text(t, model);
}

/* Start tags with a rule of their own. */
static outcome start_special(tree *t) {
    int32_t tag = t->token.tag;
    switch (tag) {
        case TAG_HTML:
            if (!tree_has_open(t, TAG_TEMPLATE) && t->open_count) tree_merge_attributes(t, tree_open(t, 0));
            return DONE;
        case TAG_BODY:
            if (t->open_count > 1 && tree_html_tag(t, tree_open(t, 1)) == TAG_BODY && !tree_has_open(t, TAG_TEMPLATE)) {
                t->frameset_ok = false;
                tree_merge_attributes(t, tree_open(t, 1));
            }
            return DONE;
        case TAG_FRAMESET: insert_frameset(t); return DONE;
        case TAG_FORM: insert_form(t); return DONE;
        case TAG_LI: insert_item(t, TAG_LI, TAG_LI); return DONE;
        case TAG_DD: case TAG_DT: insert_item(t, TAG_DD, TAG_DT); return DONE;
        case TAG_A: insert_link(t); return DONE;
        case TAG_SELECT: insert_select(t); return DONE;
        case TAG_OPTION: case TAG_OPTGROUP: insert_option(t); return DONE;
        case TAG_INPUT: insert_input(t); return DONE;
        case TAG_IMAGE: t->token.tag = TAG_IMG; return REPROCESS;
        case TAG_MATH: insert_foreign(t, NS_MATH); return DONE;
        case TAG_SVG: insert_foreign(t, NS_SVG); return DONE;
        case TAG_PLAINTEXT:
            insert_block(t);
            tokenizer_set_content_model(&t->tokenizer, MODEL_PLAINTEXT, tag);
            return DONE;
        case TAG_BUTTON:
            if (tree_in_scope(t, TAG_BUTTON, SCOPE_PLAIN)) {
                tree_generate_implied_end_tags(t, TAG_TEXT);
                tree_pop_until(t, TAG_BUTTON);
            }
            formatting_reconstruct(t);
            tree_insert_element(t, tag);
            t->frameset_ok = false;
            return DONE;
        case TAG_NOBR:
            formatting_reconstruct(t);
            if (tree_in_scope(t, TAG_NOBR, SCOPE_PLAIN)) {
                formatting_run_adoption_agency(t, TAG_NOBR);
                formatting_reconstruct(t);
            }
            formatting_push(t, tree_insert_element(t, tag));
            return DONE;
        case TAG_TABLE:
            if (!t->quirks) tree_close_p(t);
            tree_insert_element(t, tag);
            t->frameset_ok = false;
            t->mode = IN_TABLE;
            return DONE;
        case TAG_HR:
            tree_close_p(t);
            if (tree_in_scope(t, TAG_SELECT, SCOPE_PLAIN)) tree_generate_implied_end_tags(t, TAG_TEXT);
            tree_insert_element(t, tag);
            tree_pop(t);
            t->frameset_ok = false;
            return DONE;
        case TAG_RB: case TAG_RTC: case TAG_RP: case TAG_RT:
            if (tree_in_scope(t, TAG_RUBY, SCOPE_PLAIN))
                tree_generate_implied_end_tags(t, tag == TAG_RP || tag == TAG_RT ? TAG_RTC : TAG_TEXT);
            tree_insert_element(t, tag);
            return DONE;
        default:
            formatting_reconstruct(t);
            tree_insert_element(t, tag);
            return DONE;
    }
}

/* Start tags by groups that share a rule. */
static outcome start_tag(tree *t) {
    int32_t tag = t->token.tag;
    switch (tag) {
        case TAG_BASE: case TAG_BASEFONT: case TAG_BGSOUND: case TAG_LINK: case TAG_META: case TAG_NOFRAMES:
        case TAG_SCRIPT: case TAG_STYLE: case TAG_TEMPLATE: case TAG_TITLE:
            return mode_in_head(t);
        case TAG_ADDRESS: case TAG_ARTICLE: case TAG_ASIDE: case TAG_BLOCKQUOTE: case TAG_CENTER: case TAG_DETAILS:
        case TAG_DIALOG: case TAG_DIR: case TAG_DIV: case TAG_DL: case TAG_FIELDSET: case TAG_FIGCAPTION: case TAG_FIGURE:
        case TAG_FOOTER: case TAG_HEADER: case TAG_HGROUP: case TAG_MAIN: case TAG_MENU: case TAG_NAV: case TAG_OL:
        case TAG_P: case TAG_SEARCH: case TAG_SECTION: case TAG_SUMMARY: case TAG_UL:
            insert_block(t);
            return DONE;
        case TAG_H1: case TAG_H2: case TAG_H3: case TAG_H4: case TAG_H5: case TAG_H6:
            tree_close_p(t);
            if (tree_is_heading(tree_html_tag(t, tree_current(t)))) tree_pop(t);
            tree_insert_element(t, tag);
            return DONE;
        case TAG_PRE: case TAG_LISTING:
            insert_block(t);
            t->skip_newline = true;
            t->frameset_ok = false;
            return DONE;
        case TAG_B: case TAG_BIG: case TAG_CODE: case TAG_EM: case TAG_FONT: case TAG_I: case TAG_S: case TAG_SMALL:
        case TAG_STRIKE: case TAG_STRONG: case TAG_TT: case TAG_U:
            formatting_reconstruct(t);
            formatting_push(t, tree_insert_element(t, tag));
            return DONE;
        case TAG_APPLET: case TAG_MARQUEE: case TAG_OBJECT:
            formatting_reconstruct(t);
            tree_insert_element(t, tag);
            formatting_insert_marker(t);
            t->frameset_ok = false;
            return DONE;
        case TAG_AREA: case TAG_BR: case TAG_EMBED: case TAG_IMG: case TAG_KEYGEN: case TAG_WBR:
            insert_void(t);
            return DONE;
        case TAG_PARAM: case TAG_SOURCE: case TAG_TRACK:
            tree_insert_element(t, tag);
            tree_pop(t);
            return DONE;
        case TAG_TEXTAREA:
            t->frameset_ok = false;
            insert_raw(t, MODEL_RCDATA);
            t->skip_newline = true;
            return DONE;
        case TAG_XMP:
            tree_close_p(t);
            formatting_reconstruct(t);
            t->frameset_ok = false;
            insert_raw(t, MODEL_RAWTEXT);
            return DONE;
        case TAG_IFRAME:
            t->frameset_ok = false;
            insert_raw(t, MODEL_RAWTEXT);
            return DONE;
        case TAG_NOEMBED:
            insert_raw(t, MODEL_RAWTEXT);
            return DONE;
        case TAG_CAPTION: case TAG_COL: case TAG_COLGROUP: case TAG_FRAME: case TAG_HEAD: case TAG_TBODY: case TAG_TD:
        case TAG_TFOOT: case TAG_TH: case TAG_THEAD: case TAG_TR:
            return DONE;
        default:
            return start_special(t);
    }
}

/* Fast path: most end tags match the current node, which is in every scope and has no open descendants. */
static bool end_current(tree *t, int32_t tag) {
    if (!tree_is_current(t, tag)) return false;
    tree_pop(t);
    return true;
}

void tree_any_other_end_tag(tree *t) {
    int32_t tag = t->token.tag;
    if (end_current(t, tag)) return;
    int32_t at = tree_latest(t, tag, false);
    if (at == NONE || at < tree_top(t)->special) return;
    tree_generate_implied_end_tags(t, tag);
    while (t->open_count > at) tree_pop(t);
}

static inline void end_block(tree *t) {
    int32_t tag = t->token.tag;
    if (end_current(t, tag)) return;
    if (!tree_in_scope(t, tag, SCOPE_PLAIN)) return;
    tree_generate_implied_end_tags(t, TAG_TEXT);
    tree_pop_until(t, tag);
}

static void end_form(tree *t) {
    if (tree_has_open(t, TAG_TEMPLATE)) {
        end_block(t);
        return;
    }
    int32_t form = t->form;
    t->form = NONE;
    if (form == NONE || !tree_element_in_scope(t, form)) return;
    tree_generate_implied_end_tags(t, TAG_TEXT);
    if (tree_stack_index(t, form) != NONE) tree_remove_open(t, tree_stack_index(t, form));
}

static void end_p(tree *t) {
    if (end_current(t, TAG_P)) return;
    if (!tree_in_scope(t, TAG_P, SCOPE_BUTTON)) {
        int32_t row = tree_insert_implied(t, TAG_P);
        t->rows.source_start[row] = t->token.start;
        t->rows.source_stop[row] = t->token.stop;
    }
    tree_close_p(t);
}

static void end_item(tree *t, scope kind) {
    int32_t tag = t->token.tag;
    if (end_current(t, tag)) return;
    if (!tree_in_scope(t, tag, kind)) return;
    tree_generate_implied_end_tags(t, tag);
    tree_pop_until(t, tag);
}

static void end_heading(tree *t) {
    if (!tree_heading_in_scope(t)) return;
    tree_generate_implied_end_tags(t, TAG_TEXT);
    while (t->open_count) {
        bool found = tree_is_heading(tree_html_tag(t, tree_current(t)));
        tree_pop(t);
        if (found) return;
    }
}

static outcome end_tag(tree *t) {
    int32_t tag = t->token.tag;
    switch (tag) {
        case TAG_TEMPLATE:
            return mode_in_head(t);
        case TAG_BODY: case TAG_HTML:
            if (!tree_in_scope(t, TAG_BODY, SCOPE_PLAIN)) return DONE;
            t->mode = AFTER_BODY;
            return tag == TAG_HTML ? REPROCESS : DONE;
        case TAG_ADDRESS: case TAG_ARTICLE: case TAG_ASIDE: case TAG_BLOCKQUOTE: case TAG_BUTTON: case TAG_CENTER:
        case TAG_DETAILS: case TAG_DIALOG: case TAG_DIR: case TAG_DIV: case TAG_DL: case TAG_FIELDSET: case TAG_FIGCAPTION:
        case TAG_FIGURE: case TAG_FOOTER: case TAG_HEADER: case TAG_HGROUP: case TAG_LISTING: case TAG_MAIN: case TAG_MENU:
        case TAG_NAV: case TAG_OL: case TAG_PRE: case TAG_SEARCH: case TAG_SECTION: case TAG_SELECT: case TAG_SUMMARY:
        case TAG_UL:
            end_block(t);
            return DONE;
        case TAG_FORM: end_form(t); return DONE;
        case TAG_P: end_p(t); return DONE;
        case TAG_LI: end_item(t, SCOPE_LIST_ITEM); return DONE;
        case TAG_DD: case TAG_DT: end_item(t, SCOPE_PLAIN); return DONE;
        case TAG_H1: case TAG_H2: case TAG_H3: case TAG_H4: case TAG_H5: case TAG_H6: end_heading(t); return DONE;
        case TAG_A: case TAG_B: case TAG_BIG: case TAG_CODE: case TAG_EM: case TAG_FONT: case TAG_I: case TAG_NOBR:
        case TAG_S: case TAG_SMALL: case TAG_STRIKE: case TAG_STRONG: case TAG_TT: case TAG_U:
            formatting_run_adoption_agency(t, tag);
            return DONE;
        case TAG_APPLET: case TAG_MARQUEE: case TAG_OBJECT:
            if (tree_in_scope(t, tag, SCOPE_PLAIN)) {
                end_block(t);
                formatting_clear_to_marker(t);
            }
            return DONE;
        case TAG_BR:
            t->token.attribute_count = t->token.attributes_cut = 0;
            t->token.named = 0;
            insert_void(t);
            return DONE;
        default:
            tree_any_other_end_tag(t);
            return DONE;
    }
}

/* Inside title, textarea, script, style …: text, then the appropriate end tag. */
static outcome in_text(tree *t) {
    if (t->token.kind == TOKEN_TEXT) {
        tree_insert_text(t, t->token.text, t->token.chars);
        return DONE;
    }
    tree_pop(t);
    t->mode = t->original_mode;
    return t->token.kind == TOKEN_END_OF_FILE ? REPROCESS : DONE;
}

outcome mode_in_body(tree *t) {
    if (t->mode == IN_TEXT) return in_text(t);
    token_kind kind = t->token.kind;
    if (kind == TOKEN_START) return start_tag(t);
    if (kind == TOKEN_END) return end_tag(t);
    if (kind == TOKEN_TEXT) {
        formatting_reconstruct(t);
        if (!t->token.blank) t->frameset_ok = false;
        tree_insert_text(t, t->token.text, t->token.chars);
    } else if (kind == TOKEN_COMMENT) {
        tree_insert_comment(t, NONE);
    } else if (kind == TOKEN_END_OF_FILE && t->template_count) {
        return mode_in_template(t);
    }
    return DONE;
}
