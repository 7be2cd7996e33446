#include "short_content.h"

#include "tags_table.h"
#include "whitespace.h"

static void add_text(short_content *content, const uint8_t *text, int32_t length) {
    for (int32_t at = 0, space; at < length && !content->is_cut; at += space ? space : 1) {
        space = space_length(text + at, length - at);
        if (space) {
            content->gap = content->length > 0;
            continue;
        }
        content->is_cut = content->length + 2 > SHORT_CONTENT;
        if (content->is_cut) return;
        if (content->gap) content->text[content->length++] = ' ';
        content->gap = false;
        content->text[content->length++] = text[at];
    }
}

void read_short_content(const node_view *nodes, int32_t element, short_content *content) {
    content->length = 0;
    content->is_cut = content->gap = false;
    for (int32_t row = element, next; row < nodes->end[element] && !content->is_cut; row = next) {
        bool is_text = nodes->tag[row] == TAG_TEXT, is_shown = is_text || nodes->chars[row];
        next = is_shown && !is_text && nodes->end[row] > row ? nodes->end[row] : row + 1; /* a formula's own text */
        if (is_shown) add_text(content, bytes_at(nodes, nodes->start[row]), nodes->stop[row] - nodes->start[row]);
    }
}
