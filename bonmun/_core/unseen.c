#include "unseen.h"

#include <string.h>

#include "bytes.h"
#include "short_content.h"
#include "tags_table.h"
#include "whitespace.h"
#include "writer_page.h"

static bool is_ascii(const uint8_t *text, int32_t length) {
    for (int32_t at = 0; at < length; at++)
        if (text[at] >= 0x80) return false;
    return true;
}

/* A text in lower case starts with a word, without regard to ASCII case; behind it. -1: it does not. */
static int32_t behind(const uint8_t *text, int32_t length, int32_t at, const char *lower) {
    for (; *lower; lower++, at++)
        if (at >= length || byte_lower(text[at]) != (uint8_t)*lower) return -1;
    return at;
}

static bool is_word(const uint8_t *text, int32_t length, const char *lower) { return behind(text, length, 0, lower) == length; }

static bool is_any(const uint8_t *text, int32_t length, const char *const *known, size_t count) {
    for (size_t at = 0; at < count; at++)
        if (is_word(text, length, known[at])) return true;
    return false;
}
#define IS_ANY(text, length, known) is_any(text, length, known, sizeof known / sizeof *known)

/* The rest of a class of labels behind a prefix such as "usa-". */
static bool is_label_word(const uint8_t *word, int32_t length) {
    static const char *const known[] = {ASSISTIVE_LABELS};
    for (size_t at = 0; at < sizeof known / sizeof *known; at++) {
        int32_t stop = behind(word, length, 0, known[at]);
        if (stop == length || (stop > 0 && behind(word, length, stop, "-focusable") == length)) return true;
    }
    return false;
}

static bool is_label_class(const uint8_t *word, int32_t length) {
    if (behind(word, length, 0, "not-") > 0) return false;
    for (int32_t at = 0, group = 0; group <= LABEL_PREFIXES; group++) {
        if (is_label_word(word + at, length - at)) return true;
        int32_t start = at;
        while (at < length && byte_is(word[at], LETTER)) at++;
        int32_t separator = at;
        while (at < length && (word[at] == '-' || word[at] == '_')) at++;
        if (separator == start || at == separator) return false;
    }
    return false;
}

static bool is_icon_class(const uint8_t *word, int32_t length) {
    static const char *const known[] = {ASSISTIVE_ICONS};
    if (IS_ANY(word, length, known) || is_word(word, length, "mat-icon")) return true;
    int32_t google = behind(word, length, 0, "google-");
    return google > 0 && IS_ANY(word + google, length - google, known);
}

typedef struct {
    bool edit, icon, small_screens, label;
} class_words;

static class_words words_of(attribute_value classes) {
    static const char *const edit[] = {"mw-editsection", "editsection"};
    static const char small[] = ":not-sr-only";
    class_words words = {false, false, false, false};
    int32_t at = 0;
    for (const uint8_t *word; (word = word_from(classes.bytes, classes.length, &at));) {
        int32_t length = (int32_t)(classes.bytes + at - word), tail = length - (int32_t)(sizeof small - 1);
        words.edit |= IS_ANY(word, length, edit);
        words.icon |= is_icon_class(word, length);
        words.label |= is_label_class(word, length);
        words.small_screens |= tail >= 0 && is_word(word + tail, length - tail, small);
    }
    return words;
}

/* Whether the content of an icon is its name: a small letter, then small letters, digits and underscores. */
static unseen_kind ligature_kind(const node_view *nodes, int32_t row) {
    short_content name;
    if (nodes->end[row] != row + 2) return IS_SEEN;
    read_short_content(nodes, row, &name);
    for (int32_t at = 0; at < name.length; at++) {
        uint8_t byte = name.text[at];
        bool is_small = byte >= 'a' && byte <= 'z', is_other = byte == '_' || (byte >= '0' && byte <= '9');
        if (!is_small && (!at || !is_other)) return IS_SEEN;
    }
    return name.is_cut ? ASKS_PYTHON : name.length ? IS_UNSEEN : IS_SEEN;
}

/* Whether a small element has words; a colon alone is read. */
static unseen_kind label_kind(const node_view *nodes, int32_t row) {
    int32_t stop = nodes->end[row];
    int64_t chars = 0;
    bool beyond_ascii = false;
    if (stop - row > ASSISTIVE_ROWS) return IS_SEEN;
    for (int32_t at = row; at < stop; at++) chars += nodes->chars[at];
    if (chars > ASSISTIVE_CHARACTERS) return IS_SEEN;
    for (int32_t at = row; at < stop; at++) {
        if (nodes->tag[at] != TAG_TEXT && nodes->chars[at]) return ASKS_PYTHON; /* a formula */
        if (nodes->tag[at] != TAG_TEXT) continue;
        const uint8_t *text = bytes_at(nodes, nodes->start[at]);
        for (int32_t from = 0; from < nodes->stop[at] - nodes->start[at]; from++) {
            if (byte_is(text[from], LETTER) || (text[from] >= '0' && text[from] <= '9')) return IS_UNSEEN;
            beyond_ascii |= text[from] >= 0x80;
        }
    }
    return beyond_ascii ? ASKS_PYTHON : IS_SEEN;
}

unseen_kind assistive_kind(const unseen_names *names, int32_t row) {
    int32_t tag = names->nodes->tag[row];
    if (tag == TAG_HTML || tag == TAG_BODY || tag == TAG_MAIN || tag == TAG_ARTICLE) return IS_SEEN;
    attribute_value classes = attribute_of(names->nodes, row, names->class);
    if (!is_ascii(classes.bytes, classes.length)) return ASKS_PYTHON;
    class_words words = words_of(classes);
    if (words.edit) return IS_UNSEEN;
    if (words.icon) return ligature_kind(names->nodes, row);
    return words.small_screens || !words.label ? IS_SEEN : label_kind(names->nodes, row);
}
