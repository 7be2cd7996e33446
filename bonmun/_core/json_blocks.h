/* Blocks of a page as JSON: kind, level, text, xpath, score and runs; bonmun/write/json.py is the Python twin. */
#ifndef BONMUN_JSON_BLOCKS_H
#define BONMUN_JSON_BLOCKS_H

#include "addresses.h"
#include "inline_runs.h"

typedef struct {
    const uint8_t *bytes;
    size_t length;
} json_text;

typedef struct {
    node_view nodes;
    const int32_t *depth, *place; /* by row; the place among its siblings, as places.h has it */
    const int32_t *kind, *level, *element, *first, *stop, *flags, *text_start, *text_stop; /* by block */
    const uint8_t *text;          /* of the blocks */
    int32_t blocks;
    const json_text *step;        /* by tag: its name in a path, behind a slash if it has no index there */
    const json_text *kind_name;
    const writer_page *writer;    /* for the attributes of links and images */
    const address_bases *bases;
    const json_text *address;     /* of links, as JSON strings, */
    const int32_t *target;        /* and by row of a link the number of its address, -1 for none */
    int32_t href;
    segment_rules rules;          /* as inline_place has them */
} json_page;

/* What is written of a block: fields before its runs and behind them, and its score. */
typedef struct {
    int32_t block; /* -1: the caller writes it */
    double score;
    json_text before, after;
} json_entry;

/* Append a text as a JSON string. */
void json_put_string(output_buffer *out, const uint8_t *text, size_t length);

/* Append a block. False: the caller has to write it, for it has a picture whose address is not sure, is code with one, or has a rare shape; what was
 * appended does not count. */
bool json_put_block(const json_page *page, const json_entry *entry, output_buffer *out);

/* The rows of all links around texts of the entries, in order, some of them several times; NULL: no memory. */
int32_t *json_links(const json_page *page, const int32_t *blocks, int32_t entries, int32_t *count);

/* Append the address of a link as a JSON string; false: the twin has to decide, and nothing is appended. */
bool json_put_address(const json_page *page, int32_t link, output_buffer *scratch, output_buffer *out);

#endif
