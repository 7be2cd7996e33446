/* Addresses of links and pictures that need no URL parser; bonmun/model/links.py and pictures.py are the Python twins. */
#ifndef BONMUN_ADDRESSES_H
#define BONMUN_ADDRESSES_H

#include "output_buffer.h"
#include "writer_page.h"

/* What relative addresses are appended to, each as the URL parser writes it; all empty for a page without URL, whose relative
 * addresses stay as they are. */
typedef struct {
    attribute_value scheme; /* "https:" */
    attribute_value root;   /* "https://example.org" */
    attribute_value folder; /* "https://example.org/a/" */
    attribute_value own;    /* "https://example.org/a/page.html", without a fragment */
    bool relative;          /* whether the page has no URL */
} address_bases;

/* Append the address that an attribute stands for; false: the twin has to decide, and nothing is appended. */
bool write_link_address(const address_bases *bases, attribute_value href, output_buffer *out);
/* The same for the source of an img. */
bool write_image_address(const writer_page *page, const address_bases *bases, int32_t row, output_buffer *out);

/* Whether a block has a picture with an address; unsure: the twin has to decide. */
typedef enum { PICTURE_NONE, PICTURE_KNOWN, PICTURE_UNSURE } picture_state;
picture_state picture_in_block(const writer_page *page, const address_bases *bases, int32_t block, output_buffer *scratch);

#endif
