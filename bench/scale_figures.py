"""The figures that the model to the web rests on, measured on real pages: `python bench/scale_model.py --measure`.

A sample of the corpora is written as one WARC, each record packed by itself as Common Crawl does. CPU seconds are those
of the process, in several interleaved rounds: the fastest is given, and how much slower the slowest was.
"""

import gzip
import json
import resource
import statistics
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from time import process_time
from typing import Any

from bench.corpus import pages

FIGURES = Path(__file__).with_name("scale_figures.json")
CORPORA = ("wcxb_dev", "styled_dev", "cjk_dev")
FORMATS = ("parquet", "jsonl", "jsonl.zst", "wet")
ROUNDS = 3


@dataclass(frozen=True)
class Figures:
    """Means over the pages of the sample; seconds are CPU seconds, bytes are bytes on disk."""

    day: str
    sample: int
    """Pages."""
    html: float
    """Bytes of a page, as it was sent without compression."""
    warc: float
    """Bytes of its record in a WARC packed by gzip."""
    read: float
    """Seconds to read a page of the WARC."""
    text: float
    """Seconds to extract its text and metadata with `extract_batch`."""
    markdown: float
    both: float
    noise: float
    """How much slower the slowest round was than the fastest: 0.1 for a tenth."""
    spread: float
    """Standard deviation of the seconds of a page, as a multiple of the mean."""
    slowest: float
    """Seconds of the slowest page of the sample."""
    parent: float
    """Seconds of the parent process of a batch run: reading, passing on, writing Parquet."""
    worker: float
    """Seconds of its worker process: unpacking, text and metadata, packing."""
    signature: float
    """Seconds of a MinHash signature of the text."""
    index: float
    """Bytes of memory of a kept text in the index of duplicates."""
    learned_host: float
    """Seconds to learn a host from its pages, reading them included."""
    learned_pages: float
    """Pages of such a host."""
    site_file: float
    """Bytes of its site file."""
    output: dict[str, float]
    """Bytes of a page in each output format, metadata included."""


def known_figures(path: Path = FIGURES) -> Figures:
    """The figures that were measured last."""
    return Figures(**json.loads(path.read_text(encoding="utf-8")))


def measure(every: int) -> Figures:
    """Measure all figures on every so many pages of the corpora."""
    sample = [record for name in CORPORA for record in islice(pages(name), 0, None, every)]
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "sample.warc.gz"
        count = write_archive(archive, sample)
        timed = _timed(archive)
        start = Path(folder) / "start.warc.gz"
        write_archive(start, sample[:1])
        started = _run(start, Path(folder) / "start", FORMATS[0])
        runs = {name: _run(archive, Path(folder) / name, name) for name in FORMATS}
        size = archive.stat().st_size
    texts, costs = _pages(sample)
    host_seconds, host_pages, site_file = _learned_hosts()
    return Figures(
        day=str(date.today()),
        sample=count,
        html=statistics.fmean(len(_content(record)) for record in sample),
        warc=size / count,
        **{name: min(rounds) / count for name, rounds in timed.items()},
        noise=max(max(rounds) / min(rounds) for rounds in timed.values()) - 1,
        spread=statistics.pstdev(costs) / statistics.fmean(costs),
        slowest=max(costs),
        parent=(runs["parquet"][0] - started[0]) / count,
        worker=(runs["parquet"][1] - started[1]) / count,
        signature=_signed(texts) / count,
        index=_index_bytes(texts),
        learned_host=host_seconds,
        learned_pages=host_pages,
        site_file=site_file,
        output={name: size / count for name, (_, _, size) in runs.items()},
    )


def save(figures: Figures, path: Path = FIGURES) -> None:
    """Keep figures, rounded to what they are worth."""
    rounded = json.loads(json.dumps(asdict(figures)), parse_float=lambda number: float(f"{float(number):.3g}"))
    path.write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")


def write_archive(path: Path, records: list[dict[str, Any]]) -> int:
    """Write a WARC with a response for each page; return their number."""
    with path.open("wb") as file:
        for record in records:
            file.write(gzip.compress(_response(record), 6, mtime=0))
    return len(records)


def _content(record: dict[str, Any]) -> bytes:
    return str(record["html"]).encode("utf-8", "replace")


def _response(record: dict[str, Any]) -> bytes:
    content = _content(record)
    url = record.get("url") or f"https://{record.get('domain') or 'example.org'}/{record['id']}"
    http = _lines(
        "HTTP/1.1 200 OK",
        "Date: Mon, 16 Nov 2026 12:00:00 GMT",
        "Server: nginx",
        "Content-Type: text/html; charset=utf-8",
        "Cache-Control: max-age=300",
        "X-Crawler-Content-Encoding: gzip",
        f"Content-Length: {len(content)}",
    )
    identifier = sha256(content).hexdigest()[:32]
    head = _lines(
        "WARC/1.0",
        "WARC-Type: response",
        "WARC-Date: 2026-11-16T12:00:00Z",
        f"WARC-Record-ID: <urn:uuid:{identifier}>",
        f"WARC-Target-URI: {url}",
        "WARC-IP-Address: 192.0.2.1",
        f"WARC-Payload-Digest: sha1:{identifier.upper()}",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(http) + len(content)}",
    )
    return head + http + content + b"\r\n\r\n"


def _lines(*lines: str) -> bytes:
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def _seconds(work: Callable[[], object]) -> float:
    started = process_time()
    work()
    return process_time() - started


def _timed(archive: Path) -> dict[str, list[float]]:
    """CPU seconds of each round of reading and of extraction, interleaved."""
    from bonmun.scale import BatchSettings, extract_batch

    batches = list(_batches(archive))
    texts = {"text": ("text",), "markdown": ("markdown",), "both": ("text", "markdown")}
    settings = {name: BatchSettings(texts=wanted, timings=False) for name, wanted in texts.items()}
    extract_batch(batches[0], settings["both"])  # loads the model
    works: dict[str, Callable[[], object]] = {"read": lambda: list(_batches(archive))}
    for name, one in settings.items():
        works[name] = lambda one=one: [extract_batch(batch, one) for batch in batches]
    rounds = [{name: _seconds(work) for name, work in works.items()} for _ in range(ROUNDS)]
    return {name: [one[name] for one in rounds] for name in works}


def _batches(archive: Path) -> Iterator[Any]:
    from bonmun.scale.reading import read_shard
    from bonmun.scale.shards import gather

    for shard in gather([str(archive)]):
        yield from read_shard(shard)


def _run(archive: Path, output: Path, form: str) -> tuple[float, float, int]:
    """CPU seconds of the parent and of the worker of a batch run, and the bytes that it wrote."""
    from bonmun.scale import BatchSettings
    from bonmun.scale.run.process import run_batch
    from bonmun.scale.run.settings import RunSettings

    def spent() -> tuple[float, float]:
        used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        own, others = (one.ru_utime + one.ru_stime for one in used)
        return own, others

    before = spent()
    run_batch([str(archive)], output, RunSettings(BatchSettings(timings=False), form, jobs=1))
    own, others = (after - start for after, start in zip(spent(), before, strict=True))
    return own, others, sum(part.stat().st_size for part in output.glob("part-*") if not part.name.endswith(".json"))


def _pages(sample: list[dict[str, Any]]) -> tuple[list[str], list[float]]:
    """The texts of the pages, and the CPU seconds of each."""
    from bonmun.scale import BatchSettings
    from bonmun.scale.rows import page_row

    settings, texts, costs = BatchSettings(timings=False), [], []
    for record in sample:
        started = process_time()
        row = page_row(_content(record), record.get("url"), "utf-8", settings)
        costs.append(process_time() - started)
        texts.append(row.get("text") or "")
    return texts, costs


def _signed(texts: list[str]) -> float:
    from bonmun import minhash

    return min(_seconds(lambda: [minhash.signature(minhash.words(text)) for text in texts]) for _ in range(ROUNDS))


def _index_bytes(texts: list[str]) -> float:
    """Bytes of a text in the index of exact and near-duplicates, for texts that differ."""
    from bonmun.scale.sieve.filters import Filters, Traits
    from bonmun.scale.sieve.seen import Seen

    filters = Filters(unique=True, near_duplicates=0.8)
    seen = Seen(filters)
    kept = sum(seen.decide(Traits.of(text, None, None, filters)) is None for text in texts if text)
    return seen.size / kept


def _learned_hosts(hosts: int = 5) -> tuple[float, float, float]:
    """CPU seconds to learn a host with many pages, how many were taken, and the bytes of the site file."""
    import pyarrow as pa

    from bonmun.scale.sites.learn_host import learn_host
    from bonmun.scale.sites.settings import DEFAULT_SITES

    by_host = groupby(sorted(pages("daniel_dev"), key=lambda one: str(one["host"])), key=lambda one: str(one["host"]))
    large = sorted(((host, list(records)) for host, records in by_host), key=lambda one: -len(one[1]))[:hosts]
    seconds, taken, written = 0.0, 0, 0
    for host, records in large:
        urls = [f"https://{host}/{number}" for number in range(len(records))]
        table = pa.table({"url": urls, "html": [_content(record) for record in records]})
        started = process_time()
        written += len(learn_host(host, table) or b"")
        seconds += process_time() - started
        taken += min(len(records), DEFAULT_SITES.most_pages)
    return seconds / len(large), taken / len(large), written / len(large)
