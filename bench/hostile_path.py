"""The whole path on hostile pages: `python bench/hostile_path.py [--mb 1 5 20] [--only NAME …] [--stages NAME …]`.

Every page goes through reading, every method, every writer (with all blocks kept, the worst case), metadata, comments,
keywords, summary and a learned site. Each stage has CPU seconds and the memory that it added at its peak, above that of
the stages before it, less its output. The limits are those of docs/safety.md: 1 s per 5 MB plus 0.2 s, and 8 times the
page. A page that a limit refuses (`LimitExceeded`) has an answer too: its stage ends there, with a time.
Each page is measured in a process of its own.

python bench/hostile_path.py --mb 1 5 20 --peers                          with other extractors, 60 s a page
python bench/hostile_path.py --mb 1 5 20 --peers --docs docs/safety.md    as the table of the docs
"""

import argparse
import multiprocessing
import re
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from rich.console import Console

import bonmun
from bench.hostile_pages import PATTERNS, WHOLE_PATH, page
from bonmun.errors import BonmunError, SourceError
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts

WRITERS = ("text", "markdown", "html", "json", "xml", "tei", "explain")
METHODS = ("auto", "xpath", "xpath-robust", "density", "logical", "logical-robust")
PEERS = ("trafilatura", "resiliparse")
PEER_SECONDS = 60.0
SECONDS_PER_MB, SECONDS = 0.2, 0.2
MOST_PAGES = 8
"""The most memory that a stage may add, in sizes of the page."""
ALLOWANCE = 2.0
"""MB that the measurement itself and the allocator add to a stage."""
TIME_OUT = "time-out"
DOCS_MARKER = "<!-- python bench/hostile_path.py --mb 1 5 20 --peers --docs docs/safety.md -->"


class StageTimeout(Exception):
    """A stage was stopped at its limit of CPU seconds."""


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
        return self.seconds > most_seconds(self.size)

    @property
    def large(self) -> bool:
        """Whether it took more memory than a page of its size may."""
        return self.added > MOST_PAGES * self.size + ALLOWANCE

    @property
    def untyped(self) -> bool:
        """Whether it ended in an error that is no `BonmunError`."""
        return self.answer.startswith("UNTYPED")


def most_seconds(size: float) -> float:
    """The CPU seconds that a stage may take for a page of so many MB."""
    return SECONDS + SECONDS_PER_MB * size


def memory(field: str) -> float:
    """A figure of this process in MB: VmRSS or VmHWM."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def _stop(*_: object) -> None:
    raise StageTimeout


def measured(
    name: str, size: float, stage: str, work: Callable[[], object], timeout: float = 0.0
) -> tuple[Cost, object]:
    """The cost of a stage, and its result; `None` if it ended in an error. `timeout` is in CPU seconds, 0 for none."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again
    before, started = memory("VmRSS"), process_time()
    result: object = None
    output = 0
    signal.signal(signal.SIGVTALRM, _stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, timeout)
        result = work()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        output = len(result.encode("utf-8", "surrogatepass")) if isinstance(result, str) else 0
        answer = f"{output:,} bytes" if output else "ok"
    except StageTimeout:
        answer = TIME_OUT
    except BonmunError as error:
        answer = f"limit: {error.limit}" if isinstance(error, bonmun.LimitExceeded) else repr(error)
    except Exception as error:
        answer = f"UNTYPED {type(error).__name__}: {error}"[:60]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    seconds = process_time() - started
    return Cost(name, size, stage, seconds, memory("VmHWM") - before - 2 * output / 1e6, answer), result


def keep_all(page: Page) -> Document:
    """A document of all blocks."""
    judged = bonmun.extract(page).verdicts
    return Document(page, Verdicts([1] * len(page.blocks), judged.score, judged.reasons, 1.0), "auto")


def all_comments(page: Page) -> Document:
    """A document without text, all blocks of which are readers' comments."""
    nothing = [0] * len(page.blocks)
    return Document(page, Verdicts(nothing, nothing, [()] * len(nothing), 1.0, comments=[1] * len(nothing)), "auto")


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
        "json with reasons": lambda page: document(page).to_json(bonmun.Output(reasons=True)),
        "chunks": lambda page: len(document(page).chunks(max_chars=1000)),
        "metadata": lambda page: str(document(page).metadata),
        "comments": lambda page: len(all_comments(page).comments),
        "keywords": lambda page: len(document(page).keywords()),
        "summary": lambda page: len(document(page).summary()),
        "one reason": lambda page: len(document(page).verdicts.reasons[len(page.blocks) // 2]) if page.blocks else 0,
        "site": learned,
    }


def costs(name: str, size: float, wanted: Iterable[str] = (), timeout: float = 0.0) -> list[Cost]:
    """The costs of the wanted stages of a page, or of all. `timeout` is the most CPU seconds of one stage."""
    bonmun.extract("<p>Warm up: load the model, the writers and the analyser.</p>").to_json()
    source = page(name, int(size * 1e6))
    cost, read = measured(name, size, "read", lambda: bonmun.read_page(source), timeout)
    taken = [cost]
    for stage, work in stages(source).items():
        if isinstance(read, Page) and (not wanted or stage in wanted or stage == "keep all"):
            taken.append(measured(name, size, stage, lambda work=work: work(read), timeout)[0])
    return taken


def peer_costs(peer: str, name: str, size: float) -> list[Cost]:
    """The cost of another extractor's plain text."""
    extract = import_module(f"bonmun.evaluate.peers.{peer}").load()
    extract("<p>Warm up: load the extractor.</p>", None, None)
    source = page(name, int(size * 1e6))
    return [measured(name, size, peer, lambda: extract(source, None, None))[0]]


def in_own_process(
    work: Callable[..., list[Cost]], arguments: tuple[object, ...], timeout: float, failed: Cost
) -> list[Cost]:
    """The costs of a page; if it takes too long or its process dies, `failed`."""
    with multiprocessing.get_context("spawn").Pool(1) as one:
        try:
            return one.apply_async(work, arguments).get(timeout)
        except multiprocessing.TimeoutError:
            return [failed]


def costs_of_page(name: str, size: float, options: argparse.Namespace) -> list[Cost]:
    """The costs of our stages and of the peers, each in a process of its own."""
    failed = Cost(name, size, "all", options.timeout, 0.0, TIME_OUT)
    taken = in_own_process(costs, (name, size, options.stages), options.timeout, failed)
    for peer in PEERS if options.peers else ():
        if find_spec(peer):
            failed = Cost(name, size, peer, PEER_SECONDS, 0.0, TIME_OUT)
            taken += in_own_process(peer_costs, (peer, name, size), PEER_SECONDS, failed)
    return taken


def main() -> None:
    """Measure, print the worst of each stage and all costs beyond the limits; exit with 1 if there are any."""
    options = _options()
    console, beyond = Console(width=150, soft_wrap=True, highlight=False), list[Cost]()
    tables = list[str]()
    for size in options.mb:
        by_stage = defaultdict[str, list[Cost]](list)
        with ThreadPoolExecutor(options.jobs) as threads:
            measured_pages = list(threads.map(partial(costs_of_page, size=size, options=options), options.only))
        for taken in measured_pages:
            for cost in taken:
                by_stage[cost.stage].append(cost)
                if cost.stage not in PEERS and (cost.slow or cost.large or cost.untyped):
                    beyond.append(cost)
                    figures = f"{cost.seconds:.2f} s, {cost.added:.0f} MB, {cost.answer}"
                    console.print(f"{size:g} MB  {cost.page}: {cost.stage} {figures}")
        tables.append(worst_table(size, len(options.only), by_stage))
        console.print(tables[-1])
    console.print(f"{len(beyond)} beyond the limits")
    if options.docs:
        write_docs(options.docs, tables)
    sys.exit(1 if beyond else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, nargs="+", default=[1, 5], help="page sizes; nightly: 1 5 20")
    parser.add_argument("--only", nargs="+", default=[*WHOLE_PATH, *PATTERNS], help="names of pages")
    parser.add_argument("--stages", nargs="+", default=[], help="names of stages")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one page, all its stages")
    parser.add_argument("--jobs", type=int, default=1, help="pages at the same time, each in a process of its own")
    parser.add_argument("--peers", action="store_true", help=f"also {' and '.join(PEERS)}, if installed")
    parser.add_argument("--docs", type=Path, help="write the tables into this page of the docs, below the marker")
    return parser.parse_args()


def worst_table(size: float, pages: int, by_stage: dict[str, list[Cost]]) -> str:
    """The worst seconds and memory of each stage, as Markdown."""
    title = f"{pages} hostile pages of {size:g} MB; limits {most_seconds(size):.1f} s and {MOST_PAGES * size:g} MB"
    lines = [title, "", "| stage | seconds | page | MB added | page | unfinished |", "|---|--:|---|--:|---|--:|"]
    for stage, all_costs in by_stage.items():
        slowest = max(all_costs, key=lambda cost: cost.seconds)
        largest = max(all_costs, key=lambda cost: cost.added)
        unfinished = sum(cost.answer == TIME_OUT for cost in all_costs)
        seconds = f"> {slowest.seconds:.0f}" if slowest.answer == TIME_OUT else f"{slowest.seconds:.2f}"
        cells = (stage, seconds, slowest.page, f"{max(0.0, largest.added):.0f}", largest.page, str(unfinished or ""))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write_docs(page: Path, tables: list[str]) -> None:
    """Replace everything behind the marker of a page by the tables."""
    before, marker, _ = page.read_text(encoding="utf-8").partition(DOCS_MARKER)
    if not marker:
        raise SourceError(f"{page}: the line {DOCS_MARKER!r} is missing; the tables are written below it")
    text = f"{date.today()}; CPU seconds, memory at the peak.\n\n" + "\n".join(tables)
    page.write_text(f"{before}{marker}\n\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
