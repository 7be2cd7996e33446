"""The report in a terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table as RichTable

from bonmun.evaluate.tables import Table


def show(tables: Iterable[Table], console: Console) -> None:
    """Print tables, none wider than the terminal."""
    for table in tables:
        console.print(_drawn(table))
        for note in table.notes:
            console.print(note, style="dim")


def _drawn(table: Table) -> RichTable:
    drawn = RichTable(title=table.title, title_justify="left", title_style="bold", header_style="bold")
    for number, column in enumerate(table.columns):
        drawn.add_column(column, justify="left" if number in table.words else "right", overflow="fold")
    for row in table.rows:
        drawn.add_row(*row)
    return drawn
