/* The text of a block as runs with their marks and links; bonmun/model/inline.py is the Python twin. */
#ifndef BONMUN_INLINE_RUNS_H
#define BONMUN_INLINE_RUNS_H

#include "segment.h"

/* Marks of a text. A set of them has three bits for each, the outermost lowest; those behind MARK_SUP are in no set. */
enum { MARK_STRONG = 1, MARK_EM, MARK_STRIKE, MARK_HIGHLIGHT, MARK_CODE, MARK_SUB, MARK_SUP, MARK_STRONG_EM, MARK_LINK };
enum { MARK_BITS = 3, MARK_MASK = 7 };

/* The numbers of links' addresses. */
typedef struct link_numbers {
    int32_t *by_row;
    int32_t (*of)(struct link_numbers *numbers, int32_t row);
    bool (*same)(const struct link_numbers *numbers, int32_t one, int32_t other); /* whether two addresses are the same */
} link_numbers;

typedef struct {
    int32_t first, stop, element;
    int32_t skipped; /* flags of rows that are not shown */
    bool heading;
    uint32_t extra; /* a mark around the whole text; 0: none */
    int32_t href;   /* the number of this attribute on the page; -1: no element has it */
    const int32_t *images; /* the numbers of WRITER_NAME_…, by which images with a source become runs; NULL: a block with one is another's */
    bool exact;     /* whether all marks are kept in their order, as HTML has them; otherwise those of Markdown */
    link_numbers *numbers; /* of addresses, -1 for none. With them, runs have all marks in their order, and the number in place of
                            * the link's row; NULL: none */
    const segment_rules *rules; /* the block-level tags, and the attribute NAME_STYLE, for the lines of a heading; NULL: unknown */
} inline_place;

typedef struct {
    int32_t from, to; /* in the text */
    uint32_t marks;
    int32_t link;  /* the row of the link around it; -1: none */
    int32_t image; /* the row of an image, which has the byte IMAGE_BYTE for its text; -1: none */
} inline_run;

enum { IMAGE_BYTE = 1 }; /* in no text of a page */

typedef struct {
    uint8_t *text; /* white space collapsed */
    inline_run *runs;
    int32_t used, count;
} inline_runs;

typedef enum { INLINE_OK, INLINE_NO_MEMORY, INLINE_OTHER } inline_result;

/* The mark of an element; 0: none. */
uint32_t inline_mark_of(int32_t tag);

/* Whether two links, or the lack of one, are the same: their addresses are, as they are written. */
bool inline_same_link(const node_view *nodes, int32_t href, int32_t one, int32_t other);

/* The runs of a block with nothing but text, emphasis, code and links; INLINE_OTHER for other blocks: those with images, or for
 * Markdown with scripts that need a tag. Either way inline_runs_free has to follow. */
inline_result inline_runs_of(const node_view *nodes, const inline_place *place, inline_runs *out);
void inline_runs_free(inline_runs *r);

#endif
