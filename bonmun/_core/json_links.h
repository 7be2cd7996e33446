/* The addresses of links as JSON strings, each found when a run needs it. */
#ifndef BONMUN_JSON_LINKS_H
#define BONMUN_JSON_LINKS_H

#include "addresses.h"
#include "inline_runs.h"
#include "write_text.h"

typedef struct {
    link_numbers numbers; /* the first member: those of addresses, by row */
    const writer_page *page;
    const address_bases *bases;
    const given_texts *given; /* addresses that Python found, by row; an empty one is none */
    output_buffer texts, address;
    size_t *stops;                    /* of the addresses in `texts` */
    int32_t count, room, latest;      /* the row of the last address */
    int32_t *unknown, unknown_count, unknown_room; /* rows of links whose addresses Python has to find */
    bool failed;
} json_links;

/* False: no memory. Either way json_links_free has to follow. */
bool json_links_begin(json_links *links, const writer_page *page, const address_bases *bases, const given_texts *given);
void json_links_free(json_links *links);
/* Append an address by its number. */
void json_put_link(const json_links *links, int32_t number, output_buffer *out);

#endif
