#include "numbering.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "tags_table.h"

enum { MOST_DIGITS = 8, NOT_COUNTED = INT32_MIN, COUNTED_LIST = INT32_MIN + 1 };

static int32_t number_of(const writer_page *page, int32_t row, int name) {
    return writer_digits(writer_stripped(page, row, name), MOST_DIGITS);
}

/* Number all items of a list as browsers count. */
static bool count_items(const writer_page *page, counted_items *counted, int32_t list, int32_t start, int32_t step) {
    const node_view *nodes = &page->nodes;
    if (!counted->number) {
        counted->number = malloc((size_t)nodes->rows * sizeof *counted->number);
        if (!counted->number) return false;
        for (int32_t row = 0; row < nodes->rows; row++) counted->number[row] = NOT_COUNTED;
    }
    if (counted->number[list] == COUNTED_LIST) return true;
    int32_t items = 0, row;
    for (row = list + 1; row < nodes->end[list]; row = nodes->end[row]) items += nodes->tag[row] == TAG_LI;
    int32_t number = start >= 0 ? start : step < 0 ? items : 1;
    for (row = list + 1; row < nodes->end[list]; row = nodes->end[row]) {
        if (nodes->tag[row] != TAG_LI) continue;
        int32_t value = number_of(page, row, WRITER_NAME_VALUE);
        number = value < 0 ? number : value;
        counted->number[row] = number;
        number += step;
    }
    counted->number[list] = COUNTED_LIST;
    return true;
}

static bool has_text(attribute_value value, const char *text) {
    int32_t length = (int32_t)strlen(text);
    for (int32_t at = 0; at + length <= value.length; at++)
        if (memcmp(value.bytes + at, text, (size_t)length) == 0) return true;
    return false;
}

/* Whether a value is "checkbox" in any case, as Python lowers it: the Kelvin sign becomes a k. */
static bool is_checkbox(attribute_value value) {
    const char *wanted = "checkbox";
    int32_t at = 0;
    for (; *wanted; wanted++) {
        bool kelvin = *wanted == 'k' && value.length - at > 2 && memcmp(value.bytes + at, "\xE2\x84\xAA", 3) == 0;
        if (!kelvin && (at >= value.length || byte_lower(value.bytes[at]) != (uint8_t)*wanted)) return false;
        at += kelvin ? 3 : 1;
    }
    return at == value.length;
}

/* Whether the checkbox in front of an item's text is checked. */
static int8_t checked_at(const writer_page *page, int32_t item) {
    const node_view *nodes = &page->nodes;
    if (item < 0) return NOT_A_TASK;
    int32_t stop = nodes->end[item] < item + TASK_ROWS ? nodes->end[item] : item + TASK_ROWS;
    for (int32_t row = item + 1; row < stop; row++) {
        if (nodes->chars[row]) return NOT_A_TASK;
        if (nodes->tag[row] != TAG_INPUT) continue;
        bool is_task = writer_attribute(page, row, WRITER_NAME_DISABLED).bytes ||
                       has_text(writer_attribute(page, row, WRITER_NAME_CLASS), "task") ||
                       has_text(writer_attribute(page, item, WRITER_NAME_CLASS), "task");
        if (!is_task || !is_checkbox(writer_attribute(page, row, WRITER_NAME_TYPE))) return NOT_A_TASK;
        return writer_attribute(page, row, WRITER_NAME_CHECKED).bytes != NULL;
    }
    return NOT_A_TASK;
}

static int mark_tasks(const writer_page *page, const outline *o, int32_t list, int32_t items, list_marks *out) {
    if (page->names[WRITER_NAME_DISABLED] < 0 && page->names[WRITER_NAME_CHECKED] < 0) return 0;
    out->checked = malloc((size_t)items + 1);
    if (!out->checked) return -1;
    bool any = false;
    int32_t at = 0;
    for (int32_t row = list + 1; row < o->rows[list].stop; row = o->rows[row].stop) {
        out->checked[at] = checked_at(page, o->rows[row].at);
        any = any || out->checked[at] != NOT_A_TASK;
        at++;
    }
    if (!any) {
        free(out->checked);
        out->checked = NULL;
    }
    return 0;
}

/* The numbers of the items of a list that counts down or has values. */
static int number_items(const outline *o, int32_t list, int32_t items, const counted_items *counted, list_marks *out) {
    int32_t at = 0;
    bool negative = false, consecutive = true;
    out->numbers = malloc(((size_t)items + 1) * sizeof *out->numbers);
    if (!out->numbers) return -1;
    for (int32_t row = list + 1; row < o->rows[list].stop; row = o->rows[row].stop) {
        int32_t item = o->rows[row].at, known = item >= 0 ? counted->number[item] : NOT_COUNTED;
        int32_t number = known > COUNTED_LIST ? known : at ? out->numbers[at - 1] + 1 : 1;
        consecutive = consecutive && (!at || number == out->numbers[at - 1] + 1);
        negative = negative || number < 0;
        out->numbers[at++] = number;
    }
    out->start = negative ? 1 : out->numbers[0];
    if (negative || consecutive) {
        free(out->numbers);
        out->numbers = NULL;
    }
    return 0;
}

int list_marks_of(const writer_page *page, counted_items *counted, const outline *o, int32_t list, list_marks *out) {
    int32_t element = o->rows[list].at, items = 0;
    bool valued = false;
    *out = (list_marks){.start = -1};
    for (int32_t row = list + 1; row < o->rows[list].stop; row = o->rows[row].stop) items++;
    if (mark_tasks(page, o, list, items, out)) return -1;
    if (element < 0 || page->nodes.tag[element] != TAG_OL) return 0;
    attribute_value style = writer_attribute(page, element, WRITER_NAME_TYPE);
    if (style.length == 1 && style.bytes[0] && strchr("aAiI", style.bytes[0])) out->style = style.bytes[0];
    out->reversed = writer_attribute(page, element, WRITER_NAME_REVERSED).bytes != NULL;
    out->ordered = true;
    out->start = number_of(page, element, WRITER_NAME_START);
    if (page->names[WRITER_NAME_VALUE] >= 0)
        for (int32_t row = list + 1; row < o->rows[list].stop && !valued; row = o->rows[row].stop)
            valued = number_of(page, o->rows[row].at, WRITER_NAME_VALUE) >= 0;
    if (out->reversed || valued) {
        if (!count_items(page, counted, element, out->start, out->reversed ? -1 : 1)) return -1;
        return number_items(o, list, items, counted, out);
    }
    if (out->start < 0) out->start = 1;
    return 0;
}

void list_marks_free(list_marks *marks) {
    free(marks->numbers);
    free(marks->checked);
}

void counted_items_free(counted_items *counted) { free(counted->number); }
