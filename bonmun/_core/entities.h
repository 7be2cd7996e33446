/* Named character references: what `&NAME;` stands for. */
#ifndef BONMUN_ENTITIES_H
#define BONMUN_ENTITIES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t first;
    uint16_t second; /* 0: the name stands for one character */
    uint16_t bare;   /* the name also counts without its semicolon */
} entity;

typedef struct {
    const char *names; /* all of one length, one after the other */
    uint16_t first;    /* where the values of these names start */
    uint16_t count;
} entity_group;

/* The longest name that stands at `name` (behind the ampersand), and its length with the semicolon if it has one;
 * NULL: none. Looks at no more bytes than the longest of all names has. */
const entity *entities_match(const uint8_t *name, int32_t room, int32_t *length);

#endif
