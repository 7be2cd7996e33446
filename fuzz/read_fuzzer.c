/* The entry of libFuzzer: any bytes, valid UTF-8 or not, read with default limits, with tight limits, and with failing
 * allocations. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "reading.h"

static long allocations_left = -1; /* -1: no limit */

static bool refused(void) { return allocations_left >= 0 && allocations_left-- <= 0; }

void *__real_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *old, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The linker redirects every malloc and realloc of the core here (-Wl,--wrap). */
void *__wrap_malloc(size_t size) { return refused() ? NULL : __real_malloc(size); }
void *__wrap_realloc(void *old, size_t size) { return refused() ? NULL : __real_realloc(old, size); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t mix = (uint32_t)size;
    for (size_t at = 0; at < size && at < 64; at++) mix = mix * 31 + data[at];
    reading_run(data, (int32_t)size, DEFAULT_LIMITS);
    if (mix % 4 == 0) {
        limits tight = {(int32_t)(mix / 4 % 256), (int32_t)(mix / 64 % 8), (int32_t)(mix / 512 % 4), LIMIT_SECONDS};
        reading_run(data, (int32_t)size, tight);
    }
    if (mix % 4 == 1) {
        allocations_left = (long)(mix / 4 % 48);
        reading_run(data, (int32_t)size, DEFAULT_LIMITS);
        allocations_left = -1;
    }
    return 0;
}
