/* Visible gaps between words that the markup does not spell out; bonmun/model/gaps.py is the Python twin. */
#ifndef BONMUN_GAPS_H
#define BONMUN_GAPS_H

#include "segment.h"

/* Whether adjacent texts are words of sibling elements. */
bool parted(const node_view *nodes, int32_t before, int32_t row);
/* Whether an element that is displayed as a block starts or ends between two consecutive texts of a heading. */
bool on_separate_lines(const node_view *nodes, const segment_rules *rules, int32_t before, int32_t row);

#endif
