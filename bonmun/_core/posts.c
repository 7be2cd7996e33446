#include "posts.h"

#include <stdlib.h>
#include <string.h>

#include "attribute_rows.h"
#include "bytes.h"
#include "tags_table.h"
#include "whitespace.h"
#include "writer_page.h"

typedef struct {
    const char *name, *other;
} name_pair;

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *const known[] = {POST_CLASSES}, *const id_starts[] = {POST_ID_STARTS}, *const signatures[] = {POST_SIGNATURES};
static const name_pair inside_of[] = {POST_INSIDE}, containers[] = {POST_CONTAINERS};

typedef struct {
    const uint8_t *bytes;
    int32_t length;
} piece;

/* Rows in order. */
typedef struct {
    int32_t *row, count, room;
} row_list;

typedef struct {
    const feature_page *page;
    int32_t class, id;
    row_list posts, quotes;
    digests starts;
    bool failed;
} post_search;

static bool is_word(piece word, const char *lower) {
    if (word.length != (int32_t)strlen(lower)) return false;
    for (int32_t at = 0; at < word.length; at++)
        if (byte_lower(word.bytes[at]) != (uint8_t)lower[at]) return false;
    return true;
}

static bool is_any(piece word, const char *const *words, int count) {
    for (int at = 0; at < count; at++)
        if (is_word(word, words[at])) return true;
    return false;
}

static bool starts(piece text, const char *with, size_t length) {
    return (size_t)text.length >= length && !memcmp(text.bytes, with, length);
}

static bool starts_lower(piece text, const char *lower, size_t length) {
    return (size_t)text.length >= length && is_word((piece){text.bytes, (int32_t)length}, lower);
}

static int32_t digits_at(piece text, int32_t at) {
    int32_t stop = at;
    while (stop < text.length && byte_is(text.bytes[stop], DIGIT)) stop++;
    return stop - at;
}

static piece value_of(const post_search *s, int32_t row, int32_t attribute) {
    attribute_value value = attribute_of(&s->page->nodes, row, attribute);
    return (piece){value.bytes, value.length < POST_MOST_NAMES ? value.length : POST_MOST_NAMES};
}

static bool next_word(piece classes, int32_t *at, piece *word) {
    word->bytes = word_from(classes.bytes, classes.length, at);
    if (word->bytes) word->length = (int32_t)(classes.bytes + *at - word->bytes);
    return word->bytes != NULL;
}

static bool has_class(const post_search *s, int32_t row, const char *lower) {
    piece classes = value_of(s, row, s->class), word;
    for (int32_t at = 0; next_word(classes, &at, &word);)
        if (is_word(word, lower)) return true;
    return false;
}

static bool is_id_of_post(piece id) {
    static const char stop[] = POST_ID_STOP;
    int32_t tail = id.length - (int32_t)(sizeof stop - 1);
    for (int at = 0; at < COUNT(id_starts); at++) {
        int32_t length = (int32_t)strlen(id_starts[at]), digits;
        if (!starts(id, id_starts[at], (size_t)length)) continue;
        digits = digits_at(id, length);
        if (digits && length + digits == id.length) return true;
    }
    return tail >= 3 && (starts(id, "t1_", 3) || starts(id, "t3_", 3)) && !memcmp(id.bytes + tail, stop, sizeof stop - 1);
}

static bool is_class_of_board(piece word) {
    static const char start[] = POST_BOARD_START;
    const int32_t length = (int32_t)(sizeof start - 1);
    if (is_word(word, POST_BOARD_CLASS)) return true;
    if (!starts_lower(word, start, sizeof start - 1)) return false;
    int32_t first = digits_at(word, length), second = length + first + 1;
    if (!first || second >= word.length || word.bytes[second - 1] != '_') return false;
    return second + digits_at(word, second) == word.length;
}

/* Whether an element near around a row has a name as class or id. */
static bool is_near(const post_search *s, int32_t row, const char *lower) {
    for (int level = 0; level < POST_NEAR; level++) {
        row = s->page->nodes.parent[row];
        if (row < 0) return false;
        if (has_class(s, row, lower) || is_word(value_of(s, row, s->id), lower)) return true;
    }
    return false;
}

/* What the names of an element say; `container`: by index, the containers that it is. */
typedef struct {
    bool post, board, container[COUNT(containers)];
} named_kind;

static named_kind kind_of(const post_search *s, int32_t row) {
    named_kind kind = {0};
    piece id = value_of(s, row, s->id), classes = value_of(s, row, s->class), word;
    const size_t board_id = sizeof POST_BOARD_ID - 1;
    kind.board = id.length == (int32_t)board_id && starts(id, POST_BOARD_ID, board_id);
    kind.post = is_id_of_post(id);
    for (int32_t at = 0; next_word(classes, &at, &word);) {
        kind.post |= is_any(word, known, COUNT(known));
        kind.board |= is_class_of_board(word);
        for (int pair = 0; pair < COUNT(containers); pair++) kind.container[pair] |= is_word(word, containers[pair].name);
        for (int pair = 0; pair < COUNT(inside_of) && !kind.post; pair++)
            kind.post = is_word(word, inside_of[pair].name) && is_near(s, row, inside_of[pair].other);
    }
    kind.post |= kind.board;
    return kind;
}

static void add(post_search *s, row_list *list, int32_t row) {
    if (list->count == list->room) {
        int32_t room = 2 * list->room + 16;
        int32_t *rows = realloc(list->row, (size_t)room * sizeof *rows);
        if (!rows) {
            s->failed = true;
            return;
        }
        list->row = rows;
        list->room = room;
    }
    list->row[list->count++] = row;
}

/* Add the posts in an element that holds more than posts; false: there are none. */
static bool add_inside(post_search *s, int32_t container, const named_kind *kind) {
    const node_view *nodes = &s->page->nodes;
    int32_t before = s->posts.count, tag = nodes->tag[container];
    for (int32_t row = container + 1, next; row < nodes->end[container]; row = next) {
        bool is_post = false;
        next = row + 1;
        if (nodes->tag[row] == TAG_TEXT) continue;
        for (int pair = 0; pair < COUNT(containers); pair++)
            is_post |= kind->container[pair] && has_class(s, row, containers[pair].other);
        if (!is_post) continue;
        add(s, &s->posts, row);
        next = nodes->end[row];
    }
    if (s->posts.count > before) return true;
    for (int pair = 0; pair < COUNT(containers); pair++)
        if (kind->container[pair] && !strcmp(containers[pair].name, POST_OLD_CONTAINER) && (tag == TAG_SPAN || tag == TAG_TD)) {
            add(s, &s->posts, container);
            return true;
        }
    return false;
}

/* The outermost posts among some rows, and those in containers among them. */
static void find_rows(post_search *s, const row_list *by_class, const row_list *by_id) {
    const node_view *nodes = &s->page->nodes;
    int32_t end = 0, searched = 0; /* the end of the last post or container of posts; of the last container */
    for (int32_t first = 0, second = 0, row; first < by_class->count || second < by_id->count;) {
        if (second == by_id->count || (first < by_class->count && by_class->row[first] <= by_id->row[second])) {
            row = by_class->row[first++];
            second += second < by_id->count && by_id->row[second] == row;
        } else row = by_id->row[second++];
        if (row < end) continue;
        named_kind kind = kind_of(s, row);
        if (kind.post) {
            add(s, &s->posts, row);
            end = nodes->end[row];
        } else if (row >= searched && (kind.container[0] || kind.container[1])) {
            searched = nodes->end[row];
            if (add_inside(s, row, &kind)) end = nodes->end[row];
        }
    }
}
_Static_assert(COUNT(containers) == 2, "find_rows asks for all containers");

/* The rows whose attribute has one of the words; none where memory ran out. */
static row_list rows_with(post_search *s, int32_t attribute, const uint8_t *words, size_t length) {
    const node_view *nodes = &s->page->nodes;
    row_list list = {0};
    if (attribute < 0) return list;
    list.row = attribute_rows(nodes, 0, nodes->rows, attribute, words, length, &list.count);
    s->failed |= list.count < 0;
    if (list.count < 0) list.count = 0;
    return list;
}

static int32_t first_block(const post_search *s, int32_t row) {
    int32_t start = 0, count = s->page->count;
    while (start < count) {
        int32_t middle = start + (count - start) / 2;
        if (s->page->first[middle] < row) start = middle + 1;
        else count = middle;
    }
    return start;
}

typedef struct {
    int32_t start, stop;
} block_range;

static block_range blocks_in(const post_search *s, int32_t row) {
    return (block_range){first_block(s, row), first_block(s, s->page->nodes.end[row])};
}

static void put_blocks(uint8_t *of_block, block_range range, int value) {
    if (range.stop > range.start) memset(of_block + range.start, value, (size_t)(range.stop - range.start));
}

static void mark_blocks(const post_search *s, thread_posts *posts) {
    for (int32_t at = 0; at < s->posts.count; at++) {
        block_range own = blocks_in(s, s->posts.row[at]);
        for (int32_t block = own.start; block < own.stop; block++) posts->inside[block] = !s->page->flags[block];
    }
}

static void leave_signatures(post_search *s, thread_posts *posts) {
    static const uint8_t word[] = POST_SIGNATURE;
    row_list rows = rows_with(s, s->class, word, sizeof word);
    for (int32_t at = 0; at < rows.count; at++) {
        bool is_signature = false;
        for (int name = 0; name < COUNT(signatures); name++) is_signature |= has_class(s, rows.row[at], signatures[name]);
        if (is_signature) put_blocks(posts->inside, blocks_in(s, rows.row[at]), 0);
    }
    free(rows.row);
}

/* The outermost quotations in posts. */
static void find_quotes(post_search *s) {
    static const uint8_t word[] = POST_QUOTE;
    const node_view *nodes = &s->page->nodes;
    row_list named = rows_with(s, s->class, word, sizeof word);
    for (int32_t at = 0, next = 0; at < s->posts.count; at++) {
        int32_t row = s->posts.row[at] + 1, stop = nodes->end[s->posts.row[at]];
        while (row < stop) {
            while (next < named.count && named.row[next] < row) next++;
            bool is_quote = nodes->tag[row] == TAG_BLOCKQUOTE || (next < named.count && named.row[next] == row);
            if (is_quote) add(s, &s->quotes, row);
            row = is_quote && nodes->end[row] > row ? nodes->end[row] : row + 1;
        }
    }
    free(named.row);
}

static uint64_t start_of(const post_search *s, int32_t block, int32_t *length) {
    int32_t start = s->page->text_start[block], rest = s->page->text_length - start;
    *length = s->page->text_stop[block] - start;
    if (*length > POST_START_BYTES) *length = POST_START_BYTES;
    return digest_bytes(s->page->text + start, *length, rest, false);
}

/* The number of a block's start; -1: it has no text. There is room for it. */
static int32_t number_of(post_search *s, int32_t block) {
    int32_t length;
    uint64_t digest = start_of(s, block, &length);
    return length ? digests_place(&s->starts, digest) : -1;
}

static void mark_quotes(post_search *s, const thread_posts *posts) {
    const feature_page *page = s->page;
    uint8_t *repeated = posts->repeated;
    for (int32_t at = 0; at < s->quotes.count; at++) put_blocks(repeated, blocks_in(s, s->quotes.row[at]), 1);
    for (int32_t block = 0; block < page->count; block++)
        if (posts->inside[block] && !repeated[block]) number_of(s, block);
    int32_t known_starts = s->starts.count;
    for (int32_t at = 0; at < s->quotes.count; at++) {
        block_range quote = blocks_in(s, s->quotes.row[at]);
        int32_t longest = quote.start;
        if (quote.start == quote.stop) continue;
        for (int32_t block = quote.start; block < quote.stop; block++)
            if (page->chars[block] > page->chars[longest]) longest = block;
        int32_t number = number_of(s, longest);
        if (number < 0 || number >= known_starts) put_blocks(repeated, quote, 0);
    }
}

int find_posts(const chosen_page *chosen, const post_signs *signs, thread_posts *posts) {
    const feature_page *page = chosen->page;
    post_search s = {.page = page, .class = chosen->class, .id = chosen->id};
    row_list by_class = rows_with(&s, s.class, signs->classes, signs->classes_length);
    row_list by_id = rows_with(&s, s.id, signs->ids, signs->ids_length);
    memset(posts->inside, 0, (size_t)page->count);
    memset(posts->repeated, 0, (size_t)page->count);
    find_rows(&s, &by_class, &by_id);
    free(by_class.row);
    free(by_id.row);
    mark_blocks(&s, posts);
    if (s.posts.count) leave_signatures(&s, posts);
    bool found = page->count && memchr(posts->inside, 1, (size_t)page->count);
    if (found) find_quotes(&s);
    if (s.quotes.count && !s.failed) {
        s.failed = digests_init(&s.starts, page->count + s.quotes.count + 1) != 0;
        if (!s.failed) mark_quotes(&s, posts);
        if (!s.failed) digests_free(&s.starts);
    }
    posts->count = s.posts.count;
    posts->board = false;
    for (int32_t at = 0; at < s.posts.count && !posts->board; at++) posts->board = kind_of(&s, s.posts.row[at]).board;
    free(s.posts.row);
    free(s.quotes.row);
    return s.failed ? -1 : found;
}
