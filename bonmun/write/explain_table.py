"""The verdict on every block as a table for the terminal."""

from typing import TYPE_CHECKING

from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.write.drawing import one_line
from bonmun.write.explain import first_words, reasons_line, score_text, sign

if TYPE_CHECKING:
    from rich.table import Table


def table(document: Document) -> "Table":
    """Return a table with one row per block, kept ones green and dropped ones dim, and a summary of the page.

    >>> import bonmun
    >>> table(bonmun.extract("<p>Tea is made of leaves, and of water that has just boiled.</p>")).row_count
    1
    """
    from rich.table import Table  # imported here: only the terminal needs it
    from rich.text import Text

    drawn = Table(
        title=Text(_headline(document)),
        caption=Text("\n".join(_remarks(document))) if _remarks(document) else None,
        title_justify="left",
        caption_justify="left",
        expand=True,
        box=None,
        padding=(0, 1, 0, 0),
    )
    drawn.add_column("")
    drawn.add_column("kind")
    drawn.add_column("score", justify="right")
    drawn.add_column("chars", justify="right")
    drawn.add_column("text", no_wrap=True, overflow="ellipsis", ratio=3)
    drawn.add_column("reasons", no_wrap=True, overflow="ellipsis", ratio=2)
    for block in document.all_blocks:
        drawn.add_row(*map(Text, _cells(block)), style="green" if block.keep else "dim")
    return drawn


def _cells(block: Block) -> tuple[str, ...]:
    kind = f"{block.kind} (hidden)" if block.hidden else str(block.kind)
    reasons = one_line(reasons_line(block))
    return sign(block), kind, score_text(block.score), f"{len(block.text):,}", first_words(block), reasons


def _headline(document: Document) -> str:
    kept, total = len(document.blocks), len(document.all_blocks)
    return (
        f"{document.status} · method {document.method} · confidence {score_text(document.confidence)}"
        f" · {kept:,} of {total:,} blocks kept"
    )


def _remarks(document: Document) -> list[str]:
    notes = [f"note: {one_line(str(note))}" for note in document.reasons]
    return notes + [f"warning: {one_line(warning)}" for warning in document.warnings]
