/* Attribute names that the reader itself needs; their numbers are fixed, those of others follow. */
#ifndef BONMUN_ATTRIBUTES_H
#define BONMUN_ATTRIBUTES_H

enum {
    ATTRIBUTE_HREF, ATTRIBUTE_STYLE, ATTRIBUTE_HIDDEN, ATTRIBUTE_OPEN, ATTRIBUTE_SHADOWROOTMODE, ATTRIBUTE_TYPE,
    ATTRIBUTE_ENCODING, ATTRIBUTE_COLOR, ATTRIBUTE_FACE, ATTRIBUTE_SIZE, ATTRIBUTE_COUNT,
    LAST_FLAGGING_ATTRIBUTE = ATTRIBUTE_HIDDEN /* this one and those before it may set a flag */
};

#define ATTRIBUTE_NAMES \
    {"href", "style", "hidden", "open", "shadowrootmode", "type", "encoding", "color", "face", "size"}

#endif
