/* libFuzzer's entry: any bytes, valid UTF-8 or not, read three times: as usual, with tight limits, and short of memory. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "reading.h"

static long allocations_left = -1; /* -1: as many as it likes */

static bool refused(void) { return allocations_left >= 0 && allocations_left-- <= 0; }

void *__real_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *old, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The linker sends every malloc and realloc of the core here (-Wl,--wrap). */
void *__wrap_malloc(size_t size) { return refused() ? NULL : __real_malloc(size); }
void *__wrap_realloc(void *old, size_t size) { return refused() ? NULL : __real_realloc(old, size); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t mix = (uint32_t)size;
    for (size_t at = 0; at < size && at < 64; at++) mix = mix * 31 + data[at];
    reading_run(data, (int32_t)size, DEFAULT_LIMITS);
    if (mix % 4 == 0) reading_run(data, (int32_t)size, (limits){(int32_t)(mix / 4 % 256), (int32_t)(mix / 64 % 8), (int32_t)(mix / 512 % 4), 30.0});
    if (mix % 4 == 1) {
        allocations_left = (long)(mix / 4 % 48);
        reading_run(data, (int32_t)size, DEFAULT_LIMITS);
        allocations_left = -1;
    }
    return 0;
}
