"""Progress of long runs: the caller's progress bar, if it has one."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol


class Advance(Protocol):
    """Reports finished steps of a stage."""

    def __call__(self, count: int = 1, /) -> None:
        """Advance by some steps."""


Stage = Callable[[str, int], AbstractContextManager[Advance]]
"""Opens a stage of a run, given its title and number of steps."""
