#include "writer_page.h"

#include "whitespace.h"

attribute_value attribute_of(const node_view *nodes, int32_t row, int32_t number) {
    if (row >= 0 && number >= 0)
        for (int32_t at = nodes->attr_first[row]; at < nodes->attr_first[row + 1]; at++)
            if (nodes->attr_name[at] == number)
                return (attribute_value){bytes_at(nodes, nodes->attr_start[at]), nodes->attr_stop[at] - nodes->attr_start[at]};
    return (attribute_value){NULL, 0};
}

attribute_value writer_attribute(const writer_page *page, int32_t row, int name) {
    return attribute_of(&page->nodes, row, page->names[name]);
}

attribute_value without_spaces(attribute_value value) {
    int32_t space;
    while (value.length && (space = space_length(value.bytes, value.length))) {
        value.bytes += space;
        value.length -= space;
    }
    while (value.length && (space = space_length_before(value.bytes, value.length))) value.length -= space;
    return value;
}

attribute_value writer_stripped(const writer_page *page, int32_t row, int name) {
    return without_spaces(writer_attribute(page, row, name));
}

int32_t writer_digits(attribute_value value, int32_t most) {
    int32_t number = 0;
    if (!value.length || value.length > most) return -1;
    for (int32_t at = 0; at < value.length; at++) {
        if (value.bytes[at] < '0' || value.bytes[at] > '9') return -1;
        number = number * 10 + (value.bytes[at] - '0');
    }
    return number;
}

bool writer_has(const int32_t *sorted, int32_t count, int32_t number) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (sorted[middle] < number) low = middle + 1;
        else high = middle;
    }
    return low < count && sorted[low] == number;
}
