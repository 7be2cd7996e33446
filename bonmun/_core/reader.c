/* The reader as a single translation unit: the compiler inlines across its files, on any toolchain.
 *
 * Measured with gcc 12 -O3: CPU time per page (200 pages of wcxb_dev), and instructions (60 of them, callgrind):
 *   single unit      167 µs
 *   separate files   170 µs, 2.5 % more instructions
 *   with -flto       173 µs, 3.7 % more instructions
 * In separate files READER_LOCAL (compiler.h) cannot make the hot functions static, and LTO inlines other ones. */
#define BONMUN_READER

#include "bytes.c"
#include "chars.c"
#include "columns.c"
#include "comment.c"
#include "decode.c"
#include "doctype.c"
#include "entities.c"
#include "flags.c"
#include "formatting.c"
#include "hints.c"
#include "links.c"
#include "names.c"
#include "order.c"
#include "rawtext.c"
#include "reference.c"
#include "scope.c"
#include "span.c"
#include "stack.c"
#include "tag.c"
#include "tokenizer.c"
#include "tree.c"
#include "tree_body.c"
#include "tree_foreign.c"
#include "tree_head.c"
#include "tree_node.c"
#include "tree_rest.c"
#include "tree_table.c"
