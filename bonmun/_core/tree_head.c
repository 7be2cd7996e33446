/* The insertion modes INITIAL … AFTER_HEAD. */
#include <string.h>

#include "tree.h"

/* Prefixes of public identifiers that put a page into quirks mode, where a table does not close a paragraph. */
static const char *const QUIRKY[] = {
    "+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html", "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer", "-//netscape comm. corp.//dtd", "-//o'reilly and associates//dtd html",
    "-//sq//dtd html 2.0 hotmetal + extensions//", "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//", "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//", "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental", "-//w3c//dtd w3 html 3.0//", "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html", "-//w3c//dtd w3 html strict 3.0//en//",
};

static bool identifier_starts(const tree *t, span text, const char *prefix) {
    int32_t length = (int32_t)strlen(prefix);
    return text.start >= 0 && text.stop - text.start >= length &&
           tree_equals(t, (span){text.start, text.start + length}, prefix);
}

static bool is_quirky(const tree *t) {
    const token *doctype = &t->token;
    if (doctype->force_quirks || !tree_equals(t, doctype->name, "html")) return true;
    if (tree_equals(t, doctype->public_id, "-//w3o//dtd w3 html strict 3.0//en//")) return true;
    if (tree_equals(t, doctype->public_id, "-/w3c/dtd html 4.0 transitional/en")) return true;
    if (tree_equals(t, doctype->public_id, "html")) return true;
    if (tree_equals(t, doctype->system_id, "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd")) return true;
    for (size_t at = 0; at < sizeof QUIRKY / sizeof *QUIRKY; at++)
        if (identifier_starts(t, doctype->public_id, QUIRKY[at])) return true;
    return doctype->system_id.start < 0 && (identifier_starts(t, doctype->public_id, "-//w3c//dtd html 4.01 frameset//") ||
                                            identifier_starts(t, doctype->public_id, "-//w3c//dtd html 4.01 transitional//"));
}

/* Ignore leading white space; true if nothing else is in the token. */
static bool skip_blank(tree *t) {
    if (t->token.kind != TOKEN_TEXT) return false;
    t->token.text.start = tree_leading_blank(t, t->token.text).stop;
    return t->token.text.start == t->token.text.stop;
}

/* Insert leading white space; true if nothing else is in the token. */
static bool insert_blank(tree *t) {
    if (t->token.kind != TOKEN_TEXT) return false;
    span blank = tree_leading_blank(t, t->token.text);
    if (blank.start < blank.stop) tree_insert_text(t, blank, 0);
    t->token.text.start = blank.stop;
    return t->token.text.start == t->token.text.stop;
}

/* End tags that are not ignored before the body, but imply the missing start tags. */
static bool is_processed_end_tag(const token *k) {
    return k->tag == TAG_HEAD || k->tag == TAG_BODY || k->tag == TAG_HTML || k->tag == TAG_BR;
}

static outcome initial(tree *t) {
    if (skip_blank(t)) return DONE;
    if (t->token.kind == TOKEN_COMMENT) return DONE;
    bool doctype = t->token.kind == TOKEN_DOCTYPE;
    t->quirks = !doctype || is_quirky(t);
    t->mode = BEFORE_HTML;
    return doctype ? DONE : REPROCESS;
}

static outcome before_html(tree *t) {
    if (skip_blank(t)) return DONE;
    const token *k = &t->token;
    if (k->kind == TOKEN_DOCTYPE || k->kind == TOKEN_COMMENT) return DONE;
    if (k->kind == TOKEN_START && k->tag == TAG_HTML) {
        tree_insert_element(t, TAG_HTML);
        t->mode = BEFORE_HEAD;
        return DONE;
    }
    if (k->kind == TOKEN_END && !is_processed_end_tag(k)) return DONE;
    tree_insert_implied(t, TAG_HTML);
    t->mode = BEFORE_HEAD;
    return REPROCESS;
}

static outcome before_head(tree *t) {
    if (skip_blank(t)) return DONE;
    const token *k = &t->token;
    if (k->kind == TOKEN_COMMENT) {
        tree_insert_comment(t, NONE);
        return DONE;
    }
    if (k->kind == TOKEN_DOCTYPE) return DONE;
    if (k->kind == TOKEN_START && k->tag == TAG_HTML) return mode_in_body(t);
    if (k->kind == TOKEN_START && k->tag == TAG_HEAD) {
        t->head = tree_insert_element(t, TAG_HEAD);
        t->mode = IN_HEAD;
        return DONE;
    }
    if (k->kind == TOKEN_END && !is_processed_end_tag(k)) return DONE;
    t->head = tree_insert_implied(t, TAG_HEAD);
    t->mode = IN_HEAD;
    return REPROCESS;
}

static void start_template(tree *t) {
    int32_t listed = t->formatting_count;
    tree_insert_element(t, TAG_TEMPLATE);
    formatting_insert_marker(t);
    t->frameset_ok = false;
    t->mode = IN_TEMPLATE;
    if (!tree_grow(t, (void **)&t->templates, &t->template_room, t->template_count + 1, sizeof(open_template))) return;
    t->templates[t->template_count++] = (open_template){IN_TEMPLATE, listed};
}

static void end_template(tree *t) {
    if (!tree_has_open(t, TAG_TEMPLATE)) return;
    tree_generate_implied_end_tags_thoroughly(t);
    tree_close_template(t);
}

static outcome head_start(tree *t) {
    int32_t tag = t->token.tag;
    switch (tag) {
        case TAG_HTML:
            return mode_in_body(t);
        case TAG_BASE: case TAG_BASEFONT: case TAG_BGSOUND: case TAG_LINK: case TAG_META:
            tree_insert_element(t, tag);
            tree_pop(t);
            return DONE;
        case TAG_TITLE:
            tree_insert_element(t, tag);
            tree_enter_text(t, MODEL_RCDATA);
            return DONE;
        case TAG_NOFRAMES: case TAG_STYLE:
            tree_insert_element(t, tag);
            tree_enter_text(t, MODEL_RAWTEXT);
            return DONE;
        case TAG_SCRIPT:
            tree_insert_element(t, tag);
            tree_enter_text(t, MODEL_SCRIPT);
            return DONE;
        case TAG_NOSCRIPT:
            tree_insert_element(t, tag);
            t->mode = IN_HEAD_NOSCRIPT;
            return DONE;
        case TAG_TEMPLATE:
            start_template(t);
            return DONE;
        case TAG_HEAD:
            return DONE;
        default:
            tree_pop(t);
            t->mode = AFTER_HEAD;
            return REPROCESS;
    }
}

outcome mode_in_head(tree *t) {
    const token *k = &t->token;
    if (insert_blank(t)) return DONE;
    if (k->kind == TOKEN_COMMENT) {
        tree_insert_comment(t, NONE);
        return DONE;
    }
    if (k->kind == TOKEN_DOCTYPE) return DONE;
    if (k->kind == TOKEN_START) return head_start(t);
    if (k->kind == TOKEN_END) {
        if (k->tag == TAG_TEMPLATE) {
            end_template(t);
            return DONE;
        }
        if (k->tag == TAG_HEAD) {
            tree_pop(t);
            t->mode = AFTER_HEAD;
            return DONE;
        }
        if (!is_processed_end_tag(k)) return DONE;
    }
    tree_pop(t);
    t->mode = AFTER_HEAD;
    return REPROCESS;
}

static outcome in_head_noscript(tree *t) {
    const token *k = &t->token;
    if (k->kind == TOKEN_DOCTYPE) return DONE;
    if (k->kind == TOKEN_COMMENT || (k->kind == TOKEN_TEXT && insert_blank(t))) {
        if (k->kind == TOKEN_COMMENT) tree_insert_comment(t, NONE);
        return DONE;
    }
    if (k->kind == TOKEN_START) {
        switch (k->tag) {
            case TAG_HTML:
                return mode_in_body(t);
            case TAG_BASEFONT: case TAG_BGSOUND: case TAG_LINK: case TAG_META: case TAG_NOFRAMES: case TAG_STYLE:
                return mode_in_head(t);
            case TAG_HEAD: case TAG_NOSCRIPT:
                return DONE;
            default:
                break;
        }
    }
    if (k->kind == TOKEN_END && k->tag != TAG_BR) {
        if (k->tag == TAG_NOSCRIPT) {
            tree_pop(t);
            t->mode = IN_HEAD;
        }
        return DONE;
    }
    tree_pop(t);
    t->mode = IN_HEAD;
    return REPROCESS;
}

/* Elements of the head are inserted there even after it is closed. */
static outcome after_head_in_head(tree *t) {
    int32_t at = t->open_count;
    if (t->rows.end[t->head] != t->count && !tree_link(t)) return DONE;
    tree_push(t, t->head, TAG_HEAD, NS_HTML);
    outcome done = mode_in_head(t);
    if (at < t->open_count && tree_open(t, at) == t->head) tree_remove_open(t, at);
    return done;
}

static outcome after_head_start(tree *t) {
    switch (t->token.tag) {
        case TAG_HTML:
            return mode_in_body(t);
        case TAG_BODY:
            tree_insert_element(t, TAG_BODY);
            t->frameset_ok = false;
            t->mode = IN_BODY;
            return DONE;
        case TAG_FRAMESET:
            tree_insert_element(t, TAG_FRAMESET);
            t->mode = IN_FRAMESET;
            return DONE;
        case TAG_BASE: case TAG_BASEFONT: case TAG_BGSOUND: case TAG_LINK: case TAG_META: case TAG_NOFRAMES:
        case TAG_SCRIPT: case TAG_STYLE: case TAG_TEMPLATE: case TAG_TITLE:
            return after_head_in_head(t);
        case TAG_HEAD:
            return DONE;
        default:
            tree_insert_implied(t, TAG_BODY);
            t->mode = IN_BODY;
            return REPROCESS;
    }
}

static outcome after_head(tree *t) {
    const token *k = &t->token;
    if (insert_blank(t)) return DONE;
    if (k->kind == TOKEN_COMMENT) {
        tree_insert_comment(t, NONE);
        return DONE;
    }
    if (k->kind == TOKEN_DOCTYPE) return DONE;
    if (k->kind == TOKEN_START) return after_head_start(t);
    if (k->kind == TOKEN_END) {
        if (k->tag == TAG_TEMPLATE) return mode_in_head(t);
        if (k->tag != TAG_BODY && k->tag != TAG_HTML && k->tag != TAG_BR) return DONE;
    }
    tree_insert_implied(t, TAG_BODY);
    t->mode = IN_BODY;
    return REPROCESS;
}

outcome mode_before_body(tree *t) {
    switch (t->mode) {
        case INITIAL: return initial(t);
        case BEFORE_HTML: return before_html(t);
        case BEFORE_HEAD: return before_head(t);
        case IN_HEAD_NOSCRIPT: return in_head_noscript(t);
        default: return after_head(t);
    }
}
