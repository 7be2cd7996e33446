#include "markdown_chunks.h"

bool markdown_fits(markdown_state *s, void **items, int32_t count, int32_t *room, size_t size) {
    if (count < *room) return true;
    int32_t wanted = *room < 32 ? 32 : *room + *room / 2;
    void *larger = wanted > *room ? realloc(*items, (size_t)wanted * size) : NULL;
    s->failed = s->failed || !larger;
    if (!larger) return false;
    *items = larger;
    *room = wanted;
    return true;
}

bool markdown_is_over(const markdown_state *s) { return s->failed || s->is_pythons || s->out->failed; }

void push_chunk(markdown_state *s, markdown_chunk chunk) {
    if (markdown_fits(s, (void **)&s->chunks, s->chunk_count, &s->chunk_room, sizeof *s->chunks)) s->chunks[s->chunk_count++] = chunk;
}

void end_chunk(markdown_state *s, size_t from, bool plain) {
    push_chunk(s, (markdown_chunk){.from = from, .to = s->out->used, .plain = plain});
}

void put_request(markdown_state *s, int32_t number) { s->failed = !writer_plan_ask(s->plan, number) || s->failed; }

/* Append the text of a chunk, which is in the same buffer. */
static void put_again(output_buffer *out, size_t from, size_t to) {
    if (!output_reserve(out, to - from)) return;
    memcpy(out->bytes + out->used, out->bytes + from, to - from);
    out->used += to - from;
}

void put_joined(markdown_state *s, int32_t first, int32_t stop, int breaks) {
    for (int32_t at = first; at < stop; at++) {
        if (at > first) output_put(s->out, "\n\n", (size_t)breaks);
        put_again(s->out, s->chunks[at].from, s->chunks[at].to);
    }
}

void prefix_lines(output_buffer *out, size_t start, const char *prefix, size_t length, size_t bare) {
    size_t more = 0;
    if (out->failed) return;
    for (size_t at = start; at < out->used; at++)
        if (out->bytes[at] == '\n') more += at + 1 < out->used && out->bytes[at + 1] != '\n' ? length : bare;
    if (!more || !output_reserve(out, more)) return;
    size_t from = out->used, to = out->used + more;
    bool empty = true; /* the line behind */
    out->used = to;
    while (to > from) {
        uint8_t byte = out->bytes[--from];
        if (byte == '\n') {
            size_t added = empty ? bare : length;
            memcpy(out->bytes + (to -= added), prefix, added);
        }
        out->bytes[--to] = byte;
        empty = byte == '\n';
    }
}
