#include "late_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const uint8_t *source;
    int32_t length;
} page_source;

static bool grow(void **array, int32_t *room, int32_t count, size_t size) {
    if (count < *room) return true;
    int32_t wanted = *room ? 2 * *room : 64;
    void *grown = wanted > *room ? realloc(*array, (size_t)wanted * size) : NULL;
    if (!grown) return false;
    *array = grown;
    *room = wanted;
    return true;
}

/* The offset behind a word at `at`; -1: it is not there. `at` may be -1. */
static int32_t behind(const page_source *p, int32_t at, const char *word) {
    int32_t size = (int32_t)strlen(word);
    return at >= 0 && p->length - at >= size && memcmp(p->source + at, word, (size_t)size) == 0 ? at + size : -1;
}

static bool is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* The offset behind a number of one to eight hexadecimal digits; -1: there is none. */
static int32_t behind_number(const page_source *p, int32_t at, span *number) {
    int32_t stop = at;
    if (at < 0) return -1;
    while (stop < p->length && stop < at + 8) {
        uint8_t byte = p->source[stop];
        if (!((byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f'))) break;
        stop++;
    }
    *number = (span){at, stop};
    return stop > at ? stop : -1;
}

/* Behind the `>` of an end tag without attributes; -1: there is none. `at`: behind its name. */
static int32_t behind_end(const page_source *p, int32_t at) {
    while (at >= 0 && at < p->length && is_space(p->source[at])) at++;
    return behind(p, at, ">");
}

/* The offset behind a start tag's name and one byte more, which ends the name; -1: another tag. */
static int32_t behind_start(const page_source *p, int32_t open, const char *tag) {
    int32_t at = behind(p, open, tag);
    return at >= 0 && at < p->length && (is_space(p->source[at]) || p->source[at] == '>') ? at + 1 : -1;
}

static int32_t next_tag(const page_source *p, int32_t at) {
    const uint8_t *open = at < p->length ? memchr(p->source + at, '<', (size_t)(p->length - at)) : NULL;
    return open ? (int32_t)(open - p->source) : p->length;
}

/* The offset behind a script, from behind its start tag on; the length if it is not closed. */
static int32_t behind_script(const page_source *p, int32_t at) {
    for (at = next_tag(p, at); at < p->length; at = next_tag(p, at + 1)) {
        int32_t end = behind_end(p, behind(p, at, "</script"));
        if (end >= 0) return end;
    }
    return p->length;
}

/* Open a <div>; the offset behind it, 0 if memory ran out. */
static int32_t open_div(const page_source *p, late_parts *found, int32_t start) {
    span number;
    int32_t part = behind(p, behind_number(p, behind(p, start, "<div hidden id=\"S:"), &number), "\">");
    if (part < 0) number = (span){-1, -1};
    int32_t stop = part < 0 ? behind_start(p, start, "<div") : part;
    if (!grow((void **)&found->open, &found->open_room, found->open_count, sizeof *found->open)) return 0;
    found->open[found->open_count++] = (late_part){{start, stop}, {stop, -1}, number};
    return stop;
}

static int32_t close_div(late_parts *found, span tag) {
    late_part part = found->open_count ? found->open[--found->open_count] : (late_part){{0, 0}, {0, 0}, {-1, -1}};
    if (part.number.start < 0) return tag.stop;
    part.whole.stop = tag.stop;
    part.inner.stop = tag.start;
    if (!grow((void **)&found->parts, &found->part_room, found->part_count, sizeof part)) return 0;
    found->parts[found->part_count++] = part;
    return tag.stop;
}

static int32_t add_place(late_parts *found, span tag, span number) {
    if (!grow((void **)&found->places, &found->place_room, found->place_count, sizeof *found->places)) return 0;
    found->places[found->place_count++] = (late_place){tag, number};
    return tag.stop;
}

static int32_t behind_kind(const page_source *p, int32_t at) {
    int32_t late = behind(p, at, "B:");
    return late >= 0 ? late : behind(p, at, "P:");
}

/* Take the tag at `at`; the offset behind it, 0 if memory ran out. */
static int32_t take_tag(const page_source *p, late_parts *found, int32_t at) {
    span number;
    int32_t stop;
    if (behind_start(p, at, "<div") >= 0) return open_div(p, found, at);
    if ((stop = behind_end(p, behind(p, at, "</div"))) >= 0) return close_div(found, (span){at, stop});
    if ((stop = behind_start(p, at, "<script")) >= 0) return behind_script(p, stop);
    stop = behind_number(p, behind_kind(p, behind(p, at, "<template id=\"")), &number);
    stop = behind(p, stop, "\"></template>");
    return stop >= 0 ? add_place(found, (span){at, stop}, number) : at + 1;
}

bool late_parts_find(const uint8_t *source, int32_t length, late_parts *found) {
    const page_source p = {source, length};
    memset(found, 0, sizeof *found);
    for (int32_t at = next_tag(&p, 0); at < length; at = next_tag(&p, at))
        if (!(at = take_tag(&p, found, at))) return false;
    return true;
}

void late_parts_free(late_parts *found) {
    free(found->parts);
    free(found->open);
    free(found->places);
}
