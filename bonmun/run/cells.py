"""Text in the cells of a terminal: safe to print, cut to a width."""

import re
import unicodedata

_USER = re.compile(r'(://)[^/?#\s@"]*@')
"""Name and password in a URL."""


def plain(text: str) -> str:
    r"""Return untrusted text as one printable line, without passwords.

    >>> plain("Tea\n\x1b[2Jtime"), plain("https://me:secret@example.org/")
    ('Tea �[2Jtime', 'https://…@example.org/')
    """
    shown = without_passwords(" ".join(text.split()))
    return "".join(char if _is_printable(char) else "\N{REPLACEMENT CHARACTER}" for char in shown)


def without_passwords(text: str) -> str:
    """Return text with name and password removed from its URLs.

    >>> without_passwords("see https://me:secret@example.org/")
    'see https://…@example.org/'
    """
    return _USER.sub(r"\1…@", text)


def cut(text: str, width: int) -> str:
    """Return text cut to a number of cells; a Korean, Chinese or Japanese character takes two.

    >>> cut("a long title", 6), cut("등대지기가 돌아왔다", 7), cut("tea", 3)
    ('a lon…', '등대지…', 'tea')
    """
    from rich.cells import cell_len, set_cell_size

    text = plain(text[: 8 * max(0, width) + 80])
    if cell_len(text) <= width:
        return text
    return f"{set_cell_size(text, width - 1).rstrip()}…" if width > 0 else ""


def fill(text: str, width: int, *, right: bool = False) -> str:
    """Return text cut and padded to exactly a number of cells.

    >>> fill("등대지기", 5) + "|", fill("12", 4, right=True)
    ('등대…|', '  12')
    """
    from rich.cells import cell_len

    text = cut(text, width)
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def _is_printable(char: str) -> bool:
    """Whether a character shows as itself; those that change the direction of what follows do not."""
    return char.isprintable() and unicodedata.bidirectional(char) not in _OVERRIDES


_OVERRIDES = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
