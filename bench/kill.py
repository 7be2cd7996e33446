"""Kill a process that stores pages, at random moments: `python bench/kill.py [--pages N] [--kills N]`.

The process takes requests from the queue of the store and saves a page for each. It is killed by SIGKILL after a random
number of pages and some random milliseconds, so that the kills are spread over all pages and hit any moment of a
transaction; after the last restart it may finish. Every page must be stored once, none may be lost, the queue must be
empty, and every page that was reported as stored before a kill must be there.
"""

import argparse
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.postgresql_server import binaries, server  # noqa: E402
from bonmun.middleware.exchange import Request  # noqa: E402
from bonmun.store import open_store  # noqa: E402

_URL = "https://example.org/"
_LONGEST = 0.02
"""Seconds from the last awaited page to the kill, at most: about as long as the next pages take."""


def child(address: str) -> None:
    """Save a page for every request of the queue; print each URL once its page is stored."""
    from tests.store.documents import document, story

    with open_store(address) as store:
        store.release()  # what a killed process had claimed
        while claimed := store.claim(8):
            for request in claimed:
                number = int(request.url.removeprefix(_URL))
                saved = store.save(document(story(number), f"Page {number}"), url=request.url, source="kill")
                print(request.url, saved.outcome, flush=True)


@dataclass(frozen=True)
class Outcome:
    """What was found after all restarts."""

    kills: int
    problems: tuple[str, ...]
    seconds: float


def run(address: str, pages: int, kills: int, seed: int = 1) -> Outcome:
    """Kill and restart; return the problems, of which there should be none."""
    started, chance = time.monotonic(), random.Random(seed)
    with open_store(address) as store:
        store.enqueue(Request(f"{_URL}{number}", "kill") for number in range(pages))
    reported: list[str] = []
    done = 0
    for target in sorted(chance.sample(range(1, pages - min(30, pages // 4)), kills)):
        killed, lines = _killed(address, max(1, target - len(reported)), chance.uniform(0, _LONGEST))
        reported += lines
        done += killed
    process = subprocess.run(_command(address), cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=600, check=True)
    reported += process.stdout.splitlines()
    return Outcome(done, tuple(_problems(address, pages, reported)), time.monotonic() - started)


def _command(address: str) -> list[str]:
    return [sys.executable, str(Path(__file__)), "--child", address]


def _killed(address: str, pages: int, seconds: float) -> tuple[bool, list[str]]:
    """Start the process, kill it so long after so many pages, and return the pages that it reported."""
    process = subprocess.Popen(_command(address), cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = list(islice(process.stdout, pages))
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    lines += process.stdout.readlines()
    process.stdout.close()
    process.wait(timeout=60)
    return process.returncode == -signal.SIGKILL, [line for line in lines if line.endswith("\n")]


def _problems(address: str, pages: int, reported: list[str]) -> list[str]:
    problems = []
    with open_store(address) as store:
        stored = [document.url for document in store.documents()]
        wanted = {f"{_URL}{number}" for number in range(pages)}
        if len(stored) != len(set(stored)) or store.stats().versions != pages:
            problems.append(f"{len(stored)} documents in {store.stats().versions} versions, not {pages}")
        if lost := wanted - set(stored):
            problems.append(f"lost: {len(lost)}")
        if store.pending():
            problems.append(f"still in the queue: {store.pending()}")
        if any(store.search(f'"page {number}"').total < 1 for number in range(0, pages, 50)):
            problems.append("a stored page is not found by search")
    twice = [line for line in reported if not line.split()[1].startswith(("new", "duplicate", "unchanged"))]
    if twice:
        problems.append(f"reported as changed: {len(twice)}")
    if unknown := {line.split()[0] for line in reported} - set(stored):
        problems.append(f"reported as stored, but not there: {len(unknown)}")
    return problems + ([] if address.startswith("postgresql") else _damage(address))


def _damage(path: str) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
    finally:
        connection.rollback()
        connection.close()
    return [] if found == ["ok"] else found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return
    with tempfile.TemporaryDirectory() as folder:
        _report("sqlite", str(Path(folder) / "store.db"), options)
    if binaries() is None:
        print("postgresql: not installed")
        return
    with server() as url:
        _report("postgresql", url, options)


def _report(name: str, address: str, options: argparse.Namespace) -> None:
    outcome = run(address, options.pages, options.kills, options.seed)
    verdict = "; ".join(outcome.problems) or "every page stored once, none lost, database intact"
    print(f"{name}: {options.pages} pages, {outcome.kills} kills, {outcome.seconds:.0f} s: {verdict}")


if __name__ == "__main__":
    main()
