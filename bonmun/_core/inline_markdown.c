#include "inline_markdown.h"

#include <stdlib.h>
#include <string.h>

#include "markdown_escapes.h"
#include "whitespace.h"

enum { OPENING = -1, CLOSING = -2, LINK_START = -3, LINK_END = -4, IMAGE = -5, CODE = -8 };

typedef struct {
    int32_t from; /* of a text, or the number of a mark, or the row of a link or image */
    int32_t to;   /* OPENING or CLOSING for the edges of a mark, LINK_START or LINK_END for those of a link, IMAGE, CODE - to for code */
} inline_piece;

typedef struct {
    int32_t opening, closing; /* the places of its edges among the pieces */
    uint8_t name, delimiter;  /* '<' for a tag */
} inline_mark;

typedef struct {
    const node_view *nodes;
    const inline_place *place;
    const inline_runs *source;
    const inline_options *options;
    inline_piece *pieces;
    inline_mark *marks;
    size_t count, room, mark_count, mark_room;
    dollar_signs dollars;
    bool failed, unsure; /* no memory; the twin has to decide */
} inline_pieces;

static void *grown(void *items, size_t *room, size_t size) {
    size_t wanted = *room ? *room + *room / 2 : 8;
    void *larger = realloc(items, wanted * size);
    if (larger) *room = wanted;
    return larger;
}

static void push(inline_pieces *p, inline_piece piece) {
    if (p->count == p->room) {
        void *larger = grown(p->pieces, &p->room, sizeof *p->pieces);
        p->failed = p->failed || !larger;
        if (!larger) return;
        p->pieces = larger;
    }
    p->pieces[p->count++] = piece;
}

static int32_t new_mark(inline_pieces *p, uint32_t name) {
    if (p->mark_count == p->mark_room) {
        void *larger = grown(p->marks, &p->mark_room, sizeof *p->marks);
        p->failed = p->failed || !larger;
        if (!larger) return 0;
        p->marks = larger;
    }
    p->marks[p->mark_count] = (inline_mark){-1, -1, (uint8_t)name, 0};
    return (int32_t)p->mark_count++;
}

static void push_text(inline_pieces *p, int32_t from, int32_t to) {
    if (from >= to) return;
    if (p->count && p->pieces[p->count - 1].to >= 0) p->pieces[p->count - 1].to = to;
    else push(p, (inline_piece){from, to});
}

/* Code keeps its characters; white space at its ends is outside. */
static void push_code(inline_pieces *p, int32_t from, int32_t to) {
    const uint8_t *text = p->source->text;
    int32_t first = from, last = to;
    if (first < last && text[first] == ' ') first++;
    if (first < last && text[last - 1] == ' ') last--;
    push_text(p, from, first);
    if (first < last) push(p, (inline_piece){first, CODE - last});
    push_text(p, last, to);
}

static bool has_mark(uint32_t marks, uint32_t mark) {
    for (; marks; marks >>= MARK_BITS)
        if ((marks & MARK_MASK) == mark) return true;
    return false;
}

typedef struct {
    int32_t start, stop; /* runs */
    int32_t from, to;    /* their text, without white space at the ends of the span around them */
    uint32_t around;     /* marks, as bits */
} run_range;

static void push_runs(inline_pieces *p, run_range range);

/* Write the edges of a mark around runs; white space at either end stays outside. */
static void push_span(inline_pieces *p, run_range inside, uint32_t mark) {
    const uint8_t *text = p->source->text;
    int32_t from = inside.from, to = inside.to;
    if (from < to && text[from] == ' ') inside.from++;
    if (inside.from < to && text[to - 1] == ' ') inside.to--;
    push_text(p, from, inside.from);
    if (inside.from >= inside.to && mark == MARK_LINK) p->unsure = true; /* nobody looks at its address, which may be none */
    if (inside.from < inside.to && mark == MARK_LINK) {
        push(p, (inline_piece){p->source->runs[inside.start].link, LINK_START});
        push_runs(p, inside);
        push(p, (inline_piece){p->source->runs[inside.start].link, LINK_END});
    } else if (inside.from < inside.to) {
        size_t edge = p->count;
        push(p, (inline_piece){0, OPENING});
        push_runs(p, inside);
        if (p->failed) return;
        inline_piece *first = p->pieces + edge + 1, *last = p->pieces + p->count - 1;
        bool whole = first->to == OPENING && last->to == CLOSING && first->from == last->from;
        uint32_t inner = whole ? p->marks[first->from].name : 0;
        if ((inner == MARK_STRONG && mark == MARK_EM) || (inner == MARK_EM && mark == MARK_STRONG)) {
            p->marks[first->from].name = MARK_STRONG_EM;
            memmove(first - 1, first, (size_t)(last + 1 - first) * sizeof *first);
            p->count--;
        } else {
            int32_t number = new_mark(p, mark);
            p->pieces[edge].from = number;
            push(p, (inline_piece){number, CLOSING});
        }
    }
    push_text(p, inside.to, to);
}

/* The first run from `at` on with another link. */
static int32_t end_of_link(const inline_pieces *p, int32_t at, int32_t stop) {
    const inline_run *runs = p->source->runs;
    int32_t end = at + 1;
    while (end < stop && inline_same_link(p->nodes, p->place->href, runs[at].link, runs[end].link)) end++;
    return end;
}

/* Nest runs in their links and marks, the longest outermost; bonmun/write/marks.py is the twin. */
static void push_runs(inline_pieces *p, run_range range) {
    const inline_run *runs = p->source->runs;
    for (int32_t at = range.start; at < range.stop && !p->failed;) {
        int32_t stop = at;
        uint32_t outermost = 0;
        if (runs[at].link >= 0 && !(range.around & 1u << MARK_LINK)) {
            stop = end_of_link(p, at, range.stop);
            outermost = MARK_LINK;
        }
        for (uint32_t marks = runs[at].marks; marks; marks >>= MARK_BITS) {
            uint32_t mark = marks & MARK_MASK;
            int32_t end = at;
            if (mark == MARK_CODE || range.around & 1u << mark) continue;
            while (end < range.stop && has_mark(runs[end].marks, mark)) end++;
            if (end > stop) {
                stop = end;
                outermost = mark;
            }
        }
        int32_t last = outermost ? stop - 1 : at;
        int32_t from = runs[at].from > range.from ? runs[at].from : range.from;
        int32_t to = runs[last].to < range.to ? runs[last].to : range.to;
        if (!outermost && runs[at].image >= 0) push(p, (inline_piece){runs[at].image, IMAGE});
        else if (!outermost && has_mark(runs[at].marks, MARK_CODE)) push_code(p, from, to);
        else if (!outermost) push_text(p, from, to);
        else push_span(p, (run_range){at, stop, from, to, range.around | 1u << outermost}, outermost);
        at = last + 1;
    }
}

typedef enum { CHAR_SPACE, CHAR_PUNCTUATION, CHAR_LETTER, CHAR_UNKNOWN } char_class;

/* The class of a character by ranges in which all characters are letters, or all are punctuation; there are others. */
static char_class class_of_code(uint32_t code) {
    if (code < 0x80) return code == ' ' ? CHAR_SPACE : is_ascii_punctuation((uint8_t)code) ? CHAR_PUNCTUATION : CHAR_LETTER;
    if (code == 0xAB || code == 0xBB || (code >= 0x2010 && code <= 0x2027) || (code >= 0x3001 && code <= 0x3003) ||
        (code >= 0x3008 && code <= 0x3011))
        return CHAR_PUNCTUATION;
    if ((code >= 0xC0 && code <= 0x2AF && code != 0xD7 && code != 0xF7) || (code >= 0x400 && code <= 0x481) ||
        (code >= 0x3041 && code <= 0x3096) || (code >= 0x30A1 && code <= 0x30FA) || (code >= 0x4E00 && code <= 0x9FFF) ||
        (code >= 0xAC00 && code <= 0xD7A3))
        return CHAR_LETTER;
    return CHAR_UNKNOWN;
}

static char_class class_at(const uint8_t *text) {
    if (text[0] < 0x80) return class_of_code(text[0]);
    if (text[0] < 0xE0) return class_of_code((text[0] & 0x1Fu) << 6 | (text[1] & 0x3Fu));
    if (text[0] < 0xF0) return class_of_code((text[0] & 0x0Fu) << 12 | (text[1] & 0x3Fu) << 6 | (text[2] & 0x3Fu));
    return CHAR_UNKNOWN;
}

/* The class of the first or last character of a piece; markup counts as punctuation, the ends of a line as white space. */
static char_class class_of_piece(const inline_pieces *p, ptrdiff_t index, bool last) {
    if (index < 0 || (size_t)index >= p->count) return CHAR_SPACE;
    const inline_piece *piece = p->pieces + index;
    if (piece->to < 0) return CHAR_PUNCTUATION;
    const uint8_t *text = p->source->text;
    int32_t at = last ? piece->to - 1 : piece->from;
    while (last && at > piece->from && (text[at] & 0xC0) == 0x80) at--;
    return class_at(text + at);
}

/* Whether a delimiter between these characters opens or closes a mark. */
static bool flanks(inline_pieces *p, char_class outside, char_class inside, bool word_edges_only) {
    if (inside == CHAR_SPACE) return false;
    if (outside == CHAR_SPACE || outside == CHAR_PUNCTUATION) return true;
    if (!word_edges_only && inside == CHAR_LETTER) return true;
    if (outside == CHAR_UNKNOWN || (!word_edges_only && inside == CHAR_UNKNOWN)) p->unsure = true;
    return false;
}

static bool is_taken(const inline_pieces *p, const inline_mark *mark, uint8_t delimiter) {
    const ptrdiff_t near[] = {mark->opening - 1, mark->opening + 1, mark->closing - 1, mark->closing + 1};
    for (int at = 0; at < 4; at++) {
        if (near[at] < 0 || (size_t)near[at] >= p->count) continue;
        if (p->pieces[near[at]].to != OPENING && p->pieces[near[at]].to != CLOSING) continue;
        if (p->marks[p->pieces[near[at]].from].delimiter == delimiter) return true;
    }
    return false;
}

static uint8_t delimiter_of(inline_pieces *p, const inline_mark *mark) {
    const uint8_t *candidates = (const uint8_t *)(mark->name == MARK_STRIKE ? "~" : mark->name == MARK_EM ? "*_" : "*");
    for (; *candidates; candidates++) {
        bool edges_only = *candidates == '_';
        if (is_taken(p, mark, *candidates)) continue;
        if (flanks(p, class_of_piece(p, mark->opening - 1, true), class_of_piece(p, mark->opening + 1, false), edges_only) &&
            flanks(p, class_of_piece(p, mark->closing + 1, false), class_of_piece(p, mark->closing - 1, true), edges_only))
            return *candidates;
    }
    return '<';
}

/* Choose delimiters for every mark where a reader will pair them, else a tag; outer marks first. */
static void decide_edges(inline_pieces *p) {
    for (size_t at = 0; at < p->count; at++) {
        const inline_piece *piece = p->pieces + at;
        if (piece->to == OPENING) p->marks[piece->from].opening = (int32_t)at;
        else if (piece->to == CLOSING) p->marks[piece->from].closing = (int32_t)at;
    }
    for (size_t at = 0; at < p->count && !p->unsure; at++)
        if (p->pieces[at].to == OPENING) {
            inline_mark *mark = p->marks + p->pieces[at].from;
            mark->delimiter = delimiter_of(p, mark);
        }
}

static bool put_text(output_buffer *line, const char *text) {
    output_text(line, text);
    return !line->failed;
}

static bool write_ticks(output_buffer *line, int32_t count, bool before, bool after) {
    uint8_t *to = output_reserve(line, (size_t)count + 2);
    if (!to) return false;
    if (before) *to++ = ' ';
    memset(to, '`', (size_t)count);
    if (after) to[count] = ' ';
    line->used += (size_t)count + before + after;
    return true;
}

/* A code span: its fence is longer than all runs of backticks in it. */
static bool write_code(inline_pieces *p, output_buffer *line, int32_t from, int32_t to) {
    const uint8_t *text = p->source->text;
    int32_t longest = 0, length = 0;
    for (int32_t at = from; at < to; at++) {
        length = text[at] == '`' ? length + 1 : 0;
        longest = length > longest ? length : longest;
        if ((text[at] == '$' && p->dollars < DOLLARS_HARMLESS) || (text[at] == '\\' && at + 1 < to && text[at + 1] == '|')) p->unsure = true;
    }
    bool padded = text[from] == '`' || text[to - 1] == '`';
    if (!write_ticks(line, longest + 1, false, padded)) return false;
    uint8_t *bytes = output_reserve(line, (size_t)(to - from));
    if (!bytes) return false;
    memcpy(bytes, text + from, (size_t)(to - from));
    line->used += (size_t)(to - from);
    return write_ticks(line, longest + 1, padded, false);
}

/* The end of a link or an image with its row between two marks, in place of the address. */
static bool write_address(output_buffer *line, int32_t row, uint8_t mark) {
    output_text(line, "](");
    output_byte(line, mark);
    output_number(line, row);
    output_byte(line, mark);
    return put_text(line, ")");
}

static bool write_edge(output_buffer *line, const inline_mark *mark, bool opens) {
    if (mark->delimiter == '_') return put_text(line, "_");
    bool tag = mark->delimiter == '<';
    switch (mark->name) {
    case MARK_STRONG: return put_text(line, !tag ? "**" : opens ? "<strong>" : "</strong>");
    case MARK_EM: return put_text(line, !tag ? "*" : opens ? "<em>" : "</em>");
    case MARK_STRIKE: return put_text(line, !tag ? "~~" : opens ? "<del>" : "</del>");
    default: return put_text(line, !tag ? "***" : opens ? "<strong><em>" : "</em></strong>");
    }
}

/* The start of an image, up to its address; its alternative text has white space collapsed. */
static bool write_image(inline_pieces *p, output_buffer *line, int32_t row) {
    const node_view *nodes = p->nodes;
    int32_t used = 0, at = nodes->attr_first[row], stop = nodes->attr_first[row + 1];
    while (at < stop && nodes->attr_name[at] != p->options->alt) at++;
    const uint8_t *alt = at < stop ? bytes_at(nodes, nodes->attr_start[at]) : NULL;
    int32_t length = at < stop ? nodes->attr_stop[at] - nodes->attr_start[at] : 0;
    uint8_t *text = malloc((size_t)length + 1);
    if (!text) return false;
    bool gap = false;
    for (int32_t from = 0; from < length;) {
        int32_t space = space_length(alt + from, length - from);
        if (space) {
            gap = used > 0;
            from += space;
            continue;
        }
        if (gap) text[used++] = ' ';
        gap = false;
        if (alt[from] == '~' || alt[from] == '$') p->unsure = true; /* they count for the whole line */
        text[used++] = alt[from++];
    }
    escaped_text escaped = {text, 0, used, true, true, false, p->dollars, false};
    bool written = put_text(line, "![") && write_escaped(&escaped, line);
    p->unsure = p->unsure || escaped.unsure;
    free(text);
    return written && write_address(line, row, IMAGE_BYTE);
}

static bool write_pieces(inline_pieces *p, bool tildes, output_buffer *line) {
    if (!output_reserve(line, (size_t)p->source->used + 8)) return false;
    bool linked = false;
    for (size_t at = 0; at < p->count && !p->unsure; at++) {
        const inline_piece *piece = p->pieces + at;
        bool written, before_link = at + 1 < p->count && piece[1].to == LINK_START;
        escaped_text text = {p->source->text, piece->from, piece->to, tildes, linked, before_link, p->dollars, false};
        if (piece->to >= 0) written = write_escaped(&text, line);
        else if (piece->to == LINK_START) written = put_text(line, "[");
        else if (piece->to == IMAGE) written = write_image(p, line, piece->from);
        else if (piece->to <= CODE) written = write_code(p, line, piece->from, CODE - piece->to);
        else if (piece->to == LINK_END) written = write_address(line, piece->from, 0);
        else written = write_edge(line, p->marks + piece->from, piece->to == OPENING);
        p->unsure = p->unsure || text.unsure;
        if (piece->to == LINK_START || piece->to == LINK_END) linked = piece->to == LINK_START;
        if (!written) return false;
    }
    return true;
}

/* The tildes of a text; struck out runs count for two. */
static int32_t count_tildes(const inline_runs *source) {
    int32_t count = 0;
    for (int32_t at = 0; at < source->used; at++) count += source->text[at] == '~';
    for (int32_t at = 0; at < source->count; at++)
        if (has_mark(source->runs[at].marks, MARK_STRIKE)) return count + 2;
    return count;
}

/* What the dollar signs of a line need; runs are looked at with a NUL between two. */
static void decide_dollars(inline_pieces *p) {
    const inline_runs *source = p->source;
    p->dollars = p->options->dollars;
    if (p->dollars != DOLLARS_OF_LINE) return;
    p->dollars = DOLLARS_HARMLESS;
    if (!source->used || !memchr(source->text, '$', (size_t)source->used)) return;
    output_buffer joined = {0};
    for (int32_t at = 0; at < source->count; at++) {
        if (at) output_byte(&joined, 0);
        output_put(&joined, source->text + source->runs[at].from, (size_t)(source->runs[at].to - source->runs[at].from));
    }
    p->failed = p->failed || joined.failed;
    if (!joined.failed) p->dollars = dollars_of_text(joined.bytes, joined.used, p->options->in_cell);
    free(joined.bytes);
}

inline_result inline_plain(const uint8_t *text, int32_t length, const inline_options *options, output_buffer *out) {
    int32_t own = 0;
    for (int32_t at = 0; at < length; at++) own += text[at] == '~';
    dollar_signs dollars = options->dollars;
    if (dollars == DOLLARS_OF_LINE) dollars = dollars_of_text(text, (size_t)length, options->in_cell);
    escaped_text escaped = {text, 0, length, own > 1 || options->tildes > 1, false, false, dollars, false};
    size_t start = out->used;
    if (!write_escaped(&escaped, out)) return INLINE_NO_MEMORY;
    if (!escaped.unsure) return INLINE_OK;
    out->used = start;
    return INLINE_OTHER;
}

inline_result inline_picture(const node_view *nodes, int32_t row, const inline_options *options, output_buffer *out) {
    inline_pieces pieces = {.nodes = nodes, .options = options, .dollars = DOLLARS_HARMLESS};
    size_t start = out->used;
    bool written = write_image(&pieces, out, row);
    if (written && !pieces.unsure) return INLINE_OK;
    out->used = start;
    return written ? INLINE_OTHER : INLINE_NO_MEMORY;
}

inline_result inline_markdown(const node_view *nodes, const inline_place *place, const inline_options *options, output_buffer *out) {
    inline_runs source;
    inline_pieces pieces = {.nodes = nodes, .place = place, .source = &source, .options = options};
    size_t start = out->used;
    inline_result result = inline_runs_of(nodes, place, &source);
    if (result == INLINE_OK) {
        int32_t tildes = options->tildes;
        if (!tildes || tildes == 1) {
            int32_t own = count_tildes(&source);
            tildes = own > tildes ? own : tildes;
        }
        decide_dollars(&pieces);
        push_runs(&pieces, (run_range){0, source.count, 0, source.used, 0});
        if (!pieces.failed) decide_edges(&pieces);
        if (!pieces.failed && !pieces.unsure) pieces.failed = !write_pieces(&pieces, tildes > 1, out);
        result = pieces.failed ? INLINE_NO_MEMORY : pieces.unsure ? INLINE_OTHER : INLINE_OK;
    }
    if (result != INLINE_OK) out->used = start;
    free(pieces.pieces);
    free(pieces.marks);
    inline_runs_free(&source);
    return result;
}
