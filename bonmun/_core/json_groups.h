/* The groups around each block for JSON; bonmun/write/json_groups.py is the Python twin. */
#ifndef BONMUN_JSON_GROUPS_H
#define BONMUN_JSON_GROUPS_H

#include "writer_plan.h"

/* By block, in the order of the output. */
typedef struct {
    int32_t *places; /* among those shown */
    uint8_t *continues;
    int64_t *stops;  /* of its fields in `texts` */
    output_buffer texts; /* `within` and `after_rule`, each behind a comma */
    int32_t count;
} json_groups;

/* PLAN_WRITTEN or PLAN_NO_MEMORY. Either way json_groups_free has to follow. */
plan_result json_groups_of(writer_plan *plan, json_groups *out);
void json_groups_free(json_groups *groups);

#endif
