/* Blocks of a page as JSON: kind, level, text, xpath, score and runs; bonmun/write/json_blocks.py is the Python twin. */
#ifndef BONMUN_JSON_BLOCKS_H
#define BONMUN_JSON_BLOCKS_H

#include "json_links.h"
#include "places.h"

typedef struct {
    const uint8_t *bytes;
    size_t length;
} json_text;

/* The xpath of the latest block, of which the next one has the first steps. */
typedef struct {
    const int32_t *tag, *place; /* by row; the place among its siblings, as places.h has it */
    const json_text *step;      /* by tag: its name in a path, behind a slash if it has no index there */
    int32_t steps, depth;
    int32_t row[DEEPEST_PATH + 1]; /* of each step, */
    size_t stop[DEEPEST_PATH + 1]; /* and its end in `text` */
    output_buffer text;
} json_paths;

typedef struct {
    const writer_page *writer;
    node_view nodes;      /* with their own tags, not those of roles */
    const int32_t *depth; /* by row */
    const address_bases *bases;
    json_links *links;
    json_paths *paths;
} json_page;

/* What is written of a block: its score, and fields in the middle and at the end, each behind a comma. */
typedef struct {
    int32_t block; /* -1: the caller writes it */
    double score;
    json_text reasons, after;
    uint8_t shape; /* JSON_… bits */
} json_entry;

enum {
    JSON_CONTINUES = 1, /* the leaf of the block before it */
    JSON_CAPTION = 2,   /* its kind is a caption, whatever its element is */
    JSON_ASIDE = 4,     /* a caption that was not kept */
};

/* Find the places of the steps to some blocks, by the PLACE_… bits of each tag; negative blocks are passed over. `place` has to
 * be zeros. False: no memory. */
bool json_number_paths(const json_page *page, const int32_t *blocks, int32_t count, const uint8_t *kinds, int32_t tags, int32_t *place);

/* Append a text as a JSON string. */
void json_put_string(output_buffer *out, const uint8_t *text, size_t length);

/* Append a block. False: the caller has to write it, for it has a picture whose address is not sure, is code with one, or has a
 * rare shape; what was appended does not count. */
bool json_put_block(const json_page *page, const json_entry *entry, output_buffer *out);

#endif
