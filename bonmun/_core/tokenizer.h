/* HTML5 tokenizer on UTF-8 bytes, one pass, no look-behind, linear time.
 *
 * The tree builder pulls tokens and tells the tokenizer what only the tree can know: which content model follows a start
 * tag (tokenizer_enter) and whether CDATA sections are allowed (in_foreign). */
#ifndef BONMUN_TOKENIZER_H
#define BONMUN_TOKENIZER_H

#include <stdbool.h>

#include "columns.h"
#include "names.h"
#include "reference.h"
#include "span.h"

typedef enum { TOKEN_END_OF_FILE, TOKEN_TEXT, TOKEN_START, TOKEN_END, TOKEN_COMMENT, TOKEN_DOCTYPE, TOKEN_FAILED } token_kind;

enum { NAME_BITS = 64 };

typedef enum { MODEL_DATA, MODEL_RCDATA, MODEL_RAWTEXT, MODEL_SCRIPT, MODEL_PLAINTEXT, MODEL_CDATA } content_model;

typedef struct {
    token_kind kind;
    int32_t start, stop; /* the whole token in the source */

    int32_t tag;         /* START, END: number of the tag name */
    bool self_closing;
    int32_t attribute_first; /* START: the first of each name, at most `most_attributes`; END: none */
    int32_t attribute_count;
    int32_t attribute_most;  /* that it may have before anything is asked */
    int32_t attributes_cut;  /* how many different further ones were dropped */
    uint64_t named;          /* for each name the bit of its number, modulo NAME_BITS */

    span text;   /* TEXT, COMMENT: decoded characters; in TEXT of MODEL_DATA and MODEL_CDATA, NULs are kept for the tree */
    bool has_nul;  /* TEXT: a U+0000 is in it */
    bool blank;    /* TEXT: nothing but tab, LF, FF, CR, space */

    span name, public_id, system_id;           /* DOCTYPE; start < 0: missing */
    bool force_quirks;
} token;

typedef struct {
    store *store;
    names *tags, *attribute_names;
    int32_t at;            /* next byte of the source */
    content_model model;
    int32_t usual_until;   /* where tags and short texts cease to be in sight; -1: they mean nothing now */
    int32_t raw_tag;       /* the end tag that leaves RCDATA, RAWTEXT and SCRIPT */
    bool in_foreign;       /* <![CDATA[ is allowed */
    int32_t most_attributes;
    attribute_columns attributes; /* of all tokens that keep theirs, then of the current one */
    int32_t attribute_room, attributes_kept;
    int32_t *seen_in;      /* by attribute name: number of the last tag that has it, so that doubles are found at once */
    int32_t seen_room;
    int32_t tag_count;     /* tags so far */
    int32_t next_reference, next_return, next_nul; /* where the next &, CR and NUL are; see decode.h */
    int32_t next_special;  /* the first of these three */
    known_reference known; /* the last short one */
    bool failed;           /* memory or offsets ran out */
} tokenizer;

int tokenizer_init(tokenizer *t, store *s, names *tags, names *attribute_names, int32_t most_attributes);
void tokenizer_free(tokenizer *t);
void tokenizer_enter(tokenizer *t, content_model model, int32_t raw_tag);
void tokenizer_next(tokenizer *t, token *out); /* TOKEN_FAILED: memory ran out; only what its kind has is set */

/* The attributes of a START token stay where they are, and the next token's follow, when `attributes_kept` moves behind them. */
bool tokenizer_make_room(tokenizer *t, int32_t attributes); /* for so many in all; false: memory ran out */

#endif
