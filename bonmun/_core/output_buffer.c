#include "output_buffer.h"

#include <inttypes.h>
#include <stdio.h>

void output_number(output_buffer *out, int64_t number) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, number);
    if (length > 0) output_put(out, digits, (size_t)length);
}
