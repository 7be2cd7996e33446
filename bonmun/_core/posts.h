/* Posts of threads by the names that forum software gives them; bonmun/methods/learned/posts.py is the twin. */
#ifndef BONMUN_POSTS_H
#define BONMUN_POSTS_H

#include "rules.h"

/* Words in classes and ids of elements that may be posts, each with a NUL at its end. */
typedef struct {
    const uint8_t *classes, *ids;
    size_t classes_length, ids_length;
} post_signs;

typedef struct {
    uint8_t *inside;   /* by block: visible, and in a post */
    uint8_t *repeated; /* by block: in a quotation of what stands in another post of the page */
    int32_t count;
    bool board; /* one of them is the post of a board, where everything else is comments and lists */
} thread_posts;

/* 1: there are posts; 0: no element is known as one; -1: no memory. */
int find_posts(const chosen_page *chosen, const post_signs *signs, thread_posts *posts);

#endif
