/* The address of a picture among its attributes, sets and fallbacks; bonmun/model/pictures.py is the Python twin. */
#ifndef BONMUN_PICTURE_SOURCE_H
#define BONMUN_PICTURE_SOURCE_H

#include "writer_page.h"

typedef enum { SOURCE_NONE, SOURCE_ADDRESS, SOURCE_UNSURE } source_kind; /* unsure: the twin has to decide */

/* The address of an img or amp-img as its attribute has it, by the numbers of the attributes that writers read. NONE: for tracking
 * pixels, and placeholders that nothing replaces. */
source_kind picture_source(const node_view *nodes, const int32_t *names, int32_t row, attribute_value *source);

#endif
