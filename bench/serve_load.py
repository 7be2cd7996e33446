"""The web service under more load than it can serve: `python bench/serve_load.py [--seconds 120] [--times 4]`.

The service runs in a process of its own, this process is the client. First it measures what the service can serve:
as many requests at once as there are workers, one after the other. Then requests arrive at `--times` that rate, whether
or not earlier ones were answered: pages as JSON, as body and in NDJSON batches, explanations, comparisons, pages to
store, searches. Every page has a word of its own; an answer has to have this word and no other's. Each `--kill` seconds
a worker process of the service is killed by SIGKILL, which no request may notice.

Shown are the answers by status, the time to the median and 99th percentile of accepted requests and of refusals, and
the memory of the service with its workers over the run.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from itertools import islice
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx2
from corpus import pages

import bonmun

_PATIENCE = 60.0
"""Seconds for one request; an answer that takes longer counts as lost."""
_SAMPLES = 20


@dataclass(frozen=True)
class Answer:
    """An answer of the service."""

    status_code: int
    text: str
    headers: Message


Kind = Callable[[], Awaitable[tuple[Answer, list[str]]]]
"""Sends a request; returns the answer and the words that have to be in it."""


@dataclass
class Outcome:
    """What became of the requests."""

    statuses: Counter[str] = field(default_factory=Counter)
    accepted: list[float] = field(default_factory=list)
    batches: list[float] = field(default_factory=list)
    """Times of accepted batches, whose pages wait for their turn behind all other requests."""
    refused: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    killed: int = 0
    memory: list[tuple[float, int]] = field(default_factory=list)


class Client:
    """Sends requests on pages with a word of their own, and checks the answers."""

    def __init__(self, base: str, sources: Sequence[str], seed: int) -> None:
        self._port = urlsplit(base).port or 80
        self._sources, self._random, self._count = sources, random.Random(seed), 0
        self._kinds: dict[Kind, int] = {
            self._body: 5, self._json: 5, self._explain: 2, self._compare: 1, self._batch: 1, self._store: 1,
            self._search: 1,
        }  # fmt: skip

    async def _ask(self, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Send a request over a connection of its own: a client with a pool would take more time than the service."""
        lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body)}"] if body is not None else []
        async with asyncio.timeout(_PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                writer.write("\r\n".join([*lines, "", ""]).encode() + (body or b""))
                return _answer(await reader.read())
            finally:
                writer.close()

    async def _ask_json(self, path: str, **fields: object) -> Answer:
        return await self._ask(path, json.dumps(fields).encode(), Content_Type="application/json")

    def _page(self) -> tuple[str, str]:
        """Return a page and the word that only it has."""
        self._count += 1
        word = f"wort{self._count:07d}x"
        source = self._random.choice(self._sources)
        return word, source.replace("@WORD@", word)

    async def one(self, outcome: Outcome) -> None:
        """Send a request of some kind and note the answer."""
        send = self._random.choices(list(self._kinds), list(self._kinds.values()))[0]
        name = send.__name__.strip("_")
        start = perf_counter()
        try:
            response, words = await send()
        except (OSError, HTTPException, TimeoutError) as error:
            outcome.statuses[f"lost: {type(error).__name__} of {name}"] += 1
            return
        seconds = perf_counter() - start
        outcome.statuses[f"{response.status_code}"] += 1
        if response.status_code in (200, 201):
            (outcome.batches if name == "batch" else outcome.accepted).append(seconds)
            problem = _check(response.text, words)
            if problem:
                outcome.wrong.append(f"{name}: {problem}")
        elif response.status_code in (429, 503):
            outcome.refused.append(seconds)
            if "retry-after" not in response.headers:
                outcome.wrong.append(f"{name}: {response.status_code} without Retry-After")
        else:
            outcome.wrong.append(f"{name}: {response.status_code} {response.text[:200]}")

    async def _body(self) -> tuple[Answer, list[str]]:
        word, page = self._page()
        headers = {"Content_Type": "text/html; charset=utf-8", "Accept": "text/markdown"}
        return await self._ask("/v1/extract", page.encode(), **headers), [word]

    async def _json(self) -> tuple[Answer, list[str]]:
        word, page = self._page()
        return await self._ask_json("/v1/extract", html=page, format="json"), [word]

    async def _explain(self) -> tuple[Answer, list[str]]:
        word, page = self._page()
        return await self._ask_json("/v1/explain", html=page), [word]

    async def _compare(self) -> tuple[Answer, list[str]]:
        word, page = self._page()
        return await self._ask_json("/v1/compare", html=page, methods=["auto", "xpath"]), [word]

    async def _batch(self) -> tuple[Answer, list[str]]:
        given = [self._page() for _ in range(5)]
        lines = "".join(json.dumps({"id": word, "html": page}) + "\n" for word, page in given)
        answer = await self._ask("/v1/batch", lines.encode(), Content_Type="application/x-ndjson")
        return answer, [word for word, _ in given]

    async def _store(self) -> tuple[Answer, list[str]]:
        word, page = self._page()
        return await self._ask_json("/v1/documents", html=page, url=f"https://load.example/{word}"), []

    async def _search(self) -> tuple[Answer, list[str]]:
        return await self._ask("/v1/documents?q=wort+tea&limit=5"), []


class _Received:
    """What was received, as the socket that `http.client` reads from."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def makefile(self, mode: str) -> BytesIO:
        return BytesIO(self._content)


def _answer(received: bytes) -> Answer:
    """Parse an answer; one that is cut off raises `HTTPException`."""
    response = HTTPResponse(_Received(received))  # type: ignore[arg-type]
    response.begin()
    return Answer(response.status, response.read().decode(), response.headers)


def _check(text: str, words: Sequence[str]) -> str:
    """Return what is wrong with an answer: a word that is missing, or one of another page."""
    missing = [word for word in words if word not in text]
    if missing:
        return f"{missing} missing in {text[:200]!r}"
    found = {part[:12] for part in ("wort" + rest for rest in text.split("wort")[1:]) if part[4:11].isdigit()}
    return f"words of other pages: {sorted(found - set(words))[:3]}" if words and found - set(words) else ""


def _sources(count: int) -> list[str]:
    """Real pages with a place for a word in the main text."""
    sources = []
    for record in islice(pages("wcxb_dev"), 2 * count):
        html = record["html"]
        kept = bonmun.extract(html).blocks
        block = max(kept, key=lambda block: len(block.text), default=None)
        start = block.text[:30] if block else ""
        if len(start) == 30 and html.count(start) == 1:
            marked = html.replace(start, "@WORD@ " + start)
            if "wortprobe" in bonmun.extract(marked.replace("@WORD@", "wortprobe")).text:
                sources.append(marked)
    return sources[:count]


@contextmanager
def _service(workers: int, queue: int) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bonmun", "serve", "--port", str(port), "--workers", str(workers), "--queue",
                   str(queue), "--store", f"{folder}/load.db"]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait(f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()
            print(f"the service ended with exit code {process.wait(60)}")


def _wait(base: str) -> None:
    deadline = monotonic() + 60
    while monotonic() < deadline:
        try:
            if httpx2.get(f"{base}/readyz", trust_env=False).status_code == 200:
                return
        except httpx2.HTTPError:
            pass
    raise SystemExit("the service did not start")


def _workers(pid: int) -> list[int]:
    """The worker processes, spawned by any thread of the service."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            if f"\nPPid:\t{pid}\n" in status.read_text() and b"spawn_main" in (status.parent / "cmdline").read_bytes():
                found.append(int(status.parent.name))
        except OSError:
            continue
    return found


def _memory(pids: Sequence[int]) -> int:
    """Proportional set size of processes, in bytes."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
    return total


async def _capacity(client: Client, at_once: int, seconds: float) -> float:
    """Requests a second that the service serves when as many are on their way as it has workers."""
    outcome = Outcome()
    end = monotonic() + seconds

    async def loop() -> None:
        while monotonic() < end:
            await client.one(outcome)

    start = perf_counter()
    await asyncio.gather(*(loop() for _ in range(at_once)))
    _report_wrong(outcome)
    return (len(outcome.accepted) + len(outcome.batches)) / (perf_counter() - start)


async def _overload(client: Client, pid: int, rate: float, seconds: float, kill: float) -> Outcome:
    """Send requests at a rate, whatever becomes of them."""
    outcome, running, start = Outcome(), set[asyncio.Task[None]](), monotonic()
    sent, next_kill, next_sample = 0, kill, 0.0
    while (now := monotonic() - start) < seconds:
        while sent < now * rate:
            task = asyncio.create_task(client.one(outcome))
            running.add(task)
            task.add_done_callback(running.discard)
            sent += 1
        if now >= next_kill:
            next_kill += kill
            for worker in random.Random(sent).sample(_workers(pid), 1):
                os.kill(worker, signal.SIGKILL)
                outcome.killed += 1
        if now >= next_sample:
            next_sample += seconds / _SAMPLES
            outcome.memory.append((now, _memory([pid, *_workers(pid)])))
        await asyncio.sleep(0.005)
    await asyncio.gather(*running)
    outcome.memory.append((monotonic() - start, _memory([pid, *_workers(pid)])))
    return outcome


def _percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _report_wrong(outcome: Outcome) -> None:
    for line, count in Counter(outcome.wrong).most_common(10):
        print(f"  wrong: {count} × {line}")


def _report(outcome: Outcome) -> None:
    print("answers:", ", ".join(f"{count:,} × {status}" for status, count in outcome.statuses.most_common()))
    times = (("accepted", outcome.accepted), ("batches of five pages", outcome.batches), ("refused", outcome.refused))
    for name, values in times:
        if values:
            late = _percentile(values, 0.99)
            print(
                f"{name}: {len(values):,}, median {median(values):.3f} s, p99 {late:.3f} s, slowest {max(values):.3f} s"
            )
    print(f"workers killed: {outcome.killed}; wrong or mixed-up answers: {len(outcome.wrong)}")
    quarter = len(outcome.memory) // 4
    sizes = [size / 1e6 for _, size in outcome.memory]
    first, last = median(sizes[1 : quarter + 1]), median(sizes[-quarter:])
    print(f"memory (service and workers): first quarter {first:.0f} MB, last {last:.0f} MB, most {max(sizes):.0f} MB")
    _report_wrong(outcome)


async def _main(options: argparse.Namespace) -> int:
    sources = _sources(options.pages)
    print(f"{len(sources)} pages of wcxb_dev, {options.workers} workers, queue {options.queue}")
    with _service(options.workers, options.queue) as (base, process):
        client = Client(base, sources, seed=1)
        await _capacity(client, options.workers, 5)
        capacity = await _capacity(client, options.workers, 15)
        print(f"the service serves {capacity:.1f} requests a second; now {options.times * capacity:.1f} arrive")
        outcome = await _overload(client, process.pid, options.times * capacity, options.seconds, options.kill)
        alive = process.poll() is None
    _report(outcome)
    lost = sum(count for status, count in outcome.statuses.items() if status.startswith("lost"))
    return 0 if alive and not lost and not outcome.wrong else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--times", type=float, default=4.0, help="arrivals as a multiple of what the service can serve")
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--queue", type=int, default=32)
    parser.add_argument("--kill", type=float, default=10.0, help="seconds between two kills of a worker")
    sys.exit(asyncio.run(_main(parser.parse_args())))
