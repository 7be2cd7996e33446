#include "inline_html.h"

#include "markdown_lines.h"
#include "simd.h"
#include "whitespace.h"

typedef struct {
    const writer_page *page;
    const address_bases *bases;
    const inline_place *place;
    const inline_runs *source;
    output_buffer *out;
    output_buffer address;     /* of the current link or image */
    output_buffer latest;      /* of the link before, */
    attribute_value latest_at; /* as it is written on the page */
    bool unsure, linked;       /* the twin has to decide; there was a link before */
} html_state;

static const char *reference_of(uint8_t byte, bool in_attribute) {
    switch (byte) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return in_attribute ? "&quot;" : NULL;
    case '\'': return in_attribute ? "&#x27;" : NULL;
    default: return NULL;
    }
}

/* The next byte that may need a reference. */
static size_t next_escaped(const uint8_t *text, size_t at, size_t length) {
    static const char wanted[] = "&<>\"'";
    for (; length - at >= SIMD_WIDTH; at += SIMD_WIDTH) {
        simd_bytes bytes = simd_load(text + at), found = simd_none();
        for (size_t other = 0; other < sizeof wanted - 1; other++) found = simd_or(found, simd_equal(bytes, (uint8_t)wanted[other]));
        uint32_t mask = simd_mask(found);
        if (mask) return at + (size_t)lowest_bit(mask);
    }
    while (at < length && !reference_of(text[at], true)) at++;
    return at;
}

void put_html_text(output_buffer *out, const uint8_t *text, size_t length, bool in_attribute) {
    if (!length) return; /* an empty text may be a null pointer, which takes no offset */
    size_t from = 0;
    for (size_t at = 0; (at = next_escaped(text, at, length)) < length; at++) {
        const char *reference = reference_of(text[at], in_attribute);
        if (!reference) continue;
        output_put(out, text + from, at - from);
        output_text(out, reference);
        from = at + 1;
    }
    if (from < length) output_put(out, text + from, length - from);
}

static const char *tag_of(uint32_t mark) {
    switch (mark) {
    case MARK_STRONG: return "strong";
    case MARK_EM: return "em";
    case MARK_STRIKE: return "s";
    case MARK_HIGHLIGHT: return "mark";
    case MARK_CODE: return "code";
    case MARK_SUB: return "sub";
    default: return "sup";
    }
}

static void put_tag(output_buffer *out, const char *before, const char *name) {
    output_text(out, before);
    output_text(out, name);
    output_byte(out, '>');
}

static bool is_same(const void *one, size_t length, const void *other, size_t others) {
    return length == others && (!length || memcmp(one, other, length) == 0);
}

/* The start of a link; two neighbours that may be one are left to Python. */
static void open_link(html_state *s, int32_t row) {
    attribute_value href = writer_attribute(s->page, row, WRITER_NAME_HREF);
    s->address.used = 0;
    if (!write_link_address(s->bases, href, &s->address)) s->unsure = true;
    bool same = s->linked && is_same(s->address.bytes, s->address.used, s->latest.bytes, s->latest.used);
    if (same && !is_same(href.bytes, (size_t)href.length, s->latest_at.bytes, (size_t)s->latest_at.length)) s->unsure = true;
    s->latest.used = 0;
    output_put(&s->latest, s->address.bytes, s->address.used);
    s->latest_at = href;
    s->linked = true;
    output_text(s->out, "<a href=\"");
    put_html_text(s->out, s->address.bytes, s->address.used, true);
    output_text(s->out, "\" rel=\"nofollow noopener noreferrer\">");
}

static void put_image(html_state *s, int32_t row) {
    attribute_value alt = writer_attribute(s->page, row, WRITER_NAME_ALT);
    bool gap = false, started = false;
    s->address.used = 0;
    if (!write_image_address(s->page, s->bases, row, &s->address)) s->unsure = true;
    output_text(s->out, "<img src=\"");
    put_html_text(s->out, s->address.bytes, s->address.used, true);
    output_text(s->out, "\" alt=\"");
    for (int32_t at = 0; at < alt.length;) {
        int32_t space = space_length(alt.bytes + at, alt.length - at);
        if (space) {
            gap = started;
            at += space;
            continue;
        }
        int32_t start = at;
        while (at < alt.length && !space_length(alt.bytes + at, alt.length - at)) at++;
        if (gap) output_byte(s->out, ' ');
        gap = false;
        started = true;
        put_html_text(s->out, alt.bytes + start, (size_t)(at - start), true);
    }
    output_text(s->out, "\" loading=\"lazy\">");
}

static bool has_mark(uint32_t marks, uint32_t mark) {
    for (; marks; marks >>= MARK_BITS)
        if ((marks & MARK_MASK) == mark) return true;
    return false;
}

static int32_t end_of_link(const html_state *s, int32_t at, int32_t stop) {
    const inline_run *runs = s->source->runs;
    int32_t end = at + 1;
    while (end < stop && inline_same_link(&s->page->nodes, s->place->href, runs[at].link, runs[end].link)) end++;
    return end;
}

/* Nest runs in their links and marks, the longest outermost; `around`: marks, as bits. */
static void put_runs(html_state *s, int32_t start, int32_t stop, uint32_t around) {
    const inline_run *runs = s->source->runs;
    for (int32_t at = start; at < stop && !s->unsure;) {
        int32_t end = at;
        uint32_t outermost = 0;
        if (runs[at].link >= 0 && !(around & 1u << MARK_LINK)) {
            end = end_of_link(s, at, stop);
            outermost = MARK_LINK;
        }
        for (uint32_t marks = runs[at].marks; marks; marks >>= MARK_BITS) {
            uint32_t mark = marks & MARK_MASK;
            int32_t covered = at;
            if (around & 1u << mark) continue;
            while (covered < stop && has_mark(runs[covered].marks, mark)) covered++;
            if (covered > end) {
                end = covered;
                outermost = mark;
            }
        }
        if (!outermost) {
            if (runs[at].image >= 0) put_image(s, runs[at].image);
            else put_html_text(s->out, s->source->text + runs[at].from, (size_t)(runs[at].to - runs[at].from), false);
            at++;
            continue;
        }
        if (outermost == MARK_LINK) open_link(s, runs[at].link);
        else put_tag(s->out, "<", tag_of(outermost));
        put_runs(s, at, end, around | 1u << outermost);
        if (outermost == MARK_LINK) output_text(s->out, "</a>");
        else put_tag(s->out, "</", tag_of(outermost));
        at = end;
    }
}

inline_result inline_html_picture(const writer_page *page, const address_bases *bases, int32_t row, output_buffer *out) {
    html_state s = {.page = page, .bases = bases, .out = out};
    size_t start = out->used;
    put_image(&s, row);
    inline_result result = out->failed || s.address.failed ? INLINE_NO_MEMORY : s.unsure ? INLINE_OTHER : INLINE_OK;
    free(s.address.bytes);
    if (result != INLINE_OK) out->used = start;
    return result;
}

inline_result inline_html(const writer_page *page, const address_bases *bases, int32_t block, output_buffer *out) {
    if (is_plain_block(page, block)) {
        put_html_text(out, page->text + page->text_start[block], (size_t)(page->text_stop[block] - page->text_start[block]), false);
        return out->failed ? INLINE_NO_MEMORY : INLINE_OK;
    }
    int32_t skipped = page->flags[block] & FLAG_HIDDEN ? FLAG_UNRENDERED : FLAG_UNRENDERED | FLAG_HIDDEN;
    inline_place place = {page->first[block], page->stop[block], page->element[block], skipped, page->kind[block] == KIND_HEADING, 0,
                          page->names[WRITER_NAME_HREF], page->names, true, NULL, &page->rules};
    inline_runs source;
    size_t start = out->used;
    inline_result result = inline_runs_of(&page->nodes, &place, &source);
    if (result == INLINE_OK) {
        html_state s = {.page = page, .bases = bases, .place = &place, .source = &source, .out = out};
        put_runs(&s, 0, source.count, 0);
        if (out->failed || s.address.failed || s.latest.failed) result = INLINE_NO_MEMORY;
        else if (s.unsure) result = INLINE_OTHER;
        free(s.address.bytes);
        free(s.latest.bytes);
    }
    if (result != INLINE_OK) out->used = start;
    inline_runs_free(&source);
    return result;
}
