/* Blocks as plain text; bonmun/write/text.py is the Python twin. */
#ifndef BONMUN_WRITE_TEXT_H
#define BONMUN_WRITE_TEXT_H

#include "outline.h"
#include "output_buffer.h"

/* Texts that Python gives for some of the blocks shown, such as those that were kept in part. */
typedef struct {
    const int32_t *places; /* among the blocks shown, in order */
    const int32_t *starts; /* in the bytes, and behind the last text its end */
    const uint8_t *bytes;
    int32_t count;
} given_texts;

/* The place of a text among those given; -1: it is not. */
int32_t given_at(const given_texts *given, int32_t place);

int write_text(const writer_page *page, const outline_input *input, const given_texts *given, output_buffer *out); /* -1: no memory */

#endif
