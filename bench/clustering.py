"""CPU time and memory of clustering 1,000 to 100,000 pages, exact and by MinHash, with a plot.

    python bench/clustering.py [--most 100000] [--plot out/clustering.svg]

The pages are synthetic: each has the shape of a page of daniel_dev or wcxb_dev, less a few subtrees and with a few
paths of its own, as pages of one template differ. The number of templates grows with the pages, one for every fifty.
Exact clustering compares a page with every seed page before it and is measured up to 10,000 pages only.
"""

import argparse
import random
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path

from corpus import pages

from bonmun.evaluate.report import svg
from bonmun.evaluate.report.svg import Scale
from bonmun.methods.density import BLOCK_NODES
from bonmun.read.page import read_page
from bonmun.sites.clustering import Grouping
from bonmun.sites.shape import Shape, paths_of

SIZES = (1000, 3000, 10_000, 30_000, 100_000)
MOST_EXACT = 10_000
PER_TEMPLATE = 50
WAYS = {False: "exact", True: "MinHash"}
STYLE = (
    "<style>.exact{stroke:#b45309;fill:#b45309}.MinHash{stroke:#0f766e;fill:#0f766e}"
    "polyline.way{fill:none}text{font:12px sans-serif;stroke:none;fill:#444}.grid,.axis{stroke:#ddd}</style>"
)


@dataclass(frozen=True)
class Template:
    """The paths of a real page in document order, each with the number of its descendants."""

    paths: list[int]
    inside: list[int]

    def page(self, rng: random.Random) -> Shape:
        """A similar page: up to four small subtrees removed, up to six paths added."""
        removed: set[int] = set()
        for _ in range(rng.randint(0, 4)):
            index = rng.randrange(len(self.paths))
            if self.inside[index] <= 0.03 * len(self.paths):
                removed.update(range(index, index + self.inside[index] + 1))
        own = [rng.getrandbits(64) for _ in range(rng.randint(0, 6))]
        return frozenset([*(path for index, path in enumerate(self.paths) if index not in removed), *own])


def templates() -> list[Template]:
    """The distinct shapes of real pages."""
    shapes: dict[Shape, Template] = {}
    for corpus in ("daniel_dev", "wcxb_dev"):
        for record in pages(corpus):
            nodes = read_page(record["html"]).nodes
            rows = [row for row, tag in enumerate(nodes.tag) if tag in BLOCK_NODES]
            if len(rows) >= 20:
                inside = [
                    sum(1 for other in rows[index + 1 :] if other < nodes.end[row]) for index, row in enumerate(rows)
                ]
                shapes.setdefault(frozenset(paths_of(nodes)), Template(paths_of(nodes), inside))
    return list(shapes.values())


def generated(known: list[Template], count: int) -> Iterator[Shape]:
    rng = random.Random(count)
    chosen = rng.sample(known, min(len(known), count // PER_TEMPLATE))
    for _ in range(count):
        yield rng.choice(chosen).page(rng)


def measure(known: list[Template], count: int, *, approximate: bool) -> tuple[float, Grouping]:
    """CPU seconds of clustering, without generating the pages."""
    grouping, spent = Grouping(0.82, approximate=approximate), 0.0
    for shape in generated(known, count):
        start = time.process_time()
        grouping.place(shape)
        spent += time.process_time() - start
    return spent, grouping


def plot(points: dict[str, list[tuple[int, float]]]) -> str:
    """A log-log plot of seconds against pages: linear growth has slope 1."""
    times = [seconds for curve in points.values() for _, seconds in curve]
    across = Scale(800, 130_000, 60, 600, log=True)
    up = Scale(min(times) / 2, max(times) * 2, 320, 20, log=True)
    parts = [STYLE, svg.below(across, 20, 320, "pages"), svg.beside(up, 60, 600, "CPU seconds")]
    for way, curve in points.items():
        parts.append(svg.path([(across(x), up(y)) for x, y in curve], f"{way} way"))
        parts += [svg.dot(across(x), up(y), 4, way, f"{way}: {x:,} pages, {y:.2f} s") for x, y in curve]
        last_x, last_y = curve[-1]
        parts.append(svg.text(across(last_x), up(last_y) - 10, way, "label", "end"))
    return svg.drawing(640, 370, parts, "CPU time of clustering against the number of pages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=100_000, help="largest number of pages")
    parser.add_argument("--plot", type=Path, help="SVG file to write")
    options = parser.parse_args()
    known = templates()
    print(f"{len(known)} real shapes")
    points: dict[str, list[tuple[int, float]]] = {}
    for count in (size for size in SIZES if size <= options.most):
        counts: dict[bool, list[int]] = {}
        for approximate in WAYS:
            if approximate or count <= MOST_EXACT:
                seconds, grouping = measure(known, count, approximate=approximate)
                points.setdefault(WAYS[approximate], []).append((count, seconds))
                counts[approximate] = grouping.counts
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(f"{WAYS[approximate]:8s}{count:8,d} pages {len(grouping.counts):6,d} classes {seconds:8.2f} s"
                      f" {1e6 * seconds / count:7.0f} µs/page, peak {memory:.0f} MB", flush=True)  # fmt: skip
        if len(counts) == len(WAYS):
            print(f"        same classes: {counts[True] == counts[False]}")
    (first, start), (last, end) = points["MinHash"][0], points["MinHash"][-1]
    if last > first:
        print(f"MinHash: time grows as pages to the power of {log(end / start) / log(last / first):.2f}")
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        options.plot.write_text(plot(points), encoding="utf-8")


if __name__ == "__main__":
    main()
