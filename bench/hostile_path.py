"""The whole path on hostile pages: `python bench/hostile_path.py [--mb 1 5 20] [--only NAME …] [--stages NAME …]`.

Every page goes through reading, every method, every writer (with all blocks kept, the worst case), metadata, comments,
keywords, summary and a learned site. Each stage has CPU seconds and the memory that it added at its peak, above that of
the stages before it, less its output. The limits are those of docs/safety.md: 1 s per 5 MB plus 0.2 s, and 8 times the
page. A page that a limit refuses (`LimitExceeded`) has an answer too: its stage ends there, with a time.
Each page is measured in a process of its own.
"""

import argparse
import multiprocessing
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from hostile_pages import PATTERNS, WHOLE_PATH, page
from rich.console import Console
from rich.table import Table

import bonmun
from bonmun.errors import BonmunError
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts

WRITERS = ("text", "markdown", "html", "json", "xml", "tei", "explain")
METHODS = ("auto", "xpath", "xpath-robust", "density", "logical", "logical-robust")
SECONDS_PER_MB, SECONDS = 0.2, 0.2
MOST_PAGES = 8
"""The most memory that a stage may add, in sizes of the page."""
ALLOWANCE = 2.0
"""MB that the measurement itself and the allocator add to a stage."""


@dataclass(frozen=True)
class Cost:
    """The cost of one stage of one page."""

    page: str
    size: float
    stage: str
    seconds: float
    added: float
    """MB at the peak, less the output."""
    answer: str

    @property
    def slow(self) -> bool:
        """Whether it took longer than a page of its size may."""
        return self.seconds > SECONDS + SECONDS_PER_MB * self.size

    @property
    def large(self) -> bool:
        """Whether it took more memory than a page of its size may."""
        return self.added > MOST_PAGES * self.size + ALLOWANCE


def memory(field: str) -> float:
    """A figure of this process in MB: VmRSS or VmHWM."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def measured(name: str, size: float, stage: str, work: Callable[[], object]) -> tuple[Cost, object]:
    """The cost of a stage, and its result; `None` if it ended in an error."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again
    before, started = memory("VmRSS"), process_time()
    result: object = None
    try:
        result = work()
        output = len(result.encode("utf-8", "surrogatepass")) if isinstance(result, str) else 0
        answer = f"{output:,} bytes" if output else "ok"
    except BonmunError as error:
        answer, output = f"limit: {error.limit}" if isinstance(error, bonmun.LimitExceeded) else repr(error), 0
    except Exception as error:
        answer, output = f"UNTYPED {type(error).__name__}: {error}"[:60], 0
    seconds = process_time() - started
    return Cost(name, size, stage, seconds, memory("VmHWM") - before - 2 * output / 1e6, answer), result


def keep_all(page: Page) -> Document:
    """A document of all blocks."""
    judged = bonmun.extract(page).verdicts
    return Document(page, Verdicts([1] * len(page.blocks), judged.score, judged.reasons, 1.0), "auto")


def stages(source: str) -> dict[str, Callable[[Page], object]]:
    """The stages behind reading, by name."""
    kept: dict[int, Document] = {}

    def document(page: Page) -> Document:
        if id(page) not in kept:
            kept[id(page)] = keep_all(page)
        return kept[id(page)]

    def learned(page: Page) -> object:
        site = bonmun.Site.learn([page, bonmun.read_page(source), bonmun.read_page(source)], host="example.org")
        return site.extract(page).text

    return {
        **{method: lambda page, method=method: bonmun.extract(page, method=method).status for method in METHODS},
        "keep all": lambda page: document(page).status,
        **{writer: lambda page, writer=writer: document(page).write(writer) for writer in WRITERS},
        "metadata": lambda page: str(document(page).metadata),
        "comments": lambda page: len(document(page).comments),
        "keywords": lambda page: len(document(page).keywords()),
        "summary": lambda page: len(document(page).summary()),
        "one reason": lambda page: len(document(page).verdicts.reasons[len(page.blocks) // 2]) if page.blocks else 0,
        "site": learned,
    }


def costs(name: str, size: float, wanted: list[str]) -> list[Cost]:
    """The costs of all stages of a page."""
    bonmun.extract("<p>Warm up: load the model, the writers and the analyser.</p>").to_json()
    source = page(name, int(size * 1e6))
    cost, read = measured(name, size, "read", lambda: bonmun.read_page(source))
    taken = [cost]
    for stage, work in stages(source).items():
        if isinstance(read, Page) and (not wanted or stage in wanted or stage == "keep all"):
            taken.append(measured(name, size, stage, lambda work=work: work(read))[0])
    return taken


def main() -> None:
    """Measure, print the worst of each stage and everything beyond the limits; exit with 1 if there is any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, nargs="+", default=[1, 5], help="page sizes; nightly: 1 5 20")
    parser.add_argument("--only", nargs="+", default=[*WHOLE_PATH, *PATTERNS], help="names of pages")
    parser.add_argument("--stages", nargs="+", default=[], help="names of stages")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one page, all its stages")
    options = parser.parse_args()
    console, beyond = Console(width=150), list[Cost]()
    for size in options.mb:
        worst = defaultdict[str, list[Cost]](list)
        for name in options.only:
            for cost in in_own_process(name, size, options.stages, options.timeout):
                worst[cost.stage].append(cost)
                if cost.slow or cost.large or "UNTYPED" in cost.answer:
                    beyond.append(cost)
                    console.print(
                        f"{size:g} MB  {name}: {cost.stage} {cost.seconds:.2f} s, {cost.added:.0f} MB, {cost.answer}"
                    )
        table = Table(title=f"{len(options.only)} hostile pages of {size:g} MB: the worst of each stage")
        for column in ("stage", "seconds", "page", "MB added", "page "):
            table.add_column(column, justify="right" if column in ("seconds", "MB added") else "left")
        for stage, all_costs in worst.items():
            slowest, largest = (
                max(all_costs, key=lambda cost: cost.seconds),
                max(all_costs, key=lambda cost: cost.added),
            )
            table.add_row(stage, f"{slowest.seconds:.2f}", slowest.page, f"{largest.added:.0f}", largest.page)
        console.print(table)
    console.print(f"{len(beyond)} beyond the limits")
    sys.exit(1 if beyond else 0)


def in_own_process(name: str, size: float, wanted: list[str], timeout: float) -> list[Cost]:
    """The costs of a page; a page that takes too long, or whose process dies, is one cost without end."""
    with multiprocessing.get_context("spawn").Pool(1) as one:
        try:
            return one.apply_async(costs, (name, size, wanted)).get(timeout)
        except multiprocessing.TimeoutError:
            return [Cost(name, size, "all", timeout, 0.0, "time-out")]


if __name__ == "__main__":
    main()
