/* Attribute names that the reader itself needs; their numbers are fixed, those of others follow. */
#ifndef BONMUN_ATTRIBUTES_H
#define BONMUN_ATTRIBUTES_H

enum {
    ATTRIBUTE_HREF, ATTRIBUTE_STYLE, ATTRIBUTE_HIDDEN, ATTRIBUTE_CLASS, ATTRIBUTE_ROLE, ATTRIBUTE_TYPE, ATTRIBUTE_SRC,
    ATTRIBUTE_OPEN, ATTRIBUTE_SHADOWROOTMODE, ATTRIBUTE_ENCODING, ATTRIBUTE_COLOR, ATTRIBUTE_FACE, ATTRIBUTE_SIZE,
    ATTRIBUTE_COUNT,
    LAST_FLAGGING_ATTRIBUTE = ATTRIBUTE_HIDDEN, /* this one and those before it may set a flag */
    FIRST_NOTED_ATTRIBUTE = ATTRIBUTE_CLASS,    /* from this one to the last one: hints.h */
    LAST_NOTED_ATTRIBUTE = ATTRIBUTE_TYPE
};

#define ATTRIBUTE_NAMES \
    {"href", "style", "hidden", "class", "role", "type", "src", "open", "shadowrootmode", "encoding", "color", "face", "size"}

#endif
