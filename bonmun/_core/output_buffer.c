#include "output_buffer.h"

void output_number(output_buffer *out, int64_t number) {
    uint8_t digits[20], *first = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do *--first = (uint8_t)('0' + left % 10);
    while (left /= 10);
    if (number < 0) *--first = '-';
    output_put(out, first, (size_t)(digits + sizeof digits - first));
}
