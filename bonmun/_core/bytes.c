#include "bytes.h"

#define W (SPACE | ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_BARE_VALUE | BETWEEN_ATTRIBUTES)
#define G (ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_BARE_VALUE)
#define S (ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | BETWEEN_ATTRIBUTES | OPENS_MARKUP)
#define E (ENDS_ATTRIBUTE_NAME)
#define M (OPENS_MARKUP)
#define L (LETTER | OPENS_MARKUP)
#define D (DIGIT)

const uint8_t byte_classes[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, W, W, 0, W, W, 0, 0, /* tab, LF, FF, CR */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    W, M, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, S, /* space, !, / */
    D, D, D, D, D, D, D, D, D, D, 0, 0, 0, E, G, M, /* digits, =, >, ? */
    0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* A to O */
    L, L, L, L, L, L, L, L, L, L, L, 0, 0, 0, 0, 0, /* P to Z */
    0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* a to o */
    L, L, L, L, L, L, L, L, L, L, L, 0, 0, 0, 0, 0, /* p to z; bytes of non-ASCII characters have no class */
};
