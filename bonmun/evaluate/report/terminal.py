"""The report in a terminal."""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from bonmun.evaluate.tables import ReportTable


def show(tables: Iterable[ReportTable], console: Console) -> None:
    """Print tables, none wider than the terminal."""
    for table in tables:
        left_out = _spared(table, console.width)
        console.print(_drawn(table, left_out))
        if left_out:
            names = ", ".join(table.columns[number] for number in left_out)
            console.print(f"Not shown in so narrow a terminal: {names}.", style="dim")
        for note in table.notes:
            console.print(note, style="dim")


def _spared(table: ReportTable, width: int) -> list[int]:
    """Return the columns that are left out, so that the others fit: as few as possible of those that can be spared."""
    lines = [table.columns, *table.rows]
    wide = [max(cell_len(line[number]) for line in lines) + 3 for number in range(len(table.columns))]
    left_out: list[int] = []
    for number in table.spare:
        if sum(wide) + 1 <= width:
            break
        wide[number] = 0
        left_out.append(number)
    return left_out


def _drawn(table: ReportTable, left_out: list[int]) -> Table:
    drawn = Table(title=table.title, title_justify="left", title_style="bold", header_style="bold")
    shown = [number for number in range(len(table.columns)) if number not in left_out]
    for number in shown:
        side = "left" if number in table.words else "right"
        drawn.add_column(table.columns[number], justify=side, overflow="fold", no_wrap=number == 0)  # type: ignore[arg-type]
    for row in table.rows:
        drawn.add_row(*(row[number] for number in shown))
    return drawn
