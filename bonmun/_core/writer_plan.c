#include "writer_plan.h"

bool writer_plan_begin(writer_plan *plan) {
    if (plan->store.lines) return true;
    plan->store.page = plan->page;
    plan->store.input = &plan->input;
    plan->store.bases = &plan->bases;
    plan->store.lines = calloc((size_t)plan->input.count + 1, sizeof *plan->store.lines);
    return plan->store.lines && outline_build(plan->page, &plan->input, &plan->outline) == 0;
}

void writer_plan_free(writer_plan *plan) {
    outline_free(&plan->outline);
    free(plan->store.bytes.bytes);
    free(plan->store.scratch.bytes);
    free(plan->store.lines);
    free(plan->requests);
}

bool writer_plan_ask(writer_plan *plan, int32_t number) {
    if (plan->request_count == plan->request_room) {
        int32_t room = plan->request_room < 32 ? 32 : plan->request_room + plan->request_room / 2;
        int32_t *larger = room > plan->request_room ? realloc(plan->requests, (size_t)room * sizeof *larger) : NULL;
        if (!larger) return false;
        plan->requests = larger;
        plan->request_room = room;
    }
    plan->requests[plan->request_count++] = number;
    return true;
}

int32_t kind_of_box(const writer_plan *plan, int32_t row) {
    const outline_input *input = &plan->input;
    for (int32_t low = 0, high = input->box_count; low < high;) {
        int32_t middle = low + (high - low) / 2;
        if (input->box_rows[middle] == row) return plan->box_kinds[middle];
        if (input->box_rows[middle] < row) low = middle + 1;
        else high = middle;
    }
    return BOX_DETAILS;
}

bool is_given(const given_texts *given, int32_t place, const uint8_t **bytes, size_t *length) {
    int32_t at = given ? given_at(given, place) : -1;
    if (at < 0) return false;
    *bytes = given->bytes + given->starts[at];
    *length = (size_t)(given->starts[at + 1] - given->starts[at]);
    return true;
}
