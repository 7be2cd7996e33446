"""Limits on the cost of one page."""

from dataclasses import dataclass, fields
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one page, beyond which it is refused or truncated.

    Beyond `bytes`, `nodes`, `blocks`, `output` or `seconds` the page is refused with `LimitExceeded`. Beyond `depth` or
    `attributes` it is truncated and the document has a warning: deeper tags and further attributes are ignored, their
    text is kept. Real pages stay below a depth of 60 and 100 attributes a tag; parsers need quadratic time far beyond
    that.

    >>> Limits(seconds=2).bytes
    20000000
    """

    bytes: int = 20_000_000
    """The size of the page; of a `str`, its size in UTF-8."""
    nodes: int = 500_000
    """Elements and texts; the largest of 3,717 pages of the development sets has 34,446."""
    blocks: int = 50_000
    """Paragraphs, headings, items, cells, lines; the largest of those pages has 4,075."""
    depth: int = 512
    attributes: int = 256
    """Attributes of one tag."""
    output: int = 200_000_000
    """Characters of one output."""
    seconds: float = 30.0
    """The time for reading and judging, and again for each output: a format, metadata, comments, chunks, keywords,
    summary."""

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))


def _check(name: str, value: object) -> None:
    """Raise an error for a limit that is not a number, or negative."""
    number = "a number" if name == "seconds" else "an integer"
    if isinstance(value, bool) or not isinstance(value, int | float if name == "seconds" else int):
        raise TypeError(f"Limits.{name} must be {number}, not {type(value).__name__}")
    if not value >= 0:  # NaN is not
        raise ValueError(f"Limits.{name} must be 0 or more, not {value}")


DEFAULT_LIMITS: Final = Limits()
