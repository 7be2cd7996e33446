"""Kill `bonmun run` at random moments: `python bench/kill_run.py [--pages N] [--kills N] [--seed N] [--store KIND …]`.

A local server has the pages of cjk_dev and wcxb_dev, and copies of them up to the number asked for. The process that
fetches and stores them is killed with SIGKILL as often as asked for, each time when a random number of pages was asked
for, at least one of them for the first time, and a random moment later; one time in five soon after its start. It is
started again each time. In the end every page must be stored exactly once, none
may be lost or failed, the queue must be empty, and the database intact.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.page_server import PageServer, serving
from bonmun.store import open_store

ROOT = Path(__file__).parents[1]
CONFIG = """\
store = "{store}"
sources = ["urls:list.txt"]

[network]
allow_private = true
honour_robots = false
delay = 0
per_host = 8

[log]
file = "run.log"
"""
_EARLY = 0.2
"""The share of kills while the process starts."""
_START_SECONDS = 120.0
"""How long a process may take to ask for its next page, on a busy machine."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found after all kills."""

    pages: int
    kills: int
    documents: int
    versions: int
    failures: int
    pending: int
    extra_fetches: int
    """Pages that were asked for again after a kill."""
    integrity: str
    seconds: float

    @property
    def is_good(self) -> bool:
        """Whether every page is stored exactly once."""
        stored = self.documents == self.versions == self.pages
        return stored and not self.failures and not self.pending and self.integrity == "ok"


def kill_test(pages: Sequence[bytes], kills: int, folder: Path, store: str, rng: random.Random) -> Outcome:
    """Run with kills, then to the end; return what the store has."""
    started = time.monotonic()
    with serving(pages) as server:
        urls = server.urls()
        (folder / "list.txt").write_text("\n".join(urls), encoding="utf-8")
        config = folder / "config.toml"
        config.write_text(CONFIG.format(store=store), encoding="utf-8")
        for threshold in sorted(rng.sample(range(1, len(pages)), kills)):
            early = rng.random() < _EARLY
            _run_and_kill(config, server, 0 if early else threshold, rng.uniform(0.0, 2.0 if early else 0.3))
        done = _start(config)
        if done.wait(1800) != 0:
            raise RuntimeError(f"the last run ended with status {done.returncode}; see {folder / 'run.log'}")
        extra = server.served.total() - len(pages)
    return _found(folder, store, urls, kills, extra, time.monotonic() - started)


def _run_and_kill(config: Path, server: PageServer, threshold: int, later: float) -> None:
    wanted = min(max(threshold, len(server.served) + 1), len(server.pages)) if threshold else 0
    process = _start(config)
    try:
        asked = server.wait_for(wanted, _START_SECONDS)
        if not asked or process.poll():
            raise RuntimeError(f"the process failed or hung before page {wanted}; see {config.parent / 'run.log'}")
        time.sleep(later)
    finally:
        process.kill()
        process.wait()
    _expect_no_children(process.pid)


def _start(config: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "bonmun", "run", "--no-screen", str(config)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL)


def _expect_no_children(group: int) -> None:
    """Wait for the worker processes to notice that their parent is gone."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    raise RuntimeError("worker processes outlived the process that was killed")


def _found(folder: Path, address: str, urls: Sequence[str], kills: int, extra: int, seconds: float) -> Outcome:
    path = folder / address if "://" not in address else address
    with open_store(path, create=False) as store:
        stats = store.stats()
        stored = [document.url for document in store.documents()]
        failures = len(store.failures())
    if sorted(stored) != sorted(urls):
        missing, other = set(urls) - set(stored), set(stored) - set(urls)
        print(f"lost: {sorted(missing)[:5]} …; unexpected: {sorted(other)[:5]} …", file=sys.stderr)
    integrity = _integrity(path) if isinstance(path, Path) else "ok"
    return Outcome(
        len(urls), kills, stats.documents, stats.versions, failures, stats.pending, extra, integrity, seconds
    )


def _integrity(path: Path) -> str:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", nargs="+", choices=("sqlite", "postgresql"), default=("sqlite", "postgresql"))
    options = parser.parse_args()
    from bench.corpus import pages as corpus

    real = [page["html"].encode("utf-8", "replace") for name in ("cjk_dev", "wcxb_dev") for page in corpus(name)]
    pages = list(islice(cycle(real), options.pages))
    good = True
    for kind in options.store:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            address = "news.db"
            if kind == "postgresql":
                from bench.postgresql_server import server

                address = stack.enter_context(server())
            outcome = kill_test(pages, options.kills, folder, address, random.Random(options.seed))
            print(f"{kind}: {'good' if outcome.is_good else 'BAD'}: {outcome}", flush=True)
            good = good and outcome.is_good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
