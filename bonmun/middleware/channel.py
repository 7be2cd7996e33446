"""A bounded queue between two threads that can be closed from either side."""

import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Channel(Generic[T]):
    """A bounded first-in-first-out queue: a full one blocks its producers, which is the back-pressure.

    >>> channel = Channel[str](2)
    >>> channel.put("tea"), channel.get()
    (True, 'tea')
    >>> channel.close()
    >>> channel.put("late"), channel.get()
    (False, None)
    """

    def __init__(self, size: int) -> None:
        # Re-entrant: a signal handler may close or wake a channel that its own thread is using.
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._items: deque[T] = deque()
        self._size = max(1, size)
        self._closed = False
        self._woken = False

    def put(self, item: T) -> bool:
        """Add an item, waiting for room; `False` if the channel is closed."""
        with self._lock:
            self._changed.wait_for(lambda: self._closed or len(self._items) < self._size)
            if self._closed:
                return False
            self._items.append(item)
            self._changed.notify_all()
            return True

    def get(self, timeout: float | None = None) -> T | None:
        """Return the next item; `None` after `wake`, at the timeout, and once the channel is closed and empty."""
        with self._lock:
            self._changed.wait_for(self._has_news, timeout)
            self._woken = False
            if not self._items:
                return None
            item = self._items.popleft()
            self._changed.notify_all()
            return item

    def wake(self) -> None:
        """Let a waiting `get` return `None` if there is no item."""
        with self._lock:
            self._woken = True
            self._changed.notify_all()

    def close(self, *, discard: bool = False) -> None:
        """Refuse further items, and drop those inside on request."""
        with self._lock:
            self._closed = True
            if discard:
                self._items.clear()
            self._changed.notify_all()

    @property
    def is_empty(self) -> bool:
        """Whether no item waits."""
        return not self._items

    def _has_news(self) -> bool:
        return bool(self._items) or self._closed or self._woken


Call = Callable[[], None]
"""What travels in the inbox of a container: a call for its consumer's thread to make."""
