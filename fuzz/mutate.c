/* Mutates real pages in-process: mutate PAGES SEED COUNT OUT
 *
 * PAGES is a concatenation of pages, each behind its length (uint32, native byte order). Prints the number of inputs read
 * and the slowest ns per byte; short inputs count as FLOOR bytes, to exclude the fixed cost of a reading. OUT/running holds
 * the current input (ROOM bytes and its length) and survives a crash; OUT/slowest is the slowest input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "reading.h"

enum { MOST = 60000, ROOM = 2 * MOST, FLOOR = 4096, MOST_EDITS = 24, TRIES = 3 };

typedef struct {
    uint8_t *bytes;
    uint32_t *starts;
    uint32_t count;
} corpus;

static uint64_t state;

/* splitmix64 */
static uint32_t below(uint32_t most) {
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return most ? (uint32_t)((z ^ z >> 31) >> 32) % most : 0;
}

static void die(const char *why) {
    perror(why);
    exit(2);
}

static corpus corpus_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) die(path);
    long size = ftell(file);
    rewind(file);
    corpus c = {malloc((size_t)size), malloc(((size_t)size / 4 + 2) * sizeof(uint32_t)), 0};
    if (size <= 4 || !c.bytes || !c.starts || fread(c.bytes, 1, (size_t)size, file) != (size_t)size) die(path);
    fclose(file);
    for (uint32_t at = 0, length; at + 4 <= (uint32_t)size; at += 4 + length) {
        memcpy(&length, c.bytes + at, 4);
        c.starts[c.count++] = at;
    }
    return c;
}

/* Copy a part of a random page, at most `most` bytes. */
static int32_t take_piece(const corpus *c, uint8_t *to, uint32_t most) {
    uint32_t at = c->starts[below(c->count)], length;
    memcpy(&length, c->bytes + at, 4);
    uint32_t from = length > most ? (below(4) ? below(length - most) : 0) : 0, size = length - from < most ? length - from : most;
    memcpy(to, c->bytes + at + 4 + from, size);
    return (int32_t)size;
}

/* Replace `gone` bytes at `at` by `count` others; no change if the result would not fit. */
static int32_t splice(uint8_t *page, int32_t length, int32_t at, int32_t gone, const uint8_t *other, int32_t count) {
    if (gone > length - at) gone = length - at;
    if (length - gone + count > ROOM) return length;
    memmove(page + at + count, page + at + gone, (size_t)(length - at - gone));
    if (count) memcpy(page + at, other, (size_t)count);
    return length - gone + count;
}

/* The next tag from a random offset on: its start, and its end in *to; -1: none. */
static int32_t find_tag(const uint8_t *page, int32_t length, int32_t *to) {
    int32_t at = (int32_t)below((uint32_t)length);
    const uint8_t *opens = memchr(page + at, '<', (size_t)(length - at));
    if (!opens) return -1;
    const uint8_t *closes = memchr(opens, '>', (size_t)(length - (opens - page)));
    *to = closes ? (int32_t)(closes - page) + 1 : length;
    return (int32_t)(opens - page);
}

static int32_t insert_known_tag(uint8_t *page, int32_t length) {
    char tag[64];
    const char *name = tag_names[1 + below(TAG_COUNT - 1)];
    static const char *const forms[] = {"<%s>", "</%s>", "<%s", "<%s/>", "<%s hidden>", "<%s a='", "</%s ", "<!--<%s>"};
    int count = snprintf(tag, sizeof tag, forms[below(8)], name);
    return splice(page, length, (int32_t)below((uint32_t)length + 1), 0, (uint8_t *)tag, count);
}

static int32_t mutate_tag(uint8_t *page, int32_t length, uint8_t *scratch) {
    int32_t to, from = length ? find_tag(page, length, &to) : -1;
    if (from < 0 || to - from > ROOM / 4) return length;
    int32_t size = to - from, times = 1 + (int32_t)below(below(8) ? 4 : 200);
    switch (below(4)) {
        case 0: return splice(page, length, from, size, NULL, 0);
        case 1: /* copied elsewhere, sometimes many times */
            memcpy(scratch, page + from, (size_t)size);
            for (int32_t at = (int32_t)below((uint32_t)length); times > 0; times--)
                length = splice(page, length, at, 0, scratch, size);
            return length;
        case 2: return splice(page, length, from + 1, 0, (const uint8_t *)"/", 1);
        default: return splice(page, length, to - 1, 1, NULL, 0);
    }
}

static int32_t mutate_once(const corpus *c, uint8_t *page, int32_t length, uint8_t *scratch) {
    static const uint8_t odd[] = "<>&/!-=\"' \0\r\n;#]?\xFF\x80\xE3\xC2";
    int32_t at = (int32_t)below((uint32_t)length + 1), size = (int32_t)below(below(4) ? 40 : 4000);
    switch (below(8)) {
        case 0:
            if (at < length) page[at] ^= (uint8_t)(1u << below(8));
            return length;
        case 1: return splice(page, length, at, below(2), &odd[below(sizeof odd - 1)], 1);
        case 2: return splice(page, length, at, size, NULL, 0);
        case 3: /* doubled in place */
            if (size > length - at) size = length - at;
            memcpy(scratch, page + at, (size_t)size);
            return splice(page, length, at, 0, scratch, size);
        case 4: return splice(page, length, at, size, scratch, take_piece(c, scratch, 4000));
        case 5: return below(8) ? length : at; /* cut off */
        case 6: return insert_known_tag(page, length);
        default: return mutate_tag(page, length, scratch);
    }
}

static void keep(const char *folder, const char *name, const uint8_t *bytes, int32_t length) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, (size_t)length, file) != (size_t)length || fclose(file)) die(path);
}

/* Memory mapped to a file, which survives a crash. */
static uint8_t *running_file(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/running", folder);
    FILE *file = fopen(path, "w+b");
    if (!file || fseek(file, ROOM + 3, SEEK_SET) || fputc(0, file) == EOF || fflush(file)) die(path);
    uint8_t *mapped = mmap(NULL, ROOM + 4, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    if (mapped == MAP_FAILED) die(path);
    return mapped;
}

static double ns_per_byte(const uint8_t *bytes, int32_t length, double worst) {
    double least = 1e9;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        double ns = reading_run(bytes, length, DEFAULT_LIMITS).cpu_seconds * 1e9 / (length > FLOOR ? length : FLOOR);
        least = ns < least ? ns : least;
        if (least <= worst) return least; /* other load slows one measurement, rarely three */
    }
    return least;
}

int main(int argc, char **argv) {
    if (argc != 5) return fprintf(stderr, "mutate PAGES SEED COUNT OUT\n"), 2;
    corpus c = corpus_read(argv[1]);
    long count = atol(argv[3]);
    uint8_t *page = running_file(argv[4]), *scratch = malloc(ROOM);
    if (!scratch) die("memory");
    double worst = 0, bytes = 0;
    for (long at = 0; at < count; at++) {
        state = strtoull(argv[2], NULL, 10) * UINT64_C(1000003) + (uint64_t)at;
        int32_t length = take_piece(&c, page, below(4) ? 20000 : MOST);
        for (uint32_t edits = 1 + below(MOST_EDITS); edits > 0; edits--) length = mutate_once(&c, page, length, scratch);
        uint8_t *exact = malloc(length ? (size_t)length : 1); /* exact size: the sanitizer sees overruns */
        if (!exact) die("memory");
        memcpy(exact, page, (size_t)length);
        memcpy(page + ROOM, &length, 4);
        double ns = ns_per_byte(exact, length, worst);
        if (ns > worst) worst = ns, keep(argv[4], "slowest", exact, length);
        bytes += length;
        free(exact);
    }
    printf("%ld read, %.0f MB, slowest %.1f ns per byte\n", count, bytes / 1e6, worst);
    free(c.bytes), free(c.starts), free(scratch);
    return 0;
}
