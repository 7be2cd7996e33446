"""Which source is due when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from threading import Lock


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often something runs.

    >>> Rhythm(every=900, jitter=60)
    Rhythm(every=900, jitter=60)
    """

    every: float | None = None
    """Seconds from one start to the next; `None` runs once."""
    jitter: float = 0.0
    """Seconds of random delay at most."""

    def after(self, started: float, random: Random) -> float | None:
        """Return the time of the run after one that started at a time; `None` if there is none."""
        return None if self.every is None else started + self.every + random.uniform(0.0, self.jitter)


class Timetable:
    """The next run of every source: all are due at the start. Thread-safe.

    A source that runs is not due again before it has finished; if it took longer than its interval, it is due at once.

    >>> times = Timetable({"feed": Rhythm(900), "files": Rhythm()}, now=0.0)
    >>> times.due(0.0)
    ['feed', 'files']
    >>> times.finished("feed"), times.finished("files"), times.due(899.0), times.due(900.0)
    (None, None, [], ['feed'])
    """

    def __init__(self, rhythms: Mapping[str, Rhythm], now: float, random: Random | None = None) -> None:
        self._rhythms = dict(rhythms)
        self._random = random or Random()
        self._next: dict[str, float | None] = dict.fromkeys(rhythms, now)
        self._running: set[str] = set()
        self._lock = Lock()

    def due(self, now: float) -> list[str]:
        """Return the sources that are due, and plan their next runs; `finished` has to follow for each."""
        with self._lock:
            due = [name for name, time in self._next.items() if _has_come(time, now) and name not in self._running]
            self._running |= set(due)
            for name in due:
                self._next[name] = self._rhythms[name].after(now, self._random)
            return due

    def finished(self, name: str) -> None:
        """Note the end of a run."""
        with self._lock:
            self._running.discard(name)

    def next_runs(self) -> dict[str, float | None]:
        """Return the time of every source's next run; `None` if there is none."""
        with self._lock:
            return dict(self._next)

    def running(self) -> list[str]:
        """Return the sources that run now."""
        with self._lock:
            return sorted(self._running)

    def wait(self, now: float, most: float = 60.0) -> float:
        """Return the seconds until a source that does not run is due, at most some."""
        with self._lock:
            waits = (time - now for name, time in self._next.items() if time is not None and name not in self._running)
            return max(0.0, min(most, min(waits, default=most)))

    @property
    def is_over(self) -> bool:
        """Whether nothing runs, and nothing will."""
        with self._lock:
            return not self._running and not any(time is not None for time in self._next.values())


def once(names: Iterable[str]) -> dict[str, Rhythm]:
    """Return rhythms that run every source once."""
    return dict.fromkeys(names, Rhythm())


def _has_come(time: float | None, now: float) -> bool:
    return time is not None and time <= now
