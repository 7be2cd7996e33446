"""Two simulations for docs/scale.md: hosts of very different sizes, and tasks that straggle.

Plain Python with a seed and without a clock: the same arguments give the same figures. `python bench/scale_model.py`
with `--simulate` prints the tables.
"""

import heapq
import math
import statistics
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

HEAD = 50_000
"""Hosts that are assigned to tasks one by one; the smaller ones by the mean and the variance of their sum."""
_STEPS = 1_000
"""Ranks of the smaller hosts are summed in so many steps."""

Share = Callable[[float], tuple[float, float]]
"""What a host with so many pages brings into a shuffle: the number of its keys, and the pages of each."""


@dataclass(frozen=True)
class Hosts:
    """Hosts whose sizes follow a power law (Zipf and Mandelbrot), and one that is far larger."""

    pages: float = 3e9
    count: float = 4e7
    exponent: float = 1.2
    """The host of rank r has pages in proportion to (r + shift) ** -exponent."""
    common: float = 1e6
    """Pages of the largest host of the power law; the shift follows from it."""
    largest: float = 1e7
    """Pages of the one host beyond the power law."""

    def ranked(self, head: int = HEAD) -> list[tuple[float, float]]:
        """How many hosts have how many pages: one by one down to the rank `head`, then in steps."""
        ratio = (self.count / head) ** (1 / _STEPS)
        edges = [*range(head + 1), *(head * ratio**step for step in range(1, _STEPS + 1))]
        low, high = 0.0, self.count
        for _ in range(60):  # the larger the shift, the more hosts are as large as the first
            shift = (low + high) / 2
            pages = self._pages(0, edges[-1], shift)
            low, high = (shift, high) if pages < self.pages - self.largest else (low, shift)
        unit = (self.pages - self.largest) / self._pages(0, edges[-1], shift)
        law = [
            (after - before, unit * self._pages(before, after, shift) / (after - before))
            for before, after in pairwise(edges)
        ]
        return [(1.0, self.largest), *law]

    def _pages(self, before: float, after: float, shift: float) -> float:
        """Pages of the hosts of some ranks."""
        power = 1 - self.exponent
        scale = self.common * (1 + shift) ** self.exponent
        return scale * ((after + shift) ** power - (before + shift) ** power) / power


def all_pages(size: float) -> tuple[float, float]:
    """A plain groupBy: one key with all pages of the host."""
    return 1, size


def sampled(most: float) -> Share:
    """At most so many pages of a host."""
    return lambda size: (1, min(size, most))


def salted(most: float) -> Share:
    """As many keys as it takes for each to have at most so many pages."""

    def share(size: float) -> tuple[float, float]:
        keys = max(1.0, math.ceil(size / most))
        return keys, size / keys

    return share


def moved(hosts: Hosts, share: Share) -> float:
    """Pages that a shuffle moves."""
    shares = ((count, share(size)) for count, size in hosts.ranked())
    return sum(count * keys * pages for count, (keys, pages) in shares)


@dataclass(frozen=True)
class Skew:
    """The tasks of a shuffle by host, in pages."""

    total: float
    mean: float
    longest: float
    largest_key: float

    @property
    def ratio(self) -> float:
        """The longest task as a multiple of the mean one: what the stage waits for."""
        return self.longest / self.mean


def skew(hosts: Hosts, share: Share, tasks: int = 4_096, seed: int = 1, head: int = HEAD) -> Skew:
    """Assign the keys of all hosts to tasks by hash."""
    random = Random(seed)
    loads = [0.0] * tasks
    total = largest = rest = spread = 0.0
    for count, size in hosts.ranked(head):
        keys, pages = share(size)
        total += count * keys * pages
        largest = max(largest, pages)
        if count == 1 and keys <= tasks:
            for _ in range(int(keys)):
                loads[random.randrange(tasks)] += pages
        else:
            rest += count * keys * pages
            spread += count * keys * pages * pages
    deviation = math.sqrt(spread / tasks)
    drawn = [max(0.0, random.gauss(rest / tasks, deviation)) for _ in range(tasks)]
    scale = rest / sum(drawn) if rest else 0.0  # no page is lost or made
    loads = [load + scale * more for load, more in zip(loads, drawn, strict=True)]
    return Skew(total, total / tasks, max(loads), largest)


@dataclass(frozen=True)
class Cluster:
    """Machines, and what goes wrong with them."""

    cores: int
    cores_per_node: int = 16
    slow_nodes: float = 0.05
    """Share of the nodes that are slow; at least one is, unless it is 0."""
    slowness: float = 3.0
    failures_per_core_hour: float = 0.005
    dispatches_per_second: float = 1_000.0
    """Tasks that the driver starts in a second."""

    def speeds(self, random: Random) -> list[float]:
        """The speed of each core: 1, or less on a slow node."""
        nodes = math.ceil(self.cores / self.cores_per_node)
        slow = set(random.sample(range(nodes), math.ceil(self.slow_nodes * nodes)))
        return [1 / self.slowness if core // self.cores_per_node in slow else 1.0 for core in range(self.cores)]


@dataclass(frozen=True)
class Job:
    """Pages in shards of one size."""

    pages: float
    shard: int
    page_seconds: float
    """Mean CPU seconds of a page."""
    page_spread: float = 1.5
    """Standard deviation of a page's seconds, as a multiple of the mean."""
    shard_spread: float = 0.1
    """What shards differ by beyond chance: one holds more long pages than another."""
    task_seconds: float = 0.5
    """To start a task, to open its input, to write its output."""

    @property
    def tasks(self) -> int:
        """Number of shards."""
        return math.ceil(self.pages / self.shard)

    @property
    def mean_seconds(self) -> float:
        """Mean duration of a task on a fast core."""
        return self.shard * self.page_seconds + self.task_seconds

    def seconds(self, random: Random) -> float:
        """The duration of a task on a fast core: lognormal."""
        variance = math.log1p(self.page_spread**2 / self.shard + self.shard_spread**2)
        mean = math.log(self.shard * self.page_seconds) - variance / 2
        return random.lognormvariate(mean, math.sqrt(variance)) + self.task_seconds


@dataclass(frozen=True)
class Outcome:
    """How a job went."""

    seconds: float
    ideal: float
    """Seconds if all cores were busy with pages until the end."""
    done: int
    """Tasks with a result, those before the simulated end included."""
    twice: int
    """Results that came a second time: always 0."""
    retried: int
    copies: int
    wasted: float
    """Core-seconds of attempts that failed or were overtaken, within the simulated end."""

    @property
    def stretch(self) -> float:
        """The time as a multiple of the ideal one."""
        return self.seconds / self.ideal


@dataclass
class _Attempt:
    task: int
    core: int
    started: float
    ends: float
    fails: bool
    dead: bool = False


@dataclass
class _Run:
    """A greedy scheduler: the next task goes to the first free core."""

    cluster: Cluster
    job: Job
    speculate: bool
    random: Random
    speeds: list[float]
    waiting: deque[int]
    now: float = 0.0
    dispatched: float = 0.0
    events: list[tuple[float, int, _Attempt | int]] = field(default_factory=list)
    running: dict[int, list[_Attempt]] = field(default_factory=dict)
    idle: list[int] = field(default_factory=list)
    finished: set[int] = field(default_factory=set)
    count: int = 0
    twice: int = 0
    retried: int = 0
    copies: int = 0
    wasted: float = 0.0

    def push(self, time: float, what: "_Attempt | int") -> None:
        """An attempt that ends, or a core that is free."""
        self.count += 1
        heapq.heappush(self.events, (time, self.count, what))

    def start(self, task: int, core: int) -> None:
        """Give a task to a core, as soon as the driver comes to it."""
        self.dispatched = max(self.now, self.dispatched + 1 / self.cluster.dispatches_per_second)
        seconds = self.job.seconds(self.random) / self.speeds[core]
        fails = self.random.random() < -math.expm1(-seconds / 3600 * self.cluster.failures_per_core_hour)
        ends = self.dispatched + (seconds * self.random.random() if fails else seconds)
        attempt = _Attempt(task, core, self.dispatched, ends, fails)
        self.running.setdefault(task, []).append(attempt)
        self.push(ends, attempt)

    def end(self, attempt: _Attempt) -> None:
        """Take a result, or put a failed task back; the slower copy of a finished task is stopped."""
        self.idle.append(attempt.core)
        attempts = self.running[attempt.task]
        attempts.remove(attempt)
        if attempt.fails:
            self.wasted += self.now - attempt.started
            if not attempts:
                del self.running[attempt.task]
                self.waiting.append(attempt.task)
                self.retried += 1
            return
        self.twice += attempt.task in self.finished
        self.finished.add(attempt.task)
        for other in self.running.pop(attempt.task):
            other.dead = True
            self.wasted += max(0.0, self.now - other.started)
            self.idle.append(other.core)

    def assign(self) -> None:
        """Give tasks to idle cores; without any, copies of the tasks that take longest, fast cores first."""
        while self.idle and self.waiting:
            self.start(self.waiting.popleft(), self.idle.pop())
        if not (self.speculate and self.idle and self.running):
            return
        late = 1.5 * self.job.mean_seconds
        alone = [attempts[0] for attempts in self.running.values() if len(attempts) == 1]
        self.idle.sort(key=self.speeds.__getitem__)
        for attempt in sorted(alone, key=lambda one: one.started):
            if not self.idle or attempt.started + late > self.now:
                break
            self.copies += 1
            self.start(attempt.task, self.idle.pop())

    def run(self) -> float:
        """Run until no task is left; return the time."""
        beat = self.job.mean_seconds / 10  # how often the scheduler looks for late tasks
        next_look = 0.0
        last = 0.0
        while self.events:
            self.now, _, what = heapq.heappop(self.events)
            if isinstance(what, int):
                self.idle.append(what)
            elif what.dead:
                continue
            else:
                self.end(what)
                last = self.now
            if self.waiting or self.now >= next_look:
                self.assign()
                next_look = self.now + beat
            elif not self.events:
                self.assign()
        return last


def run_job(job: Job, cluster: Cluster, *, speculate: bool, seed: int = 1, exact: int = 40) -> Outcome:
    """Run a job; of its tasks, the last `exact` of each core are simulated one by one.

    Before them all cores are busy, and what counts is how much they do, not in which order.
    """
    random = Random(seed)
    speeds = cluster.speeds(random)
    capacity = sum(speeds)
    simulated = min(job.tasks, exact * cluster.cores)
    before = job.tasks - simulated
    failing = cluster.failures_per_core_hour * job.mean_seconds / 3600
    rate = min(capacity / (job.mean_seconds * (1 + failing / 2)), cluster.dispatches_per_second)
    begun = before / rate
    run = _Run(cluster, job, speculate, random, speeds, deque(range(simulated)), now=begun, dispatched=begun)
    for core, speed in enumerate(speeds):
        offset = random.random() * job.mean_seconds / speed if before else 0.0
        run.push(begun + offset, core)
    seconds = run.run()
    ideal = job.pages * job.page_seconds / capacity
    return Outcome(seconds, ideal, before + len(run.finished), run.twice, run.retried, run.copies, run.wasted)


def mean_stretch(job: Job, cluster: Cluster, *, speculate: bool, seeds: int = 3) -> float:
    """The stretch over several seeds."""
    return statistics.fmean(run_job(job, cluster, speculate=speculate, seed=seed).stretch for seed in range(seeds))


def hour_job(cluster: Cluster, shard: int, page_seconds: float, *, spread: float = 1.5, hours: float = 1.0) -> Job:
    """A job that keeps a cluster without slow nodes busy for so many hours."""
    pages = hours * 3600 * cluster.cores / page_seconds
    return Job(max(1, round(pages / shard)) * shard, shard, page_seconds, spread)
