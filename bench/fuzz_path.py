"""Fuzz the whole path with mutated pages: `python bench/fuzz_path.py [--count 100000] [--jobs 2]`.

Every page goes through reading, a method, every writer, chunks, metadata and comments; some also through all methods,
keywords, summary, a learned site and pickling. The checks (fuzz/path_checks.py): no error but a `BonmunError`; valid
XML, TEI and JSON; no script, handler or address that runs in HTML and explain; no character that XML forbids; the same
answer twice, under another hash seed, and for `str` and bytes; no stage beyond the time limit.

python bench/fuzz_path.py --count 100000 --jobs 2
python bench/fuzz_path.py --number 4711 --show page.html     one page again, kept as a file
make -C fuzz path COUNT=2000                                 with the compiled core under the sanitizers

A page depends on --pages, --seed and its number alone. Exits with 1 if there is a finding.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from queue import Queue
from time import monotonic
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

HASHED = 10
"""The first n-th part of every batch is checked again under another hash seed."""
SILENCE = 300.0
"""Seconds without a result after which a process is stopped."""

WARM_UP = ("The model is loaded. ", "한국어 문장을 분석한다. ", "これは日本語の文です。", "这是一个中文的句子。")
"""Texts that load the model and the analysers, which must not count as a page's time."""

Result = dict[str, Any]


def main() -> None:
    options = arguments()
    if options.number is not None:
        return show(options)
    if options.child is not None:
        return child(options)
    results, started = Queue[tuple[int, list[Result]]](), monotonic()
    batches = iter(range(options.first, options.first + options.count, options.batch))
    lock = threading.Lock()
    threads = [threading.Thread(target=work, args=(options, batches, lock, results)) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    tally = Tally()
    for _ in range(-(-options.count // options.batch)):
        tally.add(results.get()[1])
        print(f"{tally.line()}; {monotonic() - started:.0f} s", flush=True)
    sys.exit(1 if tally.findings else 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000, help="number of mutated pages")
    parser.add_argument("--first", type=int, default=0, help="number of the first page")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--batch", type=int, default=500, help="pages of one process")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=30, help="real pages of each corpus to mutate")
    parser.add_argument("--number", type=int, help="check this page only")
    parser.add_argument("--show", type=Path, help="with --number: write the page to this file")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


class Tally:
    """The figures so far."""

    def __init__(self) -> None:
        self.pages = self.findings = 0
        self.refused, self.kinds = Counter[str](), Counter[str]()
        self.slowest = (0.0, "", 0)

    def add(self, results: list[Result]) -> None:
        """Count the results of a batch and print their findings."""
        for result in results:
            self.pages += 1
            self.refused.update(set(result["refused"]))
            self.slowest = max(self.slowest, (*result["slowest"], result["number"]))
            for problem in result["problems"]:
                self.findings += 1
                self.kinds[problem.split(":")[0]] += 1
                print(f"page {result['number']}: {problem}", flush=True)

    def line(self) -> str:
        """The summary."""
        seconds, stage, number = self.slowest
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.kinds.most_common(6))
        found = f"{self.findings} findings ({kinds})" if kinds else "no findings"
        refused = f"{sum(self.refused.values())} typed errors"
        return f"{self.pages:,} pages: {found}, {refused}, slowest {stage} of page {number} {seconds:.2f} s"


def work(options: argparse.Namespace, batches: Iterator[int], lock: threading.Lock, results: Queue[Any]) -> None:
    """Run batches until there are none left."""
    while True:
        with lock:
            first = next(batches, None)
        if first is None:
            return
        stop = min(first + options.batch, options.first + options.count)
        batch = list(run(options, first, stop, "0"))
        repeated = run(options, first, min(stop, first + options.batch // HASHED), "1")
        for result, again in zip(batch, repeated, strict=False):
            timed_out = any("seconds" in refusal for refusal in result["refused"])
            if again["digest"] != result["digest"] and not timed_out:
                result["problems"].append("hash seed: another answer under another hash seed")
        results.put((first, batch))


def run(options: argparse.Namespace, first: int, stop: int, hash_seed: str) -> Iterator[Result]:
    """The results of pages, from processes of their own: a process that dies is a finding, and another goes on."""
    while first < stop:
        command = [sys.executable, __file__, "--child", str(stop), "--first", str(first)]
        command += ["--seed", str(options.seed), "--pages", str(options.pages)]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONHASHSEED": hash_seed}
        )
        assert process.stdout
        timer = watched(process)
        for line in process.stdout:
            timer.cancel()
            timer = watched(process)
            result = json.loads(line)
            first = result["number"] + 1
            yield result
        timer.cancel()
        if process.wait() or first < stop:
            died = f"process: ended with {process.returncode}"
            yield {"number": first, "problems": [died], "refused": [], "slowest": (0.0, "process"), "digest": ""}
            first += 1


def watched(process: subprocess.Popen[str]) -> threading.Timer:
    """A timer that kills a silent process; it does not keep this one alive if nobody asks for the next result."""
    timer = threading.Timer(SILENCE, process.kill)
    timer.daemon = True
    timer.start()
    return timer


def child(options: argparse.Namespace) -> None:
    """Check pages and print one line of JSON for each."""
    import bonmun
    from fuzz.page_mutations import mutated, sources
    from fuzz.path_checks import Checks

    for text in WARM_UP:
        bonmun.extract(f"<p>{text * 20}", method="logical").keywords()
    pages, answers = sources(options.pages), os.dup(1)
    with contextlib.redirect_stdout(sys.stderr), os.fdopen(answers, "w") as answer:
        for number in range(options.first, options.child):
            report = Checks(*mutated(pages, options.seed, number), number).run()
            print(json.dumps(asdict(report)), file=answer, flush=True)


def show(options: argparse.Namespace) -> None:
    """Check one page, print its report and keep it."""
    from fuzz.page_mutations import mutated, sources
    from fuzz.path_checks import Checks

    page, url = mutated(sources(options.pages), options.seed, options.number)
    if options.show:
        options.show.write_bytes(page)
    print(f"{len(page):,} bytes, url {url!r}")
    print(json.dumps(asdict(Checks(page, url, options.number).run()), indent=1))


if __name__ == "__main__":
    main()
