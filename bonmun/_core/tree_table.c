/* The insertion modes IN_TABLE … IN_CELL. Text between the parts of a table is foster parented unless it is white space. */
#include "tree.h"

static void clear_to_table(tree *t) { tree_clear_back_to(t, (const int32_t[]){TAG_TABLE}, 1); }
static void clear_to_body(tree *t) { tree_clear_back_to(t, (const int32_t[]){TAG_TBODY, TAG_TFOOT, TAG_THEAD}, 3); }
static void clear_to_row(tree *t) { tree_clear_back_to(t, (const int32_t[]){TAG_TR}, 1); }

static bool is_section(int32_t tag) { return tag == TAG_TBODY || tag == TAG_TFOOT || tag == TAG_THEAD; }
static bool is_cell(int32_t tag) { return tag == TAG_TD || tag == TAG_TH; }

/* Anything else in a table: processed as in the body, with foster parenting on. */
static outcome foster(tree *t) {
    tree_set_foster_parenting(t, true);
    outcome done = mode_in_body(t);
    tree_set_foster_parenting(t, false);
    return done;
}

static void keep_pending(tree *t) {
    if (!tree_grow(t, (void **)&t->pending, &t->pending_room, t->pending_count + 1, sizeof(table_text))) return;
    t->pending[t->pending_count++] = (table_text){t->token.text, {t->token.start, t->token.stop}};
    t->pending_solid = t->pending_solid || !t->token.blank;
}

/* Insert the pending table character tokens. */
static void flush_pending(tree *t) {
    token waiting = t->token;
    t->mode = t->original_mode;
    t->token.kind = TOKEN_TEXT;
    tree_set_foster_parenting(t, t->pending_solid);
    for (int32_t at = 0; at < t->pending_count && !t->result; at++) {
        if (t->pending_solid) {
            formatting_reconstruct(t);
            t->frameset_ok = false;
        }
        t->token.start = t->pending[at].source.start;
        t->token.stop = t->pending[at].source.stop;
        tree_insert_text(t, t->pending[at].text, t->pending_solid ? CHARS_UNKNOWN : 0);
    }
    tree_set_foster_parenting(t, false);
    t->pending_count = 0;
    t->pending_solid = false;
    waiting.attribute_first = t->token.attribute_first; /* clones may have moved the token's attributes */
    t->token = waiting;
}

static outcome in_table_text(tree *t) {
    if (t->token.kind == TOKEN_TEXT) {
        keep_pending(t);
        return DONE;
    }
    flush_pending(t);
    return REPROCESS;
}

static bool takes_text(const tree *t) {
    int32_t tag = tree_html_tag(t, tree_current(t));
    return tag == TAG_TABLE || is_section(tag) || tag == TAG_TR || tag == TAG_TEMPLATE;
}

static outcome table_start(tree *t) {
    int32_t tag = t->token.tag;
    switch (tag) {
        case TAG_CAPTION:
            clear_to_table(t);
            formatting_insert_marker(t);
            tree_insert_element(t, tag);
            t->mode = IN_CAPTION;
            return DONE;
        case TAG_COLGROUP:
            clear_to_table(t);
            tree_insert_element(t, tag);
            t->mode = IN_COLUMN_GROUP;
            return DONE;
        case TAG_COL:
            clear_to_table(t);
            tree_insert_implied(t, TAG_COLGROUP);
            t->mode = IN_COLUMN_GROUP;
            return REPROCESS;
        case TAG_TBODY: case TAG_TFOOT: case TAG_THEAD:
            clear_to_table(t);
            tree_insert_element(t, tag);
            t->mode = IN_TABLE_BODY;
            return DONE;
        case TAG_TD: case TAG_TH: case TAG_TR:
            clear_to_table(t);
            tree_insert_implied(t, TAG_TBODY);
            t->mode = IN_TABLE_BODY;
            return REPROCESS;
        case TAG_TABLE:
            if (!tree_in_scope(t, TAG_TABLE, SCOPE_TABLE)) return DONE;
            tree_pop_until(t, TAG_TABLE);
            tree_reset_insertion_mode(t);
            return REPROCESS;
        case TAG_STYLE: case TAG_SCRIPT: case TAG_TEMPLATE:
            return mode_in_head(t);
        case TAG_INPUT:
            if (!tree_is_hidden_input(t)) return foster(t);
            tree_insert_element(t, tag);
            tree_pop(t);
            return DONE;
        case TAG_FORM:
            if (tree_has_open(t, TAG_TEMPLATE) || t->form != NONE) return DONE;
            t->form = tree_insert_element(t, tag);
            tree_pop(t);
            return DONE;
        default:
            return foster(t);
    }
}

static outcome table_end(tree *t) {
    switch (t->token.tag) {
        case TAG_TABLE:
            if (tree_in_scope(t, TAG_TABLE, SCOPE_TABLE)) {
                tree_pop_until(t, TAG_TABLE);
                tree_reset_insertion_mode(t);
            }
            return DONE;
        case TAG_BODY: case TAG_CAPTION: case TAG_COL: case TAG_COLGROUP: case TAG_HTML: case TAG_TBODY: case TAG_TD:
        case TAG_TFOOT: case TAG_TH: case TAG_THEAD: case TAG_TR:
            return DONE;
        case TAG_TEMPLATE:
            return mode_in_head(t);
        default:
            return foster(t);
    }
}

static outcome in_table(tree *t) {
    switch (t->token.kind) {
        case TOKEN_TEXT:
            if (!takes_text(t)) return foster(t);
            t->original_mode = t->mode;
            t->mode = IN_TABLE_TEXT;
            return REPROCESS;
        case TOKEN_COMMENT:
            tree_insert_comment(t, NONE);
            return DONE;
        case TOKEN_START:
            return table_start(t);
        case TOKEN_END:
            return table_end(t);
        case TOKEN_END_OF_FILE:
            return mode_in_body(t);
        default:
            return DONE;
    }
}

static bool close_caption(tree *t) {
    if (!tree_in_scope(t, TAG_CAPTION, SCOPE_TABLE)) return false;
    tree_generate_implied_end_tags(t, TAG_TEXT);
    tree_pop_until(t, TAG_CAPTION);
    formatting_clear_to_marker(t);
    t->mode = IN_TABLE;
    return true;
}

static bool is_table_part(int32_t tag) {
    return tag == TAG_CAPTION || tag == TAG_COL || tag == TAG_COLGROUP || is_section(tag) || is_cell(tag) || tag == TAG_TR;
}

static outcome in_caption(tree *t) {
    const token *k = &t->token;
    if (k->kind == TOKEN_START && is_table_part(k->tag)) return close_caption(t) ? REPROCESS : DONE;
    if (k->kind == TOKEN_END) {
        if (k->tag == TAG_CAPTION) {
            close_caption(t);
            return DONE;
        }
        if (k->tag == TAG_TABLE) return close_caption(t) ? REPROCESS : DONE;
        if (k->tag == TAG_BODY || k->tag == TAG_HTML || is_table_part(k->tag)) return DONE;
    }
    return mode_in_body(t);
}

static outcome in_column_group(tree *t) {
    const token *k = &t->token;
    if (k->kind == TOKEN_TEXT) {
        span blank = tree_leading_blank(t, k->text);
        if (blank.start < blank.stop) tree_insert_text(t, blank, 0);
        t->token.text.start = blank.stop;
        if (blank.stop == k->text.stop) return DONE;
    }
    if (k->kind == TOKEN_COMMENT) {
        tree_insert_comment(t, NONE);
        return DONE;
    }
    if (k->kind == TOKEN_DOCTYPE) return DONE;
    if (k->kind == TOKEN_END_OF_FILE) return mode_in_body(t);
    if (k->kind == TOKEN_START) {
        if (k->tag == TAG_HTML) return mode_in_body(t);
        if (k->tag == TAG_TEMPLATE) return mode_in_head(t);
        if (k->tag == TAG_COL) {
            tree_insert_element(t, TAG_COL);
            tree_pop(t);
            return DONE;
        }
    }
    if (k->kind == TOKEN_END) {
        if (k->tag == TAG_TEMPLATE) return mode_in_head(t);
        if (k->tag == TAG_COL) return DONE;
    }
    bool closes = k->kind == TOKEN_END && k->tag == TAG_COLGROUP;
    if (!tree_is_current(t, TAG_COLGROUP)) {
        if (k->kind == TOKEN_TEXT) tree_insert_white_space(t);
        return DONE;
    }
    tree_pop(t);
    t->mode = IN_TABLE;
    return closes ? DONE : REPROCESS;
}

static bool section_in_scope(const tree *t) {
    return tree_in_scope(t, TAG_TBODY, SCOPE_TABLE) || tree_in_scope(t, TAG_THEAD, SCOPE_TABLE) ||
           tree_in_scope(t, TAG_TFOOT, SCOPE_TABLE);
}

static outcome leave_section(tree *t) {
    if (!section_in_scope(t)) return DONE;
    clear_to_body(t);
    tree_pop(t);
    t->mode = IN_TABLE;
    return REPROCESS;
}

static outcome in_table_body(tree *t) {
    const token *k = &t->token;
    if (k->kind == TOKEN_START) {
        if (k->tag == TAG_TR) {
            clear_to_body(t);
            tree_insert_element(t, TAG_TR);
            t->mode = IN_ROW;
            return DONE;
        }
        if (is_cell(k->tag)) {
            clear_to_body(t);
            tree_insert_implied(t, TAG_TR);
            t->mode = IN_ROW;
            return REPROCESS;
        }
        if (k->tag == TAG_CAPTION || k->tag == TAG_COL || k->tag == TAG_COLGROUP || is_section(k->tag))
            return leave_section(t);
    }
    if (k->kind == TOKEN_END) {
        if (is_section(k->tag)) {
            if (!tree_in_scope(t, k->tag, SCOPE_TABLE)) return DONE;
            clear_to_body(t);
            tree_pop(t);
            t->mode = IN_TABLE;
            return DONE;
        }
        if (k->tag == TAG_TABLE) return leave_section(t);
        if (k->tag == TAG_BODY || k->tag == TAG_HTML || is_table_part(k->tag)) return DONE;
    }
    return in_table(t);
}

static bool leave_row(tree *t) {
    if (!tree_in_scope(t, TAG_TR, SCOPE_TABLE)) return false;
    clear_to_row(t);
    tree_pop(t);
    t->mode = IN_TABLE_BODY;
    return true;
}

static outcome in_row(tree *t) {
    const token *k = &t->token;
    if (k->kind == TOKEN_START) {
        if (is_cell(k->tag)) {
            clear_to_row(t);
            tree_insert_element(t, k->tag);
            t->mode = IN_CELL;
            formatting_insert_marker(t);
            return DONE;
        }
        if (is_table_part(k->tag)) return leave_row(t) ? REPROCESS : DONE;
    }
    if (k->kind == TOKEN_END) {
        if (k->tag == TAG_TR) {
            leave_row(t);
            return DONE;
        }
        if (k->tag == TAG_TABLE) return leave_row(t) ? REPROCESS : DONE;
        if (is_section(k->tag)) return tree_in_scope(t, k->tag, SCOPE_TABLE) && leave_row(t) ? REPROCESS : DONE;
        if (k->tag == TAG_BODY || k->tag == TAG_HTML || is_table_part(k->tag)) return DONE;
    }
    return in_table(t);
}

static void leave_cell(tree *t) {
    tree_generate_implied_end_tags(t, TAG_TEXT);
    while (t->open_count) {
        bool found = is_cell(tree_html_tag(t, tree_current(t)));
        tree_pop(t);
        if (found) break;
    }
    formatting_clear_to_marker(t);
    t->mode = IN_ROW;
}

static outcome in_cell(tree *t) {
    const token *k = &t->token;
    bool open = tree_in_scope(t, TAG_TD, SCOPE_TABLE) || tree_in_scope(t, TAG_TH, SCOPE_TABLE);
    if (k->kind == TOKEN_START && is_table_part(k->tag)) {
        if (!open) return DONE;
        leave_cell(t);
        return REPROCESS;
    }
    if (k->kind == TOKEN_END) {
        if (is_cell(k->tag)) {
            if (!tree_in_scope(t, k->tag, SCOPE_TABLE)) return DONE;
            tree_generate_implied_end_tags(t, TAG_TEXT);
            tree_pop_until(t, k->tag);
            formatting_clear_to_marker(t);
            t->mode = IN_ROW;
            return DONE;
        }
        if (k->tag == TAG_TABLE || is_section(k->tag) || k->tag == TAG_TR) {
            if (!tree_in_scope(t, k->tag, SCOPE_TABLE)) return DONE;
            leave_cell(t);
            return REPROCESS;
        }
        if (k->tag == TAG_BODY || k->tag == TAG_HTML || is_table_part(k->tag)) return DONE;
    }
    return mode_in_body(t);
}

outcome mode_in_table(tree *t) {
    switch (t->mode) {
        case IN_TABLE_TEXT: return in_table_text(t);
        case IN_CAPTION: return in_caption(t);
        case IN_COLUMN_GROUP: return in_column_group(t);
        case IN_TABLE_BODY: return in_table_body(t);
        case IN_ROW: return in_row(t);
        case IN_CELL: return in_cell(t);
        default: return in_table(t);
    }
}
