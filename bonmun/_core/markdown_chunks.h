/* Markdown under construction: chunks of lines in one buffer. Only for write_markdown.c and its parts. */
#ifndef BONMUN_MARKDOWN_CHUNKS_H
#define BONMUN_MARKDOWN_CHUNKS_H

#include "numbering.h"
#include "write_markdown.h"

/* Lines between two empty lines. */
typedef struct {
    size_t from, to;
    uint8_t marker;          /* of a list's items: two adjacent lists need two markers to stay two */
    bool plain, close, rule; /* a paragraph or heading; a list that may follow one without an empty line; a thematic break */
} markdown_chunk;

typedef struct {
    int32_t first, count; /* its chunks */
    int64_t number;
    int8_t checked;
} markdown_item;

typedef struct {
    writer_plan *plan;
    const given_texts *given; /* NULL in the first pass */
    output_buffer *out;
    markdown_chunk *chunks;
    markdown_item *items;
    counted_items counted;
    int32_t chunk_count, chunk_room, item_count, item_room;
    bool failed, is_pythons;
} markdown_state;

bool markdown_fits(markdown_state *s, void **items, int32_t count, int32_t *room, size_t size); /* make room for one more */
bool markdown_is_over(const markdown_state *s); /* no memory, or Python has to write all of it */
void push_chunk(markdown_state *s, markdown_chunk chunk);
/* The output from `from` on is a chunk. */
void end_chunk(markdown_state *s, size_t from, bool plain);
/* Append some chunks, separated by line breaks. */
void put_joined(markdown_state *s, int32_t first, int32_t stop, int breaks);
/* Indent the lines behind the first one from `start` on; an empty one gets only the first `bare` bytes of the prefix. */
void prefix_lines(output_buffer *out, size_t start, const char *prefix, size_t length, size_t bare);

void put_request(markdown_state *s, int32_t number);

/* Append rows of the outline as chunks behind those from `base` on; `extra` is a mark around the text of leaves. */
void add_markdown_rows(markdown_state *s, int32_t first, int32_t stop, int32_t base, uint32_t extra);
/* Append a table with the content above and below its rows. */
void add_markdown_table(markdown_state *s, int32_t table, int32_t base);

#endif
