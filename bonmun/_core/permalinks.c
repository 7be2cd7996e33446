#include <string.h>

#include "bytes.h"
#include "short_content.h"
#include "tags_table.h"
#include "unseen.h"
#include "whitespace.h"
#include "writer_page.h"

static bool has(attribute_value value, const char *word) {
    int32_t length = (int32_t)strlen(word);
    for (int32_t at = 0; at + length <= value.length; at++)
        if (value.bytes[at] == (uint8_t)*word && !memcmp(value.bytes + at, word, (size_t)length)) return true;
    return false;
}

/* Some text starts with a word, without regard to ASCII case: move behind it. */
static bool take(const uint8_t **at, const uint8_t *stop, const char *lower) {
    const uint8_t *from = *at;
    for (; *lower; lower++, from++)
        if (from == stop || byte_lower(*from) != (uint8_t)*lower) return false;
    *at = from;
    return true;
}

static bool is_whole(const uint8_t *text, const uint8_t *stop, const char *lower) { return take(&text, stop, lower) && text == stop; }

/* The bytes of the symbol at the start: a sign of a section or link, of an icon font, or of no width. 0: none. */
static int32_t symbol_at(const uint8_t *at, int32_t left) {
    if (*at == '#') return 1;
    if (left >= 2 && at[0] == 0xC2 && (at[1] == 0xB6 || at[1] == 0xA7)) return 2;
    if (left >= 4 && !memcmp(at, "\xF0\x9F\x94\x97", 4)) return 4;
    if (left < 3) return 0;
    static const char *const known[] = {"\xE2\x9A\x93", "\xE2\x80\x8B", "\xE2\x81\xA0", "\xEF\xB8\x8F"};
    for (size_t of = 0; of < sizeof known / sizeof *known; of++)
        if (!memcmp(at, known[of], 3)) return 3;
    return at[0] == 0xEE || (at[0] == 0xEF && at[1] >= 0x80 && at[1] <= 0xA3) ? 3 : 0; /* private use */
}

static bool is_symbols(const short_content *label) {
    int32_t at = 0;
    for (int32_t symbol; at < label->length; at += symbol)
        if (!(symbol = symbol_at(label->text + at, label->length - at))) return false;
    return at > 0;
}

/* "permalink", "link to this heading": ASCII only. */
static bool is_phrase(const uint8_t *at, const uint8_t *stop) {
    static const char *const links[] = {"permalink", "perma", "permanent ", "direct ", ""}, *const ends[] = {"heading", "headline", "section", "title", "item"};
    if (is_whole(at, stop, "permalink")) return true;
    const uint8_t *from = NULL;
    for (size_t of = 0; of < sizeof links / sizeof *links && !from; of++) {
        from = at;
        if (!take(&from, stop, links[of]) || (of && !take(&from, stop, "link"))) from = NULL;
    }
    if (!from || !take(&from, stop, " ")) return false;
    if (!take(&from, stop, "to ") && !take(&from, stop, "for ")) return false;
    if (!take(&from, stop, "this ")) take(&from, stop, "the ");
    for (size_t of = 0; of < sizeof ends / sizeof *ends; of++)
        if (is_whole(from, stop, ends[of])) return true;
    return false;
}

/* Whether a digit is behind "#" or "§", which are words then. */
static unseen_kind symbol_kind(const node_view *nodes, int32_t link, const short_content *label) {
    static const char *const signs[] = {"#", "\xC2\xA7", "#\xC2\xA7"};
    bool is_sign = false;
    for (size_t at = 0; at < sizeof signs / sizeof *signs; at++)
        is_sign |= (size_t)label->length == strlen(signs[at]) && !memcmp(label->text, signs[at], strlen(signs[at]));
    int32_t after = nodes->end[link], space;
    if (!is_sign || after >= nodes->rows) return IS_UNSEEN;
    const uint8_t *text = bytes_at(nodes, nodes->start[after]), *stop = text + (nodes->stop[after] - nodes->start[after]);
    while (text < stop && (space = space_length(text, (int32_t)(stop - text)))) text += space;
    if (text >= stop) return IS_UNSEEN;
    return *text >= 0x80 ? ASKS_PYTHON : *text >= '0' && *text <= '9' ? IS_SEEN : IS_UNSEEN;
}

/* A label of words. Letters beyond ASCII may be some of these without regard to case. */
static unseen_kind word_kind(const short_content *label, bool is_named) {
    const uint8_t *text = label->text, *stop = text + label->length;
    if (label->is_cut || !label->length) return IS_SEEN;
    if (is_phrase(text, stop)) return IS_UNSEEN;
    if (is_named && (is_whole(text, stop, "link") || is_whole(text, stop, "anchor") || is_whole(text, stop, "copy link")))
        return IS_UNSEEN;
    if (!strchr("pldac", byte_lower(*text))) return IS_SEEN;
    for (; text < stop; text++)
        if (*text >= 0x80) return ASKS_PYTHON;
    return IS_SEEN;
}

static unseen_kind permalink_kind(const unseen_names *names, int32_t link) {
    static const char *const known[] = {PERMALINK_CLASSES};
    attribute_value classes = attribute_of(names->nodes, link, names->class);
    bool is_named = false;
    int32_t at = 0;
    for (const uint8_t *word; (word = word_from(classes.bytes, classes.length, &at));) {
        for (const uint8_t *byte = word; byte < classes.bytes + at; byte++)
            if (*byte >= 0x80) return ASKS_PYTHON;
        for (size_t of = 0; of < sizeof known / sizeof *known; of++) is_named |= is_whole(word, classes.bytes + at, known[of]);
    }
    if (!is_named && !has(attribute_of(names->nodes, link, names->href), "#")) return IS_SEEN;
    short_content label;
    read_short_content(names->nodes, link, &label);
    if (!is_symbols(&label)) return label.is_cut && symbol_at(label.text, label.length) ? ASKS_PYTHON : word_kind(&label, is_named);
    return label.is_cut ? ASKS_PYTHON : symbol_kind(names->nodes, link, &label);
}

/* By its class; only Python knows the words of edit links in brackets. */
static unseen_kind edit_kind(const unseen_names *names, int32_t row) {
    if (has(attribute_of(names->nodes, row, names->class), "editsection")) return IS_UNSEEN;
    short_content label;
    read_short_content(names->nodes, row, &label);
    bool is_bracket = label.length && (label.text[0] == '[' || (label.length >= 3 && !memcmp(label.text, "\xEF\xBC\xBB", 3)));
    return is_bracket ? ASKS_PYTHON : IS_SEEN;
}

unseen_kind permalink_around(const unseen_names *names, int32_t text, int32_t *element) {
    const node_view *nodes = names->nodes;
    int32_t around[PERMALINK_LEVELS], count = 0, link = -1;
    for (int32_t row = nodes->parent[text], level = 0; row >= 0 && level < PERMALINK_LEVELS; row = nodes->parent[row], level++) {
        if (nodes->end[row] - row > PERMALINK_ROWS) continue;
        around[count++] = row;
        if (link < 0 && nodes->tag[row] == TAG_A) link = row;
    }
    if (link < 0) return IS_SEEN;
    unseen_kind kind = permalink_kind(names, *element = link);
    for (int32_t at = 0; at < count && kind == IS_SEEN; at++)
        if (around[at] <= link) kind = edit_kind(names, *element = around[at]);
    return kind;
}
