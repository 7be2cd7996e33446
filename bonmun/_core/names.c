#include "names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler.h"
#include "bytes.h"
#include "word64.h"

/* Each growth rehashes the whole table: few and large steps, but for a table that would take much memory. */
enum { FIRST_BITS = 7, USUALLY_NEW = 96, GROWTH_BITS = 2, LARGE = 4096, FIRST_ROOM = 2048 };

/* Eight bytes of a name from `at` on, or its last eight; the name has at least eight. */
static uint64_t piece(const uint8_t *name, int32_t length, int32_t at) {
    return word_load(name + (at + WORD <= length ? at : length - WORD));
}

/* The digest of a name of more than SHORT_NAME bytes; 0: it contains a NUL. */
static uint64_t digest_long(const names *n, const uint8_t *name, int32_t length) {
    uint64_t last = word_load(name + length - WORD), hash = (uint64_t)length;
    bool has_zero = word_has_zero(last);
    int32_t at = 0;
    do {
        uint64_t word = word_load(name + at);
        has_zero |= word_has_zero(word);
        hash = names_mix(n, hash, word_lower(word));
        at += WORD;
    } while (at < length - WORD);
    return has_zero ? 0 : names_long_digest(names_mix(n, hash, word_lower(last)));
}

static uint64_t digest_of(const names *n, const uint8_t *name, int32_t length) {
    if (length > SHORT_NAME) {
        return digest_long(n, name, length);
    }
    uint64_t word = word_load_padded(name, length, 0xFF);
    return word_has_zero(word) ? 0 : names_short_digest(word_lower(word), length);
}

static bool is_long_name(const names *n, int32_t number, const uint8_t *name, int32_t length) {
    int32_t start = n->starts[number];
    if (n->starts[number + 1] - start != length) {
        return false;
    }
    for (int32_t at = 0; at < length; at += WORD) {
        if (piece(n->bytes + start, length, at) != word_lower(piece(name, length, at))) {
            return false;
        }
    }
    return true;
}

static void put_in_table(names *n, name_slot slot) {
    int32_t at = names_slot(n, slot.digest);
    while (n->table[at].digest != 0) {
        at = (at + 1) & n->mask;
    }
    n->table[at] = slot;
}

/* Multiply the number of slots by 1 << bits. */
static int grow_slots(names *n, int bits) {
    if (n->slots > INT32_MAX >> (bits + 1)) {
        return -1;
    }
    int32_t slots = (n->slots == 0 ? 1 : n->slots) << bits;
    int32_t *starts = realloc(n->starts, ((size_t)slots + 1) * sizeof *starts);
    if (starts == NULL) {
        return -1;
    }
    n->starts = starts;
    name_slot *table = calloc((size_t)slots * 2, sizeof *table), *old = n->table;
    if (table == NULL) {
        return -1;
    }
    int32_t old_size = n->slots * 2;
    n->table = table;
    n->slots = slots;
    n->mask = slots * 2 - 1;
    n->shift = (n->shift == 0 ? 63 : n->shift) - bits;
    for (int32_t at = 0; at < old_size; at++) {
        if (old[at].digest != 0) {
            put_in_table(n, old[at]);
        }
    }
    free(old);
    return 0;
}

/* Room for `length` more bytes of names. */
static int grow_bytes(names *n, int32_t length) {
    if (length > INT32_MAX - n->used) {
        return -1;
    }
    int32_t room = n->room > INT32_MAX / 2 ? INT32_MAX : n->room * 2;
    if (room < n->used + length) {
        room = n->used + length;
    }
    if (room < FIRST_ROOM) {
        room = FIRST_ROOM;
    }
    uint8_t *bytes = realloc(n->bytes, (size_t)room);
    if (bytes == NULL) {
        return -1;
    }
    n->bytes = bytes;
    n->room = room;
    return 0;
}

static int32_t add(names *n, const uint8_t *name, int32_t length, uint64_t digest) {
    if ((length > n->room - n->used && grow_bytes(n, length) < 0) || (n->count == n->slots && grow_slots(n, n->slots < LARGE ? GROWTH_BITS : 1) < 0)) {
        return -1;
    }
    uint8_t *to = n->bytes + n->used;
    for (int32_t i = 0; i < length; i++) {
        to[i] = byte_lower(name[i]);
    }
    n->used += length;
    n->starts[n->count + 1] = n->used;
    put_in_table(n, (name_slot){digest, n->count});
    return n->count++;
}

static int32_t intern_replacing_nul(names *n, const uint8_t *name, int32_t length) {
    uint8_t *clean = length > INT32_MAX / 3 ? NULL : malloc((size_t)length * 3);
    int32_t used = 0;
    if (clean == NULL) {
        return -1;
    }
    for (int32_t i = 0; i < length; i++) {
        if (name[i] == 0) {
            memcpy(clean + used, "\xEF\xBF\xBD", 3);
            used += 3;
        } else {
            clean[used++] = name[i];
        }
    }
    int32_t number = names_intern(n, clean, used);
    free(clean);
    return number;
}

static int32_t number_of(const names *n, const uint8_t *name, int32_t length, uint64_t digest) {
    for (int32_t at = names_slot(n, digest); n->table[at].digest != 0; at = (at + 1) & n->mask) {
        int32_t number = n->table[at].number;
        if (n->table[at].digest == digest && (length <= SHORT_NAME || is_long_name(n, number, name, length))) {
            return number;
        }
    }
    return -1;
}

NOINLINE int32_t names_intern(names *n, const uint8_t *name, int32_t length) {
    uint64_t digest = digest_of(n, name, length);
    if (digest == 0) {
        return intern_replacing_nul(n, name, length);
    }
    int32_t number = number_of(n, name, length, digest);
    return number >= 0 ? number : add(n, name, length, digest);
}

uint64_t names_digest(const names *n, const char *name) {
    return digest_of(n, (const uint8_t *)name, (int32_t)strlen(name));
}

int32_t names_number(const names *n, const char *name, uint64_t digest) {
    int32_t at = names_slot(n, digest);
    return n->table[at].digest == 0 ? -1 : number_of(n, (const uint8_t *)name, (int32_t)strlen(name), digest);
}

/* The finaliser of splitmix64: every input bit affects every bit of the key. */
static uint64_t make_key(const names *n) {
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    uint64_t key = (uint64_t)(uintptr_t)n ^ (uint64_t)(uintptr_t)n->bytes << 16 ^ (uint64_t)now.tv_nsec << 32;
    key = (key ^ key >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    key = (key ^ key >> 27) * UINT64_C(0x94D049BB133111EB);
    return (key ^ key >> 31) | 1;
}

int names_init(names *n, const char *const *fixed, int32_t count) {
    *n = (names){0};
    int bits = FIRST_BITS;
    while (1 << bits < count + USUALLY_NEW) {
        bits++;
    }
    if (grow_bytes(n, 0) < 0 || grow_slots(n, bits) < 0) {
        names_free(n);
        return -1;
    }
    n->key = make_key(n);
    n->starts[0] = 0;
    for (int32_t i = 0; i < count; i++) {
        const uint8_t *name = (const uint8_t *)fixed[i];
        int32_t length = (int32_t)strlen(fixed[i]);
        if (add(n, name, length, digest_of(n, name, length)) < 0) { /* all different: no lookup needed */
            names_free(n);
            return -1;
        }
    }
    return 0;
}

int names_copy(names *n, const names *original) {
    *n = *original;
    n->bytes = malloc((size_t)n->room);
    n->starts = malloc(((size_t)n->slots + 1) * sizeof *n->starts);
    n->table = malloc((size_t)n->slots * 2 * sizeof *n->table);
    if (n->bytes == NULL || n->starts == NULL || n->table == NULL) {
        names_free(n);
        return -1;
    }
    memcpy(n->bytes, original->bytes, (size_t)n->used);
    memcpy(n->starts, original->starts, ((size_t)n->count + 1) * sizeof *n->starts);
    memcpy(n->table, original->table, (size_t)n->slots * 2 * sizeof *n->table);
    return 0;
}

void names_free(names *n) {
    free(n->bytes);
    free(n->starts);
    free(n->table);
    *n = (names){0};
}
