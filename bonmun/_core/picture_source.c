#include "picture_source.h"

#include <string.h>

#include "bytes.h"
#include "tags_table.h"
#include "whitespace.h"

static bool is_word(attribute_value value, int32_t at, const char *word) {
    for (; *word; word++, at++)
        if (at >= value.length || byte_lower(value.bytes[at]) != (uint8_t)*word) return false;
    return true;
}

/* The end of the first word of a list at a place; the place itself: there is none. */
static int32_t word_end(attribute_value value, int32_t at, const char *const *words, size_t count) {
    for (size_t word = 0; word < count; word++)
        if (is_word(value, at, words[word])) return at + (int32_t)strlen(words[word]);
    return at;
}

static const char *const PLACEHOLDER_NAMES[] = {PLACEHOLDER_WORDS}, *const PICTURE_TYPES[] = {PLACEHOLDER_TYPES};
enum { NAMES = sizeof PLACEHOLDER_NAMES / sizeof *PLACEHOLDER_NAMES, TYPES = sizeof PICTURE_TYPES / sizeof *PICTURE_TYPES };

static uint8_t byte_at(attribute_value value, int32_t at) { return at < value.length ? byte_lower(value.bytes[at]) : 0; }

/* The end of the start of a placeholder's name: a word, or a size as 1x1. */
static int32_t start_end(attribute_value value, int32_t at) {
    int32_t end = word_end(value, at, PLACEHOLDER_NAMES, NAMES);
    bool size = byte_is(byte_at(value, at), DIGIT) && byte_at(value, at + 1) == 'x' && byte_is(byte_at(value, at + 2), DIGIT);
    return end == at && size ? at + 3 : end;
}

/* Whether the type of a picture ends the name of a file here. */
static bool is_type(attribute_value value, int32_t at) {
    if (byte_at(value, at) != '.') return false;
    int32_t end = word_end(value, at + 1, PICTURE_TYPES, TYPES);
    return end > at + 1 && (end == value.length || value.bytes[end] == '?' || value.bytes[end] == '#');
}

/* Whether the file that is named at the end of an address is a placeholder; one whose name starts with "image" may not be. */
static bool names_placeholder(attribute_value value, int32_t at) {
    if ((is_word(value, at, "image") || is_word(value, at, "img")) && !memchr(value.bytes + at, '/', (size_t)(value.length - at)))
        return false;
    int32_t end = start_end(value, at);
    while (end > at && !is_type(value, end)) {
        at = end + byte_in(byte_at(value, end), "-_.");
        end = word_end(value, at, PLACEHOLDER_NAMES, NAMES);
        if (end == at && (byte_is(byte_at(value, at), DIGIT) || byte_at(value, at) == 'x')) end++;
    }
    return end > at;
}

/* Whether a value is the address of a picture, as is_address in bonmun/model/pictures.py tells. */
static source_kind source_of(attribute_value value) {
    static const char *const none[] = {"{", "[", "data:", "about:", "javascript:", "//:", "#"};
    if (!value.length || word_end(value, 0, none, sizeof none / sizeof *none)) return SOURCE_NONE;
    for (int32_t at = 0; at < value.length; at++)
        if (value.bytes[at] >= 0x80) return SOURCE_UNSURE; /* some letters are those of ASCII in another case */
    if (value.length > PICTURE_MAX_ADDRESS) return SOURCE_NONE;
    for (int32_t at = 0; at < value.length; at++)
        if ((!at || value.bytes[at - 1] == '/' || value.bytes[at - 1] == '=') && names_placeholder(value, at)) return SOURCE_NONE;
    return SOURCE_ADDRESS;
}

typedef struct {
    const node_view *nodes;
    const int32_t *names; /* by WRITER_NAME_… */
} picture_page;

static attribute_value stripped(const picture_page *p, int32_t row, int name) {
    return without_spaces(attribute_of(p->nodes, row, p->names[name]));
}

typedef struct {
    attribute_value source;
    double width;
} candidate;

/* Whether a candidate of a set is better than another one: the widest up to the largest, else the narrowest. */
static bool is_better(double width, double than) {
    bool fits = width <= PICTURE_LARGEST, other_fits = than <= PICTURE_LARGEST;
    return fits == other_fits ? (fits ? width > than : width < than) : fits;
}

/* Take a candidate if it is the best one; false: the twin has to decide. */
static bool take_candidate(candidate *best, attribute_value source, double width) {
    if (best->source.bytes && !is_better(width, best->width)) return true;
    source_kind kind = source_of(source);
    if (kind == SOURCE_ADDRESS) *best = (candidate){source, width};
    return kind != SOURCE_UNSURE;
}

static attribute_value without_commas(attribute_value value) {
    while (value.length && value.bytes[value.length - 1] == ',') value.length--;
    return value;
}

/* The width that a descriptor tells, as 320w or 2x; the other one if it tells none. */
static double width_of(attribute_value descriptor, double otherwise) {
    int32_t at = 0, digits = 0, scale = 1, number = 0;
    for (; at < descriptor.length && digits < 6 && byte_is(descriptor.bytes[at], DIGIT); at++, digits++)
        number = number * 10 + (descriptor.bytes[at] - '0');
    if (!digits) return otherwise;
    if (at < descriptor.length && descriptor.bytes[at] == '.') {
        for (at++; at < descriptor.length && scale < 1000 && byte_is(descriptor.bytes[at], DIGIT); at++, scale *= 10)
            number = number * 10 + (descriptor.bytes[at] - '0');
        if (scale == 1) return otherwise;
    }
    uint8_t unit = at + 1 == descriptor.length ? descriptor.bytes[at] : 0;
    if (unit != 'w' && unit != 'x') return otherwise;
    return (double)number / scale * (unit == 'x' ? PICTURE_LARGEST / 2 : 1);
}

/* The next word of a set; empty at its end. */
static attribute_value next_word(attribute_value set, int32_t *at) {
    int32_t space;
    while (*at < set.length && (space = space_length(set.bytes + *at, set.length - *at))) *at += space;
    if (*at == set.length) return (attribute_value){NULL, 0}; /* a set without text has no bytes to point into */
    int32_t start = *at;
    while (*at < set.length && !space_length(set.bytes + *at, set.length - *at)) (*at)++;
    return (attribute_value){set.bytes + start, *at - start};
}

/* The best candidate of a set; none: its bytes are NULL. False: the twin has to decide. */
static bool best_of_set(attribute_value set, candidate *best) {
    const double usual = PICTURE_LARGEST / 2;
    attribute_value source = {NULL, 0}, word;
    double width = 0;
    for (int32_t at = 0; (word = next_word(set, &at)).length;) {
        attribute_value rest = {NULL, 0};
        bool ended;
        if (!source.length) {
            for (source = word; source.length && *source.bytes == ','; source.length--) source.bytes++;
            width = usual;
            ended = source.length && source.bytes[source.length - 1] == ',';
        } else {
            const uint8_t *comma = memchr(word.bytes, ',', (size_t)word.length);
            int32_t length = comma ? (int32_t)(comma - word.bytes) : word.length;
            ended = comma != NULL;
            width = width_of((attribute_value){word.bytes, length}, width);
            if (ended) rest = (attribute_value){comma + 1, word.length - length - 1};
        }
        if (!ended) continue;
        if (!take_candidate(best, without_commas(source), width)) return false;
        source = rest;
        width = usual;
    }
    return !source.length || take_candidate(best, source, width);
}

/* The address in a lazy attribute or the set of an element. */
static source_kind lazy_source(const picture_page *p, int32_t row, attribute_value *source) {
    for (int name = WRITER_FIRST_LAZY; name < WRITER_FIRST_SET; name++) {
        if (p->names[name] < 0) continue;
        *source = stripped(p, row, name);
        if (!source->length) continue;
        if (!memchr(source->bytes, '/', (size_t)source->length) && !memchr(source->bytes, '.', (size_t)source->length)) continue;
        source_kind kind = source_of(*source);
        if (kind != SOURCE_NONE) return kind;
    }
    for (int name = WRITER_FIRST_SET; name < WRITER_NAME_COUNT; name++) {
        candidate best = {{NULL, 0}, 0};
        if (p->names[name] < 0) continue;
        if (!best_of_set(attribute_of(p->nodes, row, p->names[name]), &best)) return SOURCE_UNSURE;
        *source = best.source;
        if (source->bytes) return SOURCE_ADDRESS;
    }
    return SOURCE_NONE;
}

/* Whether an element is declared 0 or 1 pixel wide or high. */
static bool is_thin(const picture_page *p, int32_t row) {
    static const int names[] = {WRITER_NAME_WIDTH, WRITER_NAME_HEIGHT};
    for (int at = 0; at < 2; at++) {
        attribute_value side = stripped(p, row, names[at]);
        if (side.length > 2 && memcmp(side.bytes + side.length - 2, "px", 2) == 0) side.length -= 2;
        if (side.length == 1 && (side.bytes[0] == '0' || side.bytes[0] == '1')) return true;
    }
    return false;
}

/* The first address among the source elements of the picture around an img: the first ones, for a hostile page has many, and as
 * many imgs. */
static source_kind source_around(const picture_page *p, int32_t row, attribute_value *source) {
    const node_view *nodes = p->nodes;
    int32_t picture = nodes->parent[row], left = PICTURE_MOST_ROWS;
    if (picture < 0 || nodes->tag[picture] != TAG_PICTURE) return SOURCE_NONE;
    for (int32_t child = picture + 1; child < nodes->end[picture] && left--; child = nodes->end[child]) {
        source_kind kind = nodes->tag[child] == TAG_SOURCE ? lazy_source(p, child, source) : SOURCE_NONE;
        if (kind != SOURCE_NONE) return kind;
    }
    return SOURCE_NONE;
}

static bool is_empty_text(const node_view *nodes, int32_t row) { return nodes->tag[row] == TAG_TEXT && !nodes->chars[row]; }

/* The next sibling that is an element or has text; -1: none. */
static int32_t next_sibling(const node_view *nodes, int32_t row) {
    int32_t parent = nodes->parent[row], stop = parent < 0 ? 0 : nodes->end[parent];
    for (row = nodes->end[row]; row < stop && is_empty_text(nodes, row);) row++;
    return row < stop ? row : -1;
}

/* The noscript right before an element, or another row there; -1: none. */
static int32_t previous_sibling(const node_view *nodes, int32_t row) {
    int32_t parent = nodes->parent[row], before = row - 1;
    if (before > parent && is_empty_text(nodes, before)) before--;
    for (int level = 0; level < PICTURE_MOST_WRAPPERS && before > parent && nodes->parent[before] != parent; level++)
        before = nodes->parent[before];
    return before > parent ? before : -1;
}

/* The row of the only img in a noscript; -1: none or several. */
static int32_t image_inside(const node_view *nodes, int32_t noscript) {
    int32_t stop = nodes->end[noscript], image = -1;
    if (stop - noscript > PICTURE_MOST_ROWS) stop = noscript + PICTURE_MOST_ROWS;
    for (int32_t row = noscript + 1; row < stop; row++) {
        if (nodes->tag[row] != TAG_IMG) continue;
        if (image >= 0) return -1;
        image = row;
    }
    return image;
}

static bool is_wrapper(int32_t tag) {
    return tag == TAG_PICTURE || tag == TAG_A || tag == TAG_SPAN || tag == TAG_DIV || tag == TAG_FIGURE || tag == TAG_P;
}

/* The address of the img in a noscript right after or before an element, or the inline elements around it. */
static source_kind fallback_source(const picture_page *p, int32_t row, attribute_value *source) {
    const node_view *nodes = p->nodes;
    for (int level = 0; level < PICTURE_MOST_WRAPPERS; level++) {
        const int32_t siblings[] = {next_sibling(nodes, row), previous_sibling(nodes, row)};
        for (int at = 0; at < 2; at++) {
            int32_t noscript = siblings[at], image;
            if (noscript < 0 || nodes->tag[noscript] != TAG_NOSCRIPT || (image = image_inside(nodes, noscript)) < 0) continue;
            *source = stripped(p, image, WRITER_NAME_SRC);
            source_kind kind = source_of(*source);
            if (kind == SOURCE_UNSURE || (kind == SOURCE_ADDRESS && !is_thin(p, image))) return kind;
            return lazy_source(p, image, source);
        }
        row = nodes->parent[row];
        if (row < 0 || !is_wrapper(nodes->tag[row])) break;
    }
    return SOURCE_NONE;
}

source_kind picture_source(const node_view *nodes, const int32_t *names, int32_t row, attribute_value *source) {
    const picture_page page = {nodes, names};
    if (is_thin(&page, row)) return SOURCE_NONE;
    *source = stripped(&page, row, WRITER_NAME_SRC);
    source_kind kind = source_of(*source);
    if (kind == SOURCE_NONE) kind = lazy_source(&page, row, source);
    if (kind == SOURCE_NONE) kind = source_around(&page, row, source);
    return kind == SOURCE_NONE ? fallback_source(&page, row, source) : kind;
}
