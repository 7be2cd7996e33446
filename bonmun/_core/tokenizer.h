/* HTML5 tokenizer on UTF-8 bytes: one pass, no look-behind, linear time.
 *
 * The tree builder pulls tokens and sets the state that only the tree knows: the content model after a start tag
 * (tokenizer_set_content_model), and whether CDATA sections are allowed (in_foreign). */
#ifndef BONMUN_TOKENIZER_H
#define BONMUN_TOKENIZER_H

#include <stdbool.h>

#include "columns.h"
#include "names.h"
#include "reference.h"
#include "span.h"

typedef enum { TOKEN_END_OF_FILE, TOKEN_TEXT, TOKEN_START, TOKEN_END, TOKEN_COMMENT, TOKEN_DOCTYPE, TOKEN_FAILED } token_kind;

enum { NAME_BITS = 64, CHARS_UNKNOWN = -1 };

typedef enum { MODEL_DATA, MODEL_RCDATA, MODEL_RAWTEXT, MODEL_SCRIPT, MODEL_PLAINTEXT, MODEL_CDATA } content_model;

typedef struct {
    token_kind kind;
    int32_t start, stop; /* the whole token in the source */

    int32_t tag;         /* START, END: number of the tag name */
    bool self_closing;
    int32_t attribute_first; /* START: at most `most_attributes`, without duplicates; END: none */
    int32_t attribute_count;
    int32_t attribute_most;  /* attributes that fit without a check of room or limit */
    int32_t attributes_cut;  /* number of attributes dropped, duplicates not counted */
    uint64_t named;          /* Bloom filter: the bit of each name's number, modulo NAME_BITS */

    span text;    /* TEXT, COMMENT: decoded; in TEXT of MODEL_DATA and MODEL_CDATA, NULs are left to the tree builder */
    bool has_nul; /* TEXT: contains U+0000 */
    bool blank;   /* TEXT: only tab, LF, FF, CR, space */
    int32_t chars; /* TEXT: its visible characters (chars.h), 0 if it is blank; CHARS_UNKNOWN: they are to be counted */

    span name, public_id, system_id; /* DOCTYPE; start < 0: missing */
    bool force_quirks;
} token;

typedef struct {
    store *store;
    names *tags, *attribute_names;
    int32_t at;            /* offset of the next byte */
    content_model model;
    int32_t fast_until;    /* up to this offset the fast paths may read ahead; -1: not in MODEL_DATA */
    int32_t raw_tag;       /* the appropriate end tag in RCDATA, RAWTEXT and SCRIPT */
    bool in_foreign;       /* <![CDATA[ is allowed */
    int32_t most_attributes;
    attribute_columns attributes; /* of all elements so far, then of the current token */
    int32_t attribute_room, attributes_kept;
    int32_t *seen_in;      /* by attribute name: number of the last tag that has it, to detect duplicates */
    int32_t seen_room;
    int32_t tag_count;     /* tags so far */
    int32_t next_reference, next_return, next_nul; /* offsets of the next &, CR and NUL; see decode.h */
    int32_t next_special;  /* the least of the three */
    known_reference known; /* cache of the last short reference */
    /* hints.h: whether formula_rows, among images or other elements, or find_roles may find something */
    bool may_have_formula_images, may_have_formulas, may_have_roles;
    bool failed;           /* memory or offsets ran out */
} tokenizer;

int tokenizer_init(tokenizer *t, store *s, names *tags, names *attribute_names, int32_t most_attributes);
void tokenizer_free(tokenizer *t);
void tokenizer_set_content_model(tokenizer *t, content_model model, int32_t raw_tag);
void tokenizer_next(tokenizer *t, token *out); /* TOKEN_FAILED: memory ran out; sets only the fields of the token's kind */

/* To keep the attributes of a START token, advance `attributes_kept` behind them; the next token's follow. */
bool tokenizer_make_room(tokenizer *t, int32_t attributes); /* for that many in total; false: memory ran out */

#endif
