"""How long work shows its progress: the types that the command line's progress bar fits."""

from contextlib import AbstractContextManager
from typing import Protocol


class Advance(Protocol):
    """Advances a progress bar."""

    def __call__(self, steps: int = 1) -> None:
        """Count so many steps as done."""


class Stage(Protocol):
    """Shows a progress bar for one stage of the work."""

    def __call__(self, title: str, total: int) -> AbstractContextManager[Advance]:
        """Return a context manager that yields the function to call after each step."""
