/* Text with emphasis, code and links as inline Markdown; bonmun/write/markdown_inline.py is the Python twin. */
#ifndef BONMUN_INLINE_MARKDOWN_H
#define BONMUN_INLINE_MARKDOWN_H

#include "inline_runs.h"

typedef struct {
    uint8_t *bytes;
    size_t used, room;
} inline_line;

/* The Markdown of a block; in place of an address it has the row of the link between two NULs. INLINE_OTHER where the twin has to
 * decide: for images, scripts, dollar signs, addresses in the text with escapes, and emphasis next to rare characters. `tildes`: those of the block's paragraph. The caller frees the bytes. */
inline_result inline_markdown(const node_view *nodes, const inline_place *place, int32_t tildes, inline_line *out);

#endif
