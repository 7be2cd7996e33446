/* What a document may show beside its kept blocks; bonmun/write/figures.py looks at it closely. */
#ifndef BONMUN_SHOWN_SIGNS_H
#define BONMUN_SHOWN_SIGNS_H

#include "attribute_rows.h"
#include "writer_page.h"

/* The rows that may hold media between kept texts. */
typedef struct {
    int32_t first, stop;  /* rows near kept blocks */
    const uint8_t *media; /* by tag: whether it is a medium */
    int32_t tags;
    const uint8_t *lazy; /* the WRITER_NAME_… of attributes with the address of a picture that has no block */
    size_t lazy_count;
} media_search;

/* Whether there may be media among them; false: there are none. */
bool may_show_media(const writer_page *page, const media_search *search);

/* Whether a picture may have a caption, by words in the class of those; false: it has none. */
bool may_have_caption(const writer_page *page, int32_t picture, const attribute_words *words);

/* Whether a block has a picture and a text. */
bool has_text_and_picture(const writer_page *page, int32_t block);

#endif
