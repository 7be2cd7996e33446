"""How many requests of a client run at the same time."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from bonmun.serve.problems import Problem


class Slots:
    """Counts what runs, by client; a client of which nothing runs takes no memory. For one event loop.

    >>> slots = Slots()
    >>> with slots.held("me", 1, "requests"):
    ...     len(slots)
    1
    >>> len(slots)
    0
    """

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._taken)

    @contextmanager
    def held(self, client: str, limit: int, what: str) -> Iterator[None]:
        """Hold one of the client's slots; raise a problem (429) if it has none left."""
        if self._taken[client] >= limit:
            raise Problem(
                429, "too many at once", f"{limit} {what} of this client run already; wait for one to end",
                "urn:bonmun:problem:too-many-at-once", {"Retry-After": "1"},
            )  # fmt: skip
        self._taken[client] += 1
        try:
            yield
        finally:
            self._taken[client] -= 1
            if not self._taken[client]:
                del self._taken[client]
