/* The insertion modes of templates, framesets, and after the body. */
#include "tree.h"

static void switch_template(tree *t, insertion_mode mode) {
    if (t->template_count) t->templates[t->template_count - 1].mode = mode;
    t->mode = mode;
}

static outcome template_start(tree *t) {
    switch (t->token.tag) {
        case TAG_BASE: case TAG_BASEFONT: case TAG_BGSOUND: case TAG_LINK: case TAG_META: case TAG_NOFRAMES:
        case TAG_SCRIPT: case TAG_STYLE: case TAG_TEMPLATE: case TAG_TITLE:
            return mode_in_head(t);
        case TAG_CAPTION: case TAG_COLGROUP: case TAG_TBODY: case TAG_TFOOT: case TAG_THEAD:
            switch_template(t, IN_TABLE);
            return REPROCESS;
        case TAG_COL:
            switch_template(t, IN_COLUMN_GROUP);
            return REPROCESS;
        case TAG_TR:
            switch_template(t, IN_TABLE_BODY);
            return REPROCESS;
        case TAG_TD: case TAG_TH:
            switch_template(t, IN_ROW);
            return REPROCESS;
        default:
            switch_template(t, IN_BODY);
            return REPROCESS;
    }
}

/* The content of a template is not part of the page. Unless its elements are still in the list of active formatting
 * elements, nothing outside refers to its rows, and they can be dropped. */
static void drop_content(tree *t, int32_t template, int32_t listed) {
    if (tree_is_shadow_root(t, template)) return;
    if (tree_is_linked(t) || t->formatting_count > listed) {
        t->irregular = true;
        return;
    }
    while (t->comment_count && t->comments[t->comment_count - 1].row > template) t->comment_count--;
    t->text_closed_at = 0;
    t->count = template + 1;
    t->rows.end[template] = t->count;
    t->tokenizer.attributes_kept = t->rows.attr_first[t->count];
}

void tree_close_template(tree *t) {
    int32_t template = tree_open(t, tree_latest(t, TAG_TEMPLATE, false));
    tree_pop_until(t, TAG_TEMPLATE);
    formatting_clear_to_marker(t);
    if (t->template_count) drop_content(t, template, t->templates[--t->template_count].listed);
    tree_reset_insertion_mode(t);
}

static outcome template_at_end(tree *t) {
    if (!tree_has_open(t, TAG_TEMPLATE)) return DONE;
    tree_close_template(t);
    return REPROCESS;
}

outcome mode_in_template(tree *t) {
    switch (t->token.kind) {
        case TOKEN_START: return template_start(t);
        case TOKEN_END: return t->token.tag == TAG_TEMPLATE ? mode_in_head(t) : DONE;
        case TOKEN_END_OF_FILE: return template_at_end(t);
        default: return mode_in_body(t);
    }
}

void tree_insert_white_space(tree *t) {
    for (span rest = t->token.text; rest.start < rest.stop && !t->result;) {
        span blank = tree_leading_blank(t, rest);
        if (blank.start < blank.stop) tree_insert_text(t, blank, 0);
        rest.start = blank.stop < rest.stop ? blank.stop + 1 : rest.stop;
    }
}

static outcome in_frameset(tree *t) {
    const token *k = &t->token;
    if (k->kind == TOKEN_START) {
        if (k->tag == TAG_HTML) return mode_in_body(t);
        if (k->tag == TAG_NOFRAMES) return mode_in_head(t);
        if (k->tag == TAG_FRAMESET) tree_insert_element(t, k->tag);
        if (k->tag == TAG_FRAME) {
            tree_insert_element(t, k->tag);
            tree_pop(t);
        }
    }
    if (k->kind == TOKEN_END && k->tag == TAG_FRAMESET && t->open_count > 1) {
        tree_pop(t);
        if (!tree_is_current(t, TAG_FRAMESET)) t->mode = AFTER_FRAMESET;
    }
    return DONE;
}

static outcome after_frameset(tree *t) {
    const token *k = &t->token;
    if (k->kind == TOKEN_START && k->tag == TAG_HTML) return mode_in_body(t);
    if (k->kind == TOKEN_START && k->tag == TAG_NOFRAMES) return mode_in_head(t);
    if (k->kind == TOKEN_END && k->tag == TAG_HTML && t->mode == AFTER_FRAMESET) t->mode = AFTER_AFTER_FRAMESET;
    return DONE;
}

static outcome after_body(tree *t) {
    const token *k = &t->token;
    if (k->kind == TOKEN_DOCTYPE || k->kind == TOKEN_END_OF_FILE) return k->kind == TOKEN_DOCTYPE ? DONE : mode_in_body(t);
    if (k->kind == TOKEN_COMMENT) {
        if (t->mode == AFTER_BODY) tree_insert_comment(t, tree_open(t, 0));
        return DONE;
    }
    if (k->kind == TOKEN_TEXT && k->blank) return mode_in_body(t);
    if (k->kind == TOKEN_START && k->tag == TAG_HTML) return mode_in_body(t);
    if (k->kind == TOKEN_END && k->tag == TAG_HTML && t->mode == AFTER_BODY) {
        t->mode = AFTER_AFTER_BODY;
        return DONE;
    }
    t->mode = IN_BODY;
    return REPROCESS;
}

outcome mode_after_body(tree *t) {
    if (t->mode == AFTER_BODY || t->mode == AFTER_AFTER_BODY) return after_body(t);
    if (t->token.kind == TOKEN_TEXT) {
        tree_insert_white_space(t);
        return DONE;
    }
    if (t->token.kind == TOKEN_COMMENT) {
        tree_insert_comment(t, t->mode == AFTER_AFTER_FRAMESET ? DOCUMENT : NONE);
        return DONE;
    }
    return t->mode == IN_FRAMESET ? in_frameset(t) : after_frameset(t);
}
