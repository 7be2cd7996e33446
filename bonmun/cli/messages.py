"""Messages for standard error: always one line."""

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.workers.failure import Failure


def failure_line(source: str, failure: "Failure") -> str:
    """Return the line for a source that failed; the message of a failed fetch already begins with its URL.

    >>> from bonmun.workers.failure import Failure
    >>> failure_line("a.html", Failure("NotAPage", "a PDF"))
    'a.html: NotAPage: a PDF'
    """
    message = failure.message.removeprefix(f"{source}: ")
    return one_line(": ".join(part for part in (source, failure.kind, message) if part))


def one_line(text: str) -> str:
    r"""Return untrusted text made safe for a terminal: no line breaks, control characters or lone surrogates.

    >>> one_line("caf\udce9\x1b[2J\n.html")
    'caf��[2J .html'
    """
    return "".join(char if _is_visible(char) else "\N{REPLACEMENT CHARACTER}" for char in " ".join(text.split()))


def _is_visible(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs"
