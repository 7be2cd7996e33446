"""Whose turn it is: jobs in a queue per host, and a heap of the times at which hosts are ready.

A host that is slow or has to be left alone delays its own jobs only: no thread waits for a host's turn, it takes a job
of a host that is ready. All batches of a manager share the hosts' turns; each has its own queues.
"""

import heapq
import threading
import time
from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import Generic, Protocol, TypeVar

_MAX_HOSTS = 10_000


class Job(Protocol):
    """What waits for a turn of a host."""

    def abort(self) -> None:
        """End it soon; called from another thread."""
        ...


J = TypeVar("J", bound=Job)
R = TypeVar("R")


class _Host:
    def __init__(self, per_host: int, delay: float) -> None:
        self.lanes = list(range(per_host))
        self.delay, self.next_at = delay, 0.0
        self.parked: list[_Parked] = []


class _Parked(Protocol):
    def host_is_free(self, name: str, at: float) -> None: ...


class Turns:
    """The turns of all hosts: how many requests at a time, and the pause between them."""

    def __init__(self, per_host: int, delay: float) -> None:
        self._per_host, self._delay = per_host, delay
        self._hosts: dict[str, _Host] = {}
        self._forget_at = _MAX_HOSTS
        self.lock = threading.RLock()

    def host(self, name: str) -> _Host:
        """The state of a host; the lock is held."""
        if name not in self._hosts:
            if len(self._hosts) >= self._forget_at:
                now = time.monotonic()
                self._hosts = {key: one for key, one in self._hosts.items() if self._in_use(one, now)}
                self._forget_at = max(_MAX_HOSTS, 2 * len(self._hosts))
            self._hosts[name] = _Host(self._per_host, self._delay)
        return self._hosts[name]

    def _in_use(self, host: _Host, now: float) -> bool:
        return host.next_at > now or len(host.lanes) < self._per_host

    def slow_down(self, name: str, delay: float) -> None:
        """Pause at least this long between requests to a host."""
        with self.lock:
            self.host(name).delay = max(self._delay, delay)

    def leave_alone(self, name: str, seconds: float) -> None:
        """Send nothing to a host for a while."""
        with self.lock:
            host = self.host(name)
            host.next_at = max(host.next_at, time.monotonic() + seconds)


@dataclass(frozen=True, slots=True)
class Turn(Generic[J]):
    """A job whose turn it is, the lane it may use, and the host's ready time before and after it was taken."""

    job: J
    number: int
    host: str
    lane: int
    before: float
    after: float


class Batch(Generic[J, R]):
    """Jobs on their way to results: bounded queues, taken by any number of threads."""

    def __init__(self, turns: Turns, ahead: int, finished: int) -> None:
        self._turns, self._ahead, self._finished = turns, ahead, finished
        self._work, self._room, self._done = (threading.Condition(turns.lock) for _ in range(3))
        self._queues: dict[str, list[tuple[float, int, J]]] = {}
        self._heap: list[tuple[float, int, str]] = []
        self._due: dict[str, float] = {}
        self._numbers = count()
        self._results: deque[R] = deque()
        self._active: list[J] = []
        self._queued = 0
        self._ended = False
        self.stopped = False

    def put(self, job: J, host: str) -> bool:
        """Add a job; wait while too many are queued. False if the batch was stopped."""
        with self._turns.lock:
            while self._queued >= self._ahead and not self.stopped:
                self._room.wait()
            if not self.stopped:
                self._enqueue(job, host, 0.0, next(self._numbers))
            return not self.stopped

    def end(self) -> None:
        """No job will be added."""
        with self._turns.lock:
            self._ended = True
            self._notify_if_drained()

    def stop(self) -> None:
        """Forget what is queued and abort what is under way."""
        with self._turns.lock:
            self.stopped = True
            for condition in (self._work, self._room, self._done):
                condition.notify_all()
            active = list(self._active)
        for job in active:
            job.abort()

    def take(self) -> Turn[J] | None:
        """Wait for a job whose turn it is; `None` if there will be none."""
        with self._turns.lock:
            while not self.stopped and not self._drained():
                turn, wait = self._ready(time.monotonic())
                if turn is not None:
                    self._active.append(turn.job)
                    self._work.notify()  # another thread waits for the next ready time
                    return turn
                self._work.wait(wait)
        return None

    def again(self, turn: Turn[J], host: str, at: float, used: bool) -> None:
        """Put a job back, for a turn of a host at a later time; it stays before younger ones."""
        with self._turns.lock:
            self._release(turn, used)
            self._enqueue(turn.job, host, at, turn.number)

    def finish(self, turn: Turn[J], result: R | None, used: bool) -> None:
        """Deliver a job's result, if it has one."""
        with self._turns.lock:
            self._release(turn, used)
            if result is not None:
                self._results.append(result)
                self._done.notify()
            self._notify_if_drained()

    def next_result(self) -> R | None:
        """Wait for a result; `None` after the last one, or once stopped."""
        with self._turns.lock:
            while not self.stopped:
                if self._results:
                    self._work.notify()
                    return self._results.popleft()
                if self._drained():
                    break
                self._done.wait()
        return None

    def host_is_free(self, name: str, at: float) -> None:
        """Look again at a host that had no free lane; the lock is held."""
        if name in self._queues:
            self._schedule(name, at)
            self._work.notify()

    def _enqueue(self, job: J, name: str, at: float, number: int) -> None:
        heapq.heappush(self._queues.setdefault(name, []), (at, number, job))
        self._queued += 1
        self._schedule(name, at)
        self._work.notify()

    def _schedule(self, name: str, at: float) -> None:
        if at < self._due.get(name, float("inf")):
            self._due[name] = at
            heapq.heappush(self._heap, (at, next(self._numbers), name))

    def _ready(self, now: float) -> tuple[Turn[J] | None, float | None]:
        """A turn, or the seconds to wait for one; `None` for a wait that another thread ends."""
        while self._heap and len(self._results) < self._finished:
            at, _, name = self._heap[0]
            if at > now:
                return None, at - now
            heapq.heappop(self._heap)
            if self._due.get(name) == at:
                del self._due[name]
                turn = self._turn(name, now)
                if turn is not None:
                    return turn, None
        return None, None

    def _turn(self, name: str, now: float) -> Turn[J] | None:
        queue = self._queues[name]
        host = self._turns.host(name)
        if not host.lanes:
            host.parked.append(self)
            return None
        at = max(host.next_at, queue[0][0])
        if at > now:
            self._schedule(name, at)
            return None
        _, number, job = heapq.heappop(queue)
        self._queued -= 1
        self._room.notify()
        before, host.next_at = host.next_at, now + host.delay
        if queue:
            self._schedule(name, max(host.next_at, queue[0][0]))
        else:
            del self._queues[name]
        return Turn(job, number, name, host.lanes.pop(), before, host.next_at)

    def _release(self, turn: Turn[J], used: bool) -> None:
        self._active.remove(turn.job)
        host = self._turns.host(turn.host)
        host.lanes.append(turn.lane)
        if used:
            host.next_at = max(host.next_at, time.monotonic() + host.delay)
        elif host.next_at == turn.after:
            host.next_at = turn.before
        parked, host.parked = host.parked, []
        for batch in parked:
            batch.host_is_free(turn.host, host.next_at)
        if turn.host in self._queues:
            self._schedule(turn.host, host.next_at)
            self._work.notify()

    def _drained(self) -> bool:
        return self._ended and not self._queued and not self._active

    def _notify_if_drained(self) -> None:
        if self._drained():
            self._work.notify_all()
            self._done.notify_all()
