/* Named character references. */
#ifndef BONMUN_ENTITIES_H
#define BONMUN_ENTITIES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t first;
    uint16_t second; /* the second character; 0: there is only one */
    uint16_t bare;   /* valid without the semicolon too */
} entity;

typedef struct {
    const char *names; /* all of one length, joined */
    uint16_t first;    /* index of the first name's value */
    uint16_t count;
} entity_group;

/* The longest match at `name`, behind the ampersand, and its length including a semicolon; NULL: none. Reads at most as many
 * bytes as the longest name has. */
const entity *entities_match(const uint8_t *name, int32_t room, int32_t *length);

#endif
