"""Long answers in parts. A part always says where it ends and how to get the next one."""

from dataclasses import dataclass

LEAST, DEFAULT, MOST = 1_000, 20_000, 100_000
"""Bounds of the characters of one answer; 20,000 are some 5,000 tokens of English."""
_SLACK = 5
"""A part may end early at the end of a paragraph or line: within its last fifth."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a text.

    >>> window = Window.of("Tea is made of leaves.\\n\\nAnd of hot water.", offset=0, size=25)
    >>> window.text, window.next_offset
    ('Tea is made of leaves.\\n\\n', 24)
    >>> print(window.note)
    [Characters 0 to 24 of 41. The rest: call again with offset=24.]
    """

    text: str
    offset: int
    total: int

    @classmethod
    def of(cls, text: str, offset: int, size: int) -> "Window":
        """Return the part of a text from `offset` on: at most `size` characters, up to the end of a paragraph."""
        offset = min(max(offset, 0), len(text))
        part = text[offset : offset + size]
        if offset + len(part) < len(text):
            earliest = size - size // _SLACK
            for mark in ("\n\n", "\n", " "):
                end = part.rfind(mark, earliest)
                if end >= 0:
                    part = part[: end + len(mark)]
                    break
        return cls(part, offset, len(text))

    @property
    def next_offset(self) -> int | None:
        """Where the next part starts; `None` at the end."""
        end = self.offset + len(self.text)
        return end if end < self.total else None

    @property
    def note(self) -> str:
        """A line on what the part leaves out; empty for a whole text."""
        if self.offset == 0 and self.next_offset is None:
            return ""
        end = self.offset + len(self.text)
        further = f" The rest: call again with offset={end}." if end < self.total else " This is the end."
        return f"[Characters {self.offset:,} to {end:,} of {self.total:,}.{further}]"

    @property
    def facts(self) -> dict[str, int | None]:
        """The same for programs."""
        return {"offset": self.offset, "total_characters": self.total, "next_offset": self.next_offset}
