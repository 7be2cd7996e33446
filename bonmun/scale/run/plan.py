"""What is to be done: which shards are finished, and which have to be done, or done anew."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bonmun.errors import OutputDiffers
from bonmun.scale.run.first_pass import checksum, stamp_sites
from bonmun.scale.run.folder import OutputFolder
from bonmun.scale.run.marker import Marker
from bonmun.scale.run.settings import RunSettings, differences

if TYPE_CHECKING:
    from bonmun.scale.shards import Shard


@dataclass(slots=True)
class Plan:
    """The shards of a run by their number."""

    shards: "Sequence[Shard]" = ()
    """All of them, those of other parts too."""
    done: dict[int, Marker] = field(default_factory=dict)
    """Finished before."""
    todo: "dict[int, Shard]" = field(default_factory=dict)
    anew: dict[str, list[str]] = field(default_factory=dict)
    """The names of the finished shards that are done anew, by reason."""

    @property
    def notes(self) -> list[str]:
        """Why shards are done anew, a line for each reason.

        >>> Plan(anew={"changed since it was done": ["a.warc.gz"]}).notes
        ['a.warc.gz: changed since it was done: it is done anew']
        """
        lines = []
        for why, names in self.anew.items():
            more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
            lines.append(f"{names[0]}{more}: {why}: {'they are' if more else 'it is'} done anew")
        return lines


def planned(folder: OutputFolder, shards: "Sequence[Shard]", settings: RunSettings) -> Plan:
    """Compare the folder with what is asked for now; raise `OutputDiffers` if its results do not belong to it."""
    if settings.restart:
        folder.remove_results()
    identity = settings.identity() | {"sites": checksum(settings.batch.sites)}
    record: dict[str, object] = {"settings": identity, "shards": [shard.name for shard in shards]}
    with folder.turn():
        old = folder.record()
        if old is not None:
            _compare(folder, old, record)
        if old != record:
            folder.write_state("batch.json", record)
        folder.clean()
        why = stamp_sites(folder, shards, settings) if settings.learn_sites else None
    return _planned(folder, shards, settings, why)


def _compare(folder: OutputFolder, old: dict[str, object], new: dict[str, object]) -> None:
    """Raise an error unless the old run had the same settings, and its shards are the first ones of the new."""
    for what in differences(_dict(old.get("settings")), _dict(new["settings"])):
        raise OutputDiffers(str(folder.path), what)
    before, now = _list(old.get("shards")), _list(new["shards"])
    for number, name in enumerate(before):
        there = now[number] if number < len(now) else None
        if name != there:
            raise OutputDiffers(str(folder.path), f"shard {number} was {name}, is now {there or 'missing'}")


def _planned(folder: OutputFolder, shards: "Sequence[Shard]", settings: RunSettings, why_all: str | None) -> Plan:
    plan = Plan(shards)
    for number, shard in enumerate(shards):
        if not folder.is_mine(number):
            continue
        marker = folder.marker(number)
        after = bool(plan.todo)
        why = why_all or _why_anew(folder, shard, marker) or _why_after(folder, number, settings, after=after)
        if marker and not why:
            plan.done[number] = marker
            continue
        if marker and why:
            plan.anew.setdefault(why, []).append(shard.name)
        folder.forget(number)
        plan.todo[number] = shard
    if plan.todo:
        folder.forget_account()
    return plan


def _why_anew(folder: OutputFolder, shard: "Shard", marker: Marker | None) -> str | None:
    """Return why a finished shard has to be done anew; None if it has not, or was never finished."""
    if marker is None:
        return None
    if not marker.is_of(shard):
        return "changed since it was done"
    return None if folder.has_part(marker) else f"{marker.part.name} is missing or cut"


def _why_after(folder: OutputFolder, number: int, settings: RunSettings, *, after: bool) -> str | None:
    """Return why a shard has to be done anew where duplicates are removed, in the order of shards."""
    if not settings.in_order:
        return None
    if after:
        return "an earlier shard is not done, and duplicates are removed in order"
    return None if folder.seen_path(number).exists() else f"{folder.seen_path(number).name} is missing"


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
