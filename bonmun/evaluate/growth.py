"""CPU time and memory of a system on one page scaled from 0.1 to 20 MB."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

from bonmun.evaluate.corpora import Case
from bonmun.evaluate.speed import Trend, timed
from bonmun.evaluate.store import Store
from bonmun.evaluate.system_worker import SystemWorker
from bonmun.evaluate.systems import System

SIZES_MB = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
_CORPUS = "growth"


@dataclass(frozen=True, slots=True)
class Growth:
    """CPU time and memory of one system against page size."""

    system: str
    points: Sequence[tuple[float, float, float]]
    """(MB of HTML, CPU seconds, MB of memory); sizes that failed or timed out are missing."""
    exponent: float
    """Slope of log time over log size: 1 is linear, 2 quadratic."""


def growth(
    systems: Sequence[System], store: Store, seconds: float = 60.0, done: Callable[[int], None] = lambda _: None
) -> list[Growth]:
    """Time every system on one page from 0.1 to 20 MB; a system that fails at a size skips the larger ones."""
    curves = []
    for system in systems:
        known = {row[0]: row for row in store.timings(system, _CORPUS)}
        points = []
        for size in SIZES_MB:
            name = f"{size:g} MB"
            if name not in known:
                case = Case(name, grown(int(size * 1_000_000)), lang="en")
                with SystemWorker(system) as worker:
                    rows = list(timed(case, [worker], seconds))
                store.put_timings(_CORPUS, name, 0, rows)
                known = {row[0]: row for row in store.timings(system, _CORPUS)}
            _, _, cpu, memory, _, _, main = known[name]
            if main < 0:
                break
            points.append((size, cpu, memory / 1000))
            done(1)
        trend = Trend.of([(log(size), log(max(cpu, 1e-6))) for size, cpu, _ in points])
        curves.append(Growth(system.name, points, trend.slope))
    return curves


def grown(size: int) -> str:
    """Return a page of at most `size` characters: sections of a heading, a paragraph and a list of links.

    >>> 99_000 < len(grown(100_000)) <= 100_000
    True
    """
    head = "<!doctype html><html lang=en><head><title>Tea</title></head><body><main>"
    tail = "</main></body></html>"
    parts, left, number = [head], size - len(head) - len(tail), 0
    while left > 0:
        part = _section(number)
        left -= len(part)
        if left >= 0:
            parts.append(part)
        number += 1
    return "".join([*parts, tail])


def _section(number: int) -> str:
    words = f"Part {number} tells of tea, of the water it needs and of those who drink it in the morning, "
    links = "".join(f'<li><a href="/tea/{number}/{item}">Leaf {item}</a></li>' for item in range(3))
    return (
        f'<section id="s{number}"><h2>Part {number}</h2>'
        f"<p>{words}and then <b>again</b> at <a href='/{number}'>noon</a>, {words * 2}as they always did.</p>"
        f'<ul class="menu">{links}</ul></section>\n'
    )
