"""The report in a terminal."""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from bonmun.evaluate.tables import ReportTable


def show(tables: Iterable[ReportTable], console: Console) -> None:
    """Print tables, dropping columns where the terminal is too narrow."""
    for table in tables:
        left_out = _left_out(table, console.width)
        console.print(_rich_table(table, left_out))
        if left_out:
            names = ", ".join(table.columns[number] for number in left_out)
            console.print(f"Columns left out for lack of width: {names}.", style="dim")
        for note in table.notes:
            console.print(note, style="dim")


def _left_out(table: ReportTable, width: int) -> list[int]:
    """Return the fewest columns of `table.spare` to drop so that the others fit."""
    lines = [table.columns, *table.rows]
    widths = [max(cell_len(line[number]) for line in lines) + 3 for number in range(len(table.columns))]
    left_out: list[int] = []
    for number in table.spare:
        if sum(widths) + 1 <= width:
            break
        widths[number] = 0
        left_out.append(number)
    return left_out


def _rich_table(table: ReportTable, left_out: list[int]) -> Table:
    rich_table = Table(title=table.title, title_justify="left", title_style="bold", header_style="bold")
    shown = [number for number in range(len(table.columns)) if number not in left_out]
    for number in shown:
        side = "left" if number in table.words else "right"
        rich_table.add_column(table.columns[number], justify=side, overflow="fold", no_wrap=number == 0)  # type: ignore[arg-type]
    for row in table.rows:
        rich_table.add_row(*(row[number] for number in shown))
    return rich_table
