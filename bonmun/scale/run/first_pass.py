"""The sites of a run: those that it is given, by their checksum, or those that it learns before it extracts."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from bonmun.errors import OutputDiffers
from bonmun.inputs.member import Reading
from bonmun.registry import SiteLookup
from bonmun.scale.reading import read_shard
from bonmun.scale.run.durable import reading, writing
from bonmun.scale.run.folder import OutputFolder
from bonmun.scale.run.progress import Progress
from bonmun.scale.run.settings import RunSettings
from bonmun.scale.shards import Shard
from bonmun.scale.sites.settings import SiteSettings

STAMP = "sites-of.json"
"""The inputs that the sites were learned from."""


def stamp_sites(folder: OutputFolder, shards: Sequence[Shard], settings: RunSettings) -> str | None:
    """Note what sites are learned from. Return why all shards have to be done anew; None if they have not."""
    now = {"shards": [[shard.name, shard.size, shard.modified] for shard in shards]}
    before = folder.state(STAMP)
    if before == now:
        return None
    if before is not None:
        if settings.part[1] > 1:
            raise OutputDiffers(str(folder.path), "sites were learned from other inputs; run it once without part")
        folder.forget_sites()
    folder.write_state(STAMP, now)
    return "sites are learned anew, from other inputs" if before is not None else None


def learned(folder: OutputFolder, shards: Sequence[Shard], settings: RunSettings, progress: Progress) -> SiteLookup:
    """Return the sites of all shards; those that an earlier run has learned are not learned again."""
    from bonmun.scale.sites.learn_sites import learn_sites  # Most runs learn nothing, and need none of its modules.

    limits = settings.batch.limits
    batches = _batches(shards, Reading(limits.bytes, settings.columns))
    with folder.turn(), reading(folder.path, "sites"), writing(folder.path, "sites"):
        found = learn_sites(
            batches, folder.ours, SiteSettings(limits=limits), jobs=settings.jobs, progress=progress.learning
        )
    progress.note(str(found.counts))
    for line in found.failures:
        progress.note(f"site not learned: {line}")
    return found.sites


def _batches(shards: Sequence[Shard], how: Reading) -> Iterator[pa.RecordBatch]:
    """All pages; what cannot be read is named when they are extracted."""
    for shard in shards:
        for item in read_shard(shard, how):
            if isinstance(item, pa.RecordBatch):
                yield item


def checksum(sites: SiteLookup | None) -> str | None:
    """Return what tells other sites: of a library the content of its files, of a site its own.

    >>> checksum(None) is None
    True
    """
    if sites is None:
        return None
    digest = hashlib.sha256(type(sites).__name__.encode())
    folder, to_json = getattr(sites, "folder", None), getattr(sites, "to_json", None)
    if isinstance(folder, Path):
        for path in sorted(folder.glob("*.json")):
            digest.update(path.name.encode(errors="replace") + b"\0" + path.read_bytes())
    elif to_json is not None:
        digest.update(to_json().encode(errors="replace"))
    return digest.hexdigest()[:16]
