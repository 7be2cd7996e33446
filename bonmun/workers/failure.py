"""An error as a value that travels between processes."""

from dataclasses import dataclass, field
from traceback import format_exception

from bonmun.errors import WorkerError


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an item has no result.

    >>> failure = Failure.of(ValueError("no number"))
    >>> failure.kind, failure.message
    ('ValueError', 'no number')
    """

    kind: str
    """The name of the error's type."""
    message: str
    traceback: str = ""
    error: Exception | None = field(default=None, compare=False, repr=False)
    """The error itself; None if it cannot be pickled."""

    @classmethod
    def of(cls, error: Exception) -> "Failure":
        """Return the failure for an exception."""
        public = next(kind.__name__ for kind in type(error).__mro__ if not kind.__name__.startswith("_"))
        return cls(public, str(error), "".join(format_exception(error)), error)

    def exception(self) -> Exception:
        """Return the error to raise: the original, or a `WorkerError` that names it.

        >>> Failure("TeaError", "too hot").exception()
        WorkerError('TeaError: too hot')
        """
        return self.error or WorkerError(f"{self.kind}: {self.message}")
