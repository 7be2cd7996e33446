"""Counts of a run, for the screen and the final report."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

STAGES = ("fetched", "parsed", "analysed", "failed")
"""What a page has come to, in order; a page counts once in each."""
_LAST = 50
"""The number of titles and errors that are kept."""
_WINDOW = 60
"""Rates are of this many seconds."""


@dataclass(frozen=True, slots=True)
class Line:
    """A title or an error: when, of which host, what."""

    time: float
    host: str
    text: str


@dataclass(frozen=True, slots=True)
class HostCounts:
    """The counts of one host."""

    host: str
    counts: dict[str, int]
    note: str = ""
    """The state of its templates: `learned`, `stale` …"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All counts at one moment."""

    time: float
    started: float
    counts: dict[str, int]
    rates: dict[str, float]
    """Pages per second of the last minute."""
    saved: dict[str, int]
    """Pages by the store's outcome."""
    hosts: Sequence[HostCounts]
    """Those with most pages first."""
    titles: Sequence[Line]
    """The last first."""
    errors: Sequence[Line]
    host_count: int = 0
    """The number of all hosts."""
    waiting: int = 0
    """Requests in the queue of the store."""
    next_runs: Sequence[tuple[str, float | None]] = ()
    """Each source with the seconds until its next run; `None` while it runs, or if there is no next run."""
    running: Sequence[str] = ()
    """The sources that are read now."""
    stopping: bool = False
    """Whether a signal has come, and the last pages are stored."""


@dataclass
class _Host:
    counts: Counter[str] = field(default_factory=Counter)
    last: float = 0.0
    note: str = ""


class Tally:
    """Counts pages by stage and host. Thread-safe, of bounded size.

    >>> tally = Tally(clock=lambda: 5.0)
    >>> tally.count("fetched", "example.org"), tally.title("example.org", "Tea")
    (None, None)
    >>> now = tally.snapshot()
    >>> now.counts["fetched"], now.hosts[0].host, now.titles[0].text
    (1, 'example.org', 'Tea')
    """

    def __init__(self, clock: Callable[[], float] = monotonic, most_hosts: int = 10_000) -> None:
        self._clock, self._most_hosts = clock, most_hosts
        self.started = clock()
        self._counts: Counter[str] = Counter()
        self._saved: Counter[str] = Counter()
        self._hosts: dict[str, _Host] = {}
        self._recent = {stage: deque[list[float]]() for stage in STAGES}
        self._titles: deque[Line] = deque(maxlen=_LAST)
        self._errors: deque[Line] = deque(maxlen=_LAST)
        self._lock = Lock()

    def count(self, stage: str, host: str) -> None:
        """Count a page that has come to a stage."""
        now = self._clock()
        with self._lock:
            self._counts[stage] += 1
            of_host = self._host(host, now)
            of_host.counts[stage] += 1
            second, recent = float(int(now)), self._recent[stage]
            if recent and recent[-1][0] == second:
                recent[-1][1] += 1
            else:
                recent.append([second, 1])
            while recent[0][0] <= now - _WINDOW:
                recent.popleft()

    def saved(self, outcome: str) -> None:
        """Count what the store did with a page."""
        with self._lock:
            self._saved[outcome] += 1

    def title(self, host: str, text: str) -> None:
        """Note the title of a page."""
        with self._lock:
            self._titles.appendleft(Line(self._clock(), host, text))

    def error(self, host: str, text: str) -> None:
        """Note an error."""
        with self._lock:
            self._errors.appendleft(Line(self._clock(), host, text))

    def note(self, host: str, text: str) -> None:
        """Note the state of a host's templates."""
        now = self._clock()
        with self._lock:
            self._host(host, now).note = text

    def snapshot(self, most_hosts: int = 100) -> Snapshot:
        """Return the counts of this moment."""
        now = self._clock()
        with self._lock:
            span = max(1.0, min(_WINDOW, now - self.started))
            rates = {
                stage: sum(count for second, count in recent if second > now - _WINDOW) / span
                for stage, recent in self._recent.items()
            }
            hosts = sorted(self._hosts.items(), key=lambda pair: (-pair[1].counts.total(), pair[0]))[:most_hosts]
            return Snapshot(
                now,
                self.started,
                {stage: self._counts[stage] for stage in STAGES},
                rates,
                dict(self._saved),
                [HostCounts(name, dict(host.counts), host.note) for name, host in hosts],
                list(self._titles),
                list(self._errors),
                len(self._hosts),
            )

    def _host(self, name: str, now: float) -> _Host:
        """Return the counts of a host; the longest inactive one makes room."""
        if name not in self._hosts and len(self._hosts) >= self._most_hosts:
            del self._hosts[min(self._hosts, key=lambda host: self._hosts[host].last)]
        host = self._hosts.setdefault(name, _Host())
        host.last = now
        return host
