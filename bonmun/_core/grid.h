/* The rows of a table with every cell in its column, spans resolved; bonmun/write/grid.py is the Python twin. */
#ifndef BONMUN_GRID_H
#define BONMUN_GRID_H

#include "outline.h"

typedef struct {
    int32_t columns, rows; /* that it spans; only kept rows count */
    int32_t first, count;  /* its parts, rows of the outline: text beside a table's cells splits one */
    bool header;
} grid_cell;

typedef struct {
    grid_cell *cells;
    int32_t *places; /* line after line, by column: the cell; -1 in the columns that a cell from the left or from above spans */
    int32_t *starts; /* by line: its first place, and behind the last line the number of all places */
    int32_t *parts;
    int32_t *columns; /* the columns with content, in order */
    int32_t cell_count, cell_room, place_count, place_room, line_count, line_room, part_count, column_count;
} table_grid;

/* The grid of the table at a row of the outline; -1: no memory. Either way table_grid_free has to follow. */
int table_grid_of(const writer_page *page, const outline *o, int32_t table, table_grid *out);
void table_grid_free(table_grid *grid);

/* The leaves among some rows of the outline, in the order of the writers: of a table, those above its rows come first, those below
 * last. */
typedef struct {
    int32_t *rows;
    int32_t count, room;
} leaf_list;

int collect_leaves(const writer_page *page, const outline *o, int32_t first, int32_t stop, leaf_list *out); /* -1: no memory */

#endif
