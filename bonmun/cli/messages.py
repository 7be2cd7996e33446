"""Messages for standard error: always one line."""

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.workers.failure import Failure

_USER = re.compile(r"(://)[^/?#\s]*@")
"""Name and password in a URL."""


def failure_line(source: str, failure: "Failure") -> str:
    """Return the line for a source that failed; the message of a failed fetch already begins with its URL.

    >>> from bonmun.workers.failure import Failure
    >>> failure_line("a.html", Failure("NotAPage", "a PDF"))
    'a.html: NotAPage: a PDF'
    """
    message = failure.message.removeprefix(f"{source}: ")
    return one_line(": ".join(part for part in (source, failure.kind, message) if part))


def one_line(text: str) -> str:
    r"""Return untrusted text made safe for a terminal: no line breaks, control characters, lone surrogates, passwords.

    >>> one_line("caf\udce9\x1b[2J\n.html"), one_line("https://me:secret@example.org/")
    ('caf��[2J .html', 'https://…@example.org/')
    """
    shown = _USER.sub(r"\1…@", " ".join(text.split()))
    return "".join(char if _is_visible(char) else "\N{REPLACEMENT CHARACTER}" for char in shown)


def _is_visible(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs"
