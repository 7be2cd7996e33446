#include "inline_runs.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "gaps.h"
#include "picture_source.h"
#include "scripts.h"
#include "tags_table.h"
#include "text_writer.h"

uint32_t inline_mark_of(int32_t tag) {
    switch (tag) {
    case TAG_STRONG: case TAG_B: return MARK_STRONG;
    case TAG_EM: case TAG_I: case TAG_CITE: case TAG_DFN: case TAG_VAR: return MARK_EM;
    case TAG_S: case TAG_STRIKE: case TAG_DEL: return MARK_STRIKE;
    case TAG_CODE: case TAG_KBD: case TAG_SAMP: case TAG_TT: return MARK_CODE;
    case TAG_MARK: return MARK_HIGHLIGHT;
    case TAG_SUB: return MARK_SUB;
    case TAG_SUP: return MARK_SUP;
    default: return 0;
    }
}

/* The marks without one of them. */
static uint32_t without(uint32_t marks, uint32_t mark) {
    uint32_t left = 0;
    for (int shift = 0; marks; marks >>= MARK_BITS) {
        if ((marks & MARK_MASK) == mark) continue;
        left |= (marks & MARK_MASK) << shift;
        shift += MARK_BITS;
    }
    return left;
}

static uint32_t with_innermost(uint32_t marks, uint32_t mark) {
    uint32_t others = without(marks, mark);
    int shift = 0;
    while (others >> shift) shift += MARK_BITS;
    return others | mark << shift;
}

static uint32_t members(uint32_t marks) {
    uint32_t set = 0;
    for (; marks; marks >>= MARK_BITS) set |= 1u << (marks & MARK_MASK);
    return set;
}

/* The marks at the same places of both. */
static uint32_t shared_marks(uint32_t one, uint32_t other) {
    uint32_t both = 0;
    for (int shift = 0; one && other; one >>= MARK_BITS, other >>= MARK_BITS) {
        if ((one & MARK_MASK) != (other & MARK_MASK)) continue;
        both |= (one & MARK_MASK) << shift;
        shift += MARK_BITS;
    }
    return both;
}

/* The number of an element's address among the attributes; -1: it has none. */
static int32_t address_of(const node_view *nodes, int32_t href, int32_t row) {
    for (int32_t at = nodes->attr_first[row]; href >= 0 && at < nodes->attr_first[row + 1]; at++)
        if (nodes->attr_name[at] == href) return at;
    return -1;
}

bool inline_same_link(const node_view *nodes, int32_t href, int32_t one, int32_t other) {
    if (one == other || one < 0 || other < 0) return one == other;
    int32_t here = address_of(nodes, href, one), there = address_of(nodes, href, other);
    int32_t length = nodes->attr_stop[here] - nodes->attr_start[here];
    return length == nodes->attr_stop[there] - nodes->attr_start[there] &&
           memcmp(bytes_at(nodes, nodes->attr_start[here]), bytes_at(nodes, nodes->attr_start[there]), (size_t)length) == 0;
}

/* Whether a link runs a script: it has no address, whatever follows. */
static bool runs_script(const node_view *nodes, int32_t href, int32_t link) {
    static const char scheme[] = "javascript:";
    int32_t at = address_of(nodes, href, link), length = nodes->attr_stop[at] - nodes->attr_start[at];
    const uint8_t *bytes = bytes_at(nodes, nodes->attr_start[at]);
    for (; length && *bytes == ' '; length--) bytes++;
    if ((size_t)length < sizeof scheme - 1) return false;
    for (size_t letter = 0; letter < sizeof scheme - 1; letter++)
        if (byte_lower(bytes[letter]) != (uint8_t)scheme[letter]) return false;
    return true;
}

typedef struct {
    uint32_t marks;
    int32_t link; /* -1: none */
} inline_context;

typedef struct {
    const node_view *nodes;
    const inline_place *place;
    inline_context *inside; /* by row of the block: the marks and the link of an element's content */
    int32_t outer;          /* the latest parent before the block's rows, */
    inline_context around;  /* and its marks and link */
} mark_contexts;

static bool is_link(const mark_contexts *c, int32_t row) {
    return c->nodes->tag[row] == TAG_A && address_of(c->nodes, c->place->href, row) >= 0;
}

/* The nearest link around the content of an element; it may be above the block. */
static int32_t link_above(const mark_contexts *c, int32_t row) {
    while (row >= 0 && !is_link(c, row)) row = c->nodes->parent[row];
    return row;
}

/* The marks of an element that starts before the block's rows, inside the block's element. */
static uint32_t marks_above(const mark_contexts *c, int32_t row) {
    const node_view *nodes = c->nodes;
    int32_t element = c->place->element;
    if (element > row || nodes->end[element] <= row) element = -1;
    uint32_t marks = 0; /* innermost first: each comes before those found */
    for (; row > element; row = nodes->parent[row]) {
        uint32_t mark = inline_mark_of(nodes->tag[row]);
        if (mark && !(members(marks) & 1u << mark)) marks = marks << MARK_BITS | mark;
    }
    return marks;
}

static inline_context context_in(mark_contexts *c, int32_t parent) {
    if (parent >= c->place->first) return c->inside[parent - c->place->first];
    if (parent != c->outer) {
        c->outer = parent;
        c->around = (inline_context){parent == c->place->element ? 0 : marks_above(c, parent), link_above(c, parent)};
    }
    return c->around;
}

/* The context of a row, and of the content of an element. */
static inline_context enter(mark_contexts *c, int32_t row) {
    inline_context here = context_in(c, c->nodes->parent[row]), inside = here;
    uint32_t own = inline_mark_of(c->nodes->tag[row]);
    if (own) inside.marks = with_innermost(here.marks, own);
    if (row == c->place->element) inside.marks = 0;
    if (is_link(c, row)) inside.link = row;
    c->inside[row - c->place->first] = inside;
    bool linked = here.link >= 0 && c->nodes->flags[row] & FLAG_LINK;
    if (!linked || runs_script(c->nodes, c->place->href, here.link)) here.link = -1;
    return here;
}

typedef struct {
    const node_view *nodes;
    const inline_place *place;
    inline_runs *out;
    inline_context pending; /* of a space that is written when more text follows */
    bool spaced, waiting;   /* at the start or behind white space; such a space waits */
    bool scripts;           /* whether a text is a superscript or subscript */
} run_writer;

static bool same_link(const run_writer *w, int32_t one, int32_t other) {
    if (w->place->numbers) return w->place->numbers->same(w->place->numbers, one, other);
    return inline_same_link(w->nodes, w->place->href, one, other);
}

/* Whether runs have all marks in their order, as HTML and JSON show them. */
static bool has_all_marks(const inline_place *place) { return place->exact || place->numbers; }

static bool same_marks(const run_writer *w, uint32_t one, uint32_t other) {
    return one == other || (!has_all_marks(w->place) && members(one) == members(other));
}

/* Runs with the same marks and link are joined; for Markdown in any order of marks, of which the last holds. */
static void commit(run_writer *w, inline_context context, int32_t from, int32_t to) {
    uint32_t extra = w->place->extra;
    uint32_t marks = has_all_marks(w->place) ? context.marks : without(context.marks, MARK_HIGHLIGHT); /* Markdown has none */
    if (extra) marks = without(marks, extra) << MARK_BITS | extra;
    inline_run *last = w->out->runs + w->out->count - 1;
    bool alike = w->out->count && last->image < 0 && same_marks(w, last->marks, marks);
    if (alike && same_link(w, last->link, context.link)) {
        last->to = to;
        last->marks = marks;
    } else {
        w->out->runs[w->out->count++] = (inline_run){from, to, marks, context.link, -1};
    }
}

static void add_space(run_writer *w, inline_context context) {
    if (w->spaced) return;
    w->out->text[w->out->used++] = ' ';
    w->spaced = w->waiting = true;
    w->pending = context;
}

static void add_text(run_writer *w, const uint8_t *bytes, int32_t length, inline_context context) {
    text_writer words = {w->out->text + w->out->used, w->out->text + w->out->used, 0, !w->spaced, false, false};
    int32_t from = w->out->used;
    write_collapsed(&words, bytes, length, length); /* "started": leading white space is written */
    if (!words.solid) {
        if (words.gap) add_space(w, context);
        return;
    }
    if (words.gap) *words.to++ = ' ';
    w->out->used = (int32_t)(words.to - w->out->text);
    if (w->waiting) commit(w, w->pending, from - 1, from);
    commit(w, context, from, w->out->used);
    w->waiting = false;
    w->spaced = words.gap;
}

/* An image has no marks. */
static void add_image(run_writer *w, int32_t row, int32_t link) {
    int32_t from = w->out->used++;
    w->out->text[from] = IMAGE_BYTE;
    if (w->waiting) commit(w, w->pending, from - 1, from);
    w->out->runs[w->out->count++] = (inline_run){from, from + 1, 0, link, row};
    w->waiting = w->spaced = false;
}

static void finish(run_writer *w) {
    inline_runs *out = w->out;
    out->used -= w->spaced && out->used;
    if (out->count && !w->waiting && w->spaced) out->runs[out->count - 1].to = out->used;
}

enum { SCRIPTS = 1u << MARK_SUB | 1u << MARK_SUP };

/* How Markdown writes the superscript or subscript at some bytes of a text: as it is, by Unicode forms, or by a tag. */
typedef enum { SCRIPT_PLAIN, SCRIPT_UNICODE, SCRIPT_TAG } script_style;

static script_style style_of(const uint8_t *text, bool raised, int32_t from, int32_t to, int32_t before) {
    uint8_t form[MAX_FORM];
    int32_t start = from;
    while (start < to && text[start] == ' ') start++;
    while (to > start && text[to - 1] == ' ') to--;
    if (to - start > MAX_SCRIPT) return SCRIPT_TAG; /* perhaps */
    if (start == to) return SCRIPT_PLAIN;
    if (script_has_unicode_form(text + start, to - start)) return SCRIPT_UNICODE;
    if (start > from) before = from;
    return script_form(raised, text + start, to - start, text + before, from - before, form) ? SCRIPT_TAG : SCRIPT_PLAIN;
}

/* The runs of a text from one on that have the same scripts. */
static int32_t script_group(const inline_runs *runs, int32_t first) {
    uint32_t scripts = members(runs->runs[first].marks) & SCRIPTS;
    int32_t stop = first + 1;
    while (stop < runs->count && (members(runs->runs[stop].marks) & SCRIPTS) == scripts) stop++;
    return stop;
}

/* Write a run without its scripts. */
static void write_shifted(run_writer *w, const uint8_t *text, const inline_run *run, script_style style, bool raised) {
    int32_t length = run->to - run->from, from = w->out->used;
    uint8_t *to = w->out->text + from;
    if (style == SCRIPT_UNICODE) to = script_shifted(raised, text + run->from, length, to);
    else to = (uint8_t *)memcpy(to, text + run->from, (size_t)length) + length;
    w->out->used = (int32_t)(to - w->out->text);
    commit(w, (inline_context){without(without(run->marks, MARK_SUB), MARK_SUP), run->link}, from, w->out->used);
}

/* Write runs again without scripts; INLINE_OTHER for scripts that need a tag, and for those beside images.
 * write/markdown_scripts.py is the Python twin. */
static inline_result shift_scripts(run_writer *w, const inline_runs *runs) {
    int32_t tail = 0; /* the start of the text that a script stands behind */
    for (int32_t at = 0; at < runs->count;) {
        const inline_run *first = runs->runs + at, *stop = runs->runs + (at = script_group(runs, at));
        uint32_t scripts = members(first->marks) & SCRIPTS;
        bool raised = scripts == 1u << MARK_SUP;
        script_style style = scripts ? style_of(runs->text, raised, first->from, stop[-1].to, tail) : SCRIPT_PLAIN;
        if (style == SCRIPT_TAG || scripts == SCRIPTS) return INLINE_OTHER;
        tail = first->from;
        for (; first < stop; first++) {
            if (first->image >= 0) return INLINE_OTHER;
            write_shifted(w, runs->text, first, style, raised);
        }
    }
    return INLINE_OK;
}

static inline_result without_scripts(run_writer *w) {
    inline_runs before = *w->out, *out = w->out;
    if (before.used > INT32_MAX / 3) return INLINE_OTHER; /* a Unicode form has three bytes at most */
    *out = (inline_runs){malloc(3 * (size_t)before.used + 1), malloc(((size_t)before.count + 1) * sizeof *out->runs), 0, 0};
    inline_result result = out->text && out->runs ? shift_scripts(w, &before) : INLINE_NO_MEMORY;
    inline_runs_free(&before);
    return result;
}

static bool is_shown(const node_view *nodes, const inline_place *place, int32_t row) {
    int32_t tag = nodes->tag[row];
    return (tag == TAG_TEXT || tag == TAG_BR || tag == TAG_IMG || nodes->chars[row]) && !(nodes->flags[row] & place->skipped);
}

/* The size of the text with gaps, and the number of texts; -1: it has more than text. */
static int32_t count_texts(const node_view *nodes, const inline_place *place, int64_t *size) {
    int32_t count = 0, tag;
    *size = 1;
    for (int32_t row = place->first; row < place->stop; row++) {
        if (!is_shown(nodes, place, row)) continue;
        tag = nodes->tag[row];
        if ((tag != TAG_TEXT && tag != TAG_BR && !(tag == TAG_IMG && place->images)) || row == place->element) return -1;
        count++;
        *size += 2 + nodes->stop[row] - nodes->start[row];
    }
    return place->heading && count > 1 && !place->rules ? -1 : count;
}

static bool is_gap(const node_view *nodes, const inline_place *place, int32_t before, int32_t row) {
    return parted(nodes, before, row) || (place->heading && on_separate_lines(nodes, place->rules, before, row));
}

static inline_result write_runs(mark_contexts *c, run_writer *w) {
    const node_view *nodes = c->nodes;
    const inline_place *place = c->place;
    int32_t before = -1; /* the text right before */
    inline_context latest = {0, -1};
    attribute_value source;
    for (int32_t row = place->first; row < place->stop; row++) {
        int32_t tag = nodes->tag[row], length = nodes->stop[row] - nodes->start[row];
        inline_context context = enter(c, row);
        if (!is_shown(nodes, place, row) || (tag == TAG_TEXT && !length)) continue;
        if (place->numbers && context.link >= 0) context.link = place->numbers->of(place->numbers, context.link);
        if (tag == TAG_IMG) {
            if (picture_source(nodes, place->images, row, &source) == SOURCE_NONE) continue;
            add_image(w, row, context.link);
            latest = (inline_context){0, context.link};
            continue;
        }
        w->scripts = w->scripts || members(context.marks) & SCRIPTS;
        if (tag == TAG_BR) {
            add_space(w, context);
            before = -1;
        } else {
            if (before >= 0 && is_gap(nodes, place, before, row)) {
                int32_t link = same_link(w, latest.link, context.link) ? context.link : -1;
                add_space(w, (inline_context){shared_marks(latest.marks, context.marks), link});
            }
            add_text(w, bytes_at(nodes, nodes->start[row]), length, context);
            before = row;
        }
        latest = context;
    }
    finish(w);
    return w->scripts && !has_all_marks(place) ? without_scripts(w) : INLINE_OK;
}

inline_result inline_runs_of(const node_view *nodes, const inline_place *place, inline_runs *out) {
    memset(out, 0, sizeof *out);
    int64_t size;
    int32_t count = count_texts(nodes, place, &size);
    if (count < 0 || size > INT32_MAX) return INLINE_OTHER;
    inline_context *inside = malloc((size_t)(place->stop - place->first + 1) * sizeof *inside);
    out->text = malloc((size_t)size);
    out->runs = malloc(((size_t)count * 2 + 1) * sizeof *out->runs);
    inline_result result = INLINE_NO_MEMORY;
    if (inside && out->text && out->runs) {
        mark_contexts contexts = {nodes, place, inside, -2, {0, -1}};
        run_writer writer = {nodes, place, out, {0, -1}, true, false, false};
        result = write_runs(&contexts, &writer);
    }
    free(inside);
    return result;
}

void inline_runs_free(inline_runs *r) {
    free(r->text);
    free(r->runs);
}
