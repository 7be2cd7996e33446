"""The first pass of a batch run: the templates of all sites with enough pages, as a folder of site files."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa

from bonmun.atomic_file import write_atomically
from bonmun.errors import SourceError
from bonmun.scale.sites.buckets import Buckets
from bonmun.scale.sites.learn_host import learn_host
from bonmun.scale.sites.sample import SAMPLE_SCHEMA, sampled
from bonmun.scale.sites.settings import DEFAULT_SITES, SiteSettings
from bonmun.sites.library import SiteLibrary
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

FOLDER, MARKER, WORK = "sites", "sites.done.json", ".bonmun-sites"
"""Names in the output folder: the site files, what says that they are complete, and the bucket files meanwhile."""
_VERSION = 1
_CACHED = 256
"""Sites that a process keeps in memory."""
_MEMORY = 4 << 30
_PAGES_OF_SECONDS = 4.0
"""Learning a host may take this many times the seconds of a page."""
_NAMED_FAILURES = 100

Progress = Callable[[str, int, int | None], object]
"""Called with a stage, `reading` (pages) or `learning` (hosts), how many are done, and of how many, if known."""


@dataclass(frozen=True, slots=True)
class SiteCounts:
    """What was learned from what."""

    pages: int = 0
    """Pages that were read."""
    hosts: int = 0
    """Hosts with enough pages."""
    learned: int = 0
    unlearned: int = 0
    """Hosts whose pages have nothing in common that could be learned."""
    failed: int = 0
    """Hosts whose learning exceeded a limit or killed its process."""

    def __str__(self) -> str:
        return f"{self.learned:,} of {self.hosts:,} sites learned from {self.pages:,} pages, {self.failed:,} failed"


@dataclass(frozen=True, slots=True)
class LearnedSites:
    """The templates of a batch, for `BatchSettings.sites`, and how they came about."""

    sites: SiteLibrary
    counts: SiteCounts
    failures: tuple[str, ...] = ()
    """The first hosts that failed, with their errors."""


def learn_sites(
    batches: Iterable[pa.RecordBatch],
    output: str | Path,
    settings: SiteSettings = DEFAULT_SITES,
    *,
    jobs: int = 1,
    progress: Progress = lambda stage, done, total: None,
) -> LearnedSites:
    """Learn the sites of all pages, as files of the folder `sites` in an output folder.

    If they are there already, learned with the same settings, no batch is asked for. The files depend on the pages,
    not on their order, the number of jobs or an interruption. Pages of sites that are not learned are extracted by
    `auto`, as are those that a template does not fit.

    >>> from tempfile import TemporaryDirectory
    >>> page = "<title>{0}</title><div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made by hand.</div>"
    >>> names = "Tea Bread Glass Ink Soap Paper Rope Salt".split()
    >>> urls = [f"https://example.org/{name}" for name in names]
    >>> pages = {"url": urls, "html": [page.format(name) for name in names]}
    >>> with TemporaryDirectory() as folder:
    ...     learned = learn_sites([pa.RecordBatch.from_pydict(pages)], folder)
    ...     print(learned.counts, learned.sites.hosts())
    1 of 1 sites learned from 8 pages, 0 failed ['example.org']
    """
    output = Path(output)
    done = _finished(output, settings)
    if done is not None:
        return done
    folder, work = output / FOLDER, output / WORK
    for old in (folder, work):
        shutil.rmtree(old, ignore_errors=True)
        old.mkdir(parents=True)
    library = SiteLibrary(folder, most_cached=_CACHED)
    try:
        learned = _learned(batches, work, library, settings, jobs, progress)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    marker = {"version": _VERSION, "settings": asdict(settings), **_plain(learned)}
    write_atomically(output / MARKER, json.dumps(marker, indent=2, ensure_ascii=False).encode("utf-8", "replace"))
    return learned


def _learned(
    batches: Iterable[pa.RecordBatch],
    work: Path,
    library: SiteLibrary,
    settings: SiteSettings,
    jobs: int,
    progress: Progress,
) -> LearnedSites:
    read = learned = 0
    failures: list[str] = []
    with Buckets(work, settings) as buckets:
        for batch in batches:
            buckets.add(sampled(batch, settings))
            read += batch.num_rows
            progress("reading", read, None)
        hosts = buckets.finish()
        for number, (host, site) in enumerate(learn_hosts(buckets.hosts(), settings, jobs), 1):
            if isinstance(site, Failure):
                failures.append(f"{host}: {site.kind}: {site.message}")
            elif site is not None:
                learned += _saved(library, host, site)
            progress("learning", number, hosts)
    counts = SiteCounts(read, hosts, learned, hosts - learned - len(failures), len(failures))
    return LearnedSites(library, counts, tuple(failures[:_NAMED_FAILURES]))


def _saved(library: SiteLibrary, host: str, site: bytes) -> bool:
    """Write a site file; not for a host that is no file name, and whose site nobody would find."""
    path = library.path(host)
    if path is not None:
        write_atomically(path, site)
    return path is not None


def learn_hosts(
    hosts: Iterable[tuple[str, pa.RecordBatch]], settings: SiteSettings, jobs: int
) -> Iterator[tuple[str, bytes | Failure | None]]:
    """Yield what was learned of every host from its pages (`SAMPLE_SCHEMA`), in order, in killable processes."""
    seconds = _PAGES_OF_SECONDS * settings.limits.seconds
    names: list[str] = []

    def packed() -> Iterator[tuple[str, bytes]]:
        for host, pages in hosts:
            names.append(host)
            yield host, pages.serialize().to_pybytes()

    task = _Learning(settings)
    with WorkerPool(task, jobs=jobs, seconds=seconds, memory=_MEMORY, queue=2 * max(jobs, 1)) as pool:
        for result in pool.map(packed()):
            yield names.pop(0), result


@dataclass(frozen=True, slots=True)
class _Learning:
    """`learn_host` on packed pages, picklable."""

    settings: SiteSettings

    def __call__(self, packed: tuple[str, bytes]) -> bytes | None:
        host, pages = packed
        return learn_host(host, pa.ipc.read_record_batch(pa.py_buffer(pages), SAMPLE_SCHEMA), self.settings)


def _finished(output: Path, settings: SiteSettings) -> LearnedSites | None:
    """Return the sites that an earlier call has learned with these settings."""
    path = output / MARKER
    if not path.exists():
        return None
    try:
        marker = json.loads(path.read_bytes())
        same = marker["version"] == _VERSION and marker["settings"] == asdict(settings)
        learned = LearnedSites(
            SiteLibrary(output / FOLDER, most_cached=_CACHED),
            SiteCounts(**marker["counts"]),
            tuple(map(str, marker["failures"])),
        )
    except (ValueError, TypeError, KeyError) as error:
        raise SourceError(f"{path}: not a marker of learned sites; remove it to learn them again") from error
    if not same:
        path.unlink()
    return learned if same else None


def _plain(learned: LearnedSites) -> dict[str, object]:
    return {"counts": asdict(learned.counts), "failures": list(learned.failures)}
