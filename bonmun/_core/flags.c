/* Flags of an element from its tag and attributes: unrendered, hidden, link. */
#include <string.h>

#include "attributes.h"
#include "tree.h"

static span attribute_of(const tree *t, int32_t element, int32_t name) {
    for (int32_t at = t->rows.attr_first[element]; at < t->rows.attr_first[element + 1]; at++)
        if (t->tokenizer.attributes.name[at] == name) return tree_attribute_value(t, at);
    return (span){-1, -1};
}

bool tree_is_shadow_root(const tree *t, int32_t element) {
    if (t->rows.tag[element] != TAG_TEMPLATE || tree_namespace(t, element) != NS_HTML) return false;
    span mode = attribute_of(t, element, ATTRIBUTE_SHADOWROOTMODE);
    return tree_equals(t, mode, "open") || tree_equals(t, mode, "closed");
}

static int32_t skip_spaces(const uint8_t *bytes, int32_t at, int32_t length) {
    while (at < length && (bytes[at] == ' ' || (bytes[at] >= 9 && bytes[at] <= 13))) at++;
    return at;
}

static int32_t skip_word(const uint8_t *bytes, int32_t at, int32_t length, const char *word) {
    for (; *word; word++, at++)
        if (at >= length || (bytes[at] | 32) != (uint8_t)*word) return -1;
    return at;
}

static bool declares(const uint8_t *bytes, int32_t at, int32_t length, const char *property, const char *value) {
    at = skip_word(bytes, at, length, property);
    if (at < 0) return false;
    at = skip_spaces(bytes, at, length);
    if (at >= length || bytes[at] != ':') return false;
    return skip_word(bytes, skip_spaces(bytes, at + 1, length), length, value) >= 0;
}

/* Whether a style attribute declares display:none or visibility:hidden. */
static bool style_hides(const tree *t, span style) {
    const uint8_t *bytes = store_at(t->store, style.start);
    int32_t length = style.stop - style.start;
    for (int32_t at = 0; at < length; at++) {
        int32_t from = skip_spaces(bytes, at, length);
        if (declares(bytes, from, length, "display", "none") || declares(bytes, from, length, "visibility", "hidden"))
            return true;
        const uint8_t *semicolon = memchr(bytes + at, ';', (size_t)(length - at));
        if (!semicolon) return false;
        at = (int32_t)(semicolon - bytes);
    }
    return false;
}

static int32_t flags_of_attribute(const tree *t, int32_t tag, int32_t at, int32_t name) {
    if (name == ATTRIBUTE_HREF) return tag == TAG_A ? FLAG_LINK : 0;
    if (tag == TAG_HTML || tag == TAG_BODY) return 0;
    span value = tree_attribute_value(t, at);
    bool hides = name == ATTRIBUTE_STYLE ? style_hides(t, value) : !tree_equals(t, value, "until-found");
    return hides ? FLAG_HIDDEN : 0;
}

int32_t tree_own_flags(const tree *t, int32_t element) {
    int32_t tag = t->rows.tag[element], flags = tag < TAG_COUNT ? t->flags_of_tag[tag] & ~FLAGS_FROM_ATTRIBUTES : 0;
    for (int32_t at = t->rows.attr_first[element]; at < t->rows.attr_first[element + 1]; at++) {
        int32_t name = t->tokenizer.attributes.name[at];
        if (name <= LAST_FLAGGING_ATTRIBUTE) flags |= flags_of_attribute(t, tag, at, name);
    }
    if (tag == TAG_DIALOG && attribute_of(t, element, ATTRIBUTE_OPEN).start < 0) flags |= FLAG_HIDDEN;
    if (tag == TAG_TEMPLATE && tree_is_shadow_root(t, element)) flags &= ~FLAG_UNRENDERED;
    return flags;
}
