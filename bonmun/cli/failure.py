"""What is said of a source that gave no document: always one line."""

import traceback
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a source failed, in a form that travels between processes."""

    kind: str
    """The name of the error's type."""
    message: str
    trace: str = ""

    @classmethod
    def of(cls, error: BaseException) -> "Failure":
        """Return the failure an exception stands for.

        >>> Failure.of(ValueError("no number")).line("a.html")
        'a.html: ValueError: no number'
        """
        public = next(kind.__name__ for kind in type(error).__mro__ if not kind.__name__.startswith("_"))
        return cls(public, str(error), "".join(traceback.format_exception(error)))

    def line(self, source: str) -> str:
        """Return the one line to show; the message of a failed fetch already begins with the source."""
        message = self.message.removeprefix(f"{source}: ")
        return one_line(": ".join(part for part in (source, self.kind, message) if part))


def one_line(text: str) -> str:
    r"""Return a stranger's text fit for a terminal: no line breaks, no control characters, no stray bytes.

    >>> one_line("caf\udce9\x1b[2J\n.html")
    'caf��[2J .html'
    """
    return "".join(char if _shows(char) else "\N{REPLACEMENT CHARACTER}" for char in " ".join(text.split()))


def _shows(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs"
