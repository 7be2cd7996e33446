"""The batch run: shards in order through the worker pool into parts."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from time import monotonic

from bonmun.inputs.member import Reading
from bonmun.scale.killable import BatchPool
from bonmun.scale.run.account import Account
from bonmun.scale.run.delivery import Delivery
from bonmun.scale.run.filtering import Filtering
from bonmun.scale.run.first_pass import learned
from bonmun.scale.run.folder import OutputFolder
from bonmun.scale.run.intake import Intake
from bonmun.scale.run.marker import Marker, damage_line
from bonmun.scale.run.plan import Plan, planned
from bonmun.scale.run.progress import SILENT, Progress
from bonmun.scale.run.settings import RunSettings
from bonmun.scale.shards import gather

_DEFAULT = RunSettings()


def run_batch(
    sources: Sequence[str], output: str | Path, settings: RunSettings = _DEFAULT, *, progress: Progress = SILENT
) -> Account:
    """Extract the pages of all sources into a folder, a part for each shard, and return the account.

    A shard is a file of the sources: WARC, WACZ, Parquet, JSON lines, or some pages of a folder. A finished one has a
    marker: the same call goes on where an interrupted one ended, and gives the same files. A page that fails is a row
    with its error. `OutputError` if the folder cannot be written, is in use, or has the results of other settings.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     page = Path(folder, "tea.html")
    ...     _ = page.write_text("<title>Tea</title><p>Tea is made of leaves, and of hot water.</p>")
    ...     print(run_batch([str(page)], f"{folder}/out", RunSettings(jobs=1)).statuses)
    ...     print(run_batch([str(page)], f"{folder}/out", RunSettings(jobs=1)).line())
    {'ok': 1}
    1 page in = 1 ok; 1 shard (1 done before)
    """
    started = monotonic()
    shards = gather(sources, excluded=Path(output))
    with OutputFolder(Path(output), settings.suffix, settings.part) as folder:
        plan = planned(folder, shards, settings)
        progress.begin(plan)
        delivery = _deliver(folder, plan, settings, progress)
        markers = {**plan.done, **delivery.markers}
        account = _account(markers, plan, delivery, monotonic() - started)
        _write_account(folder, len(plan.shards))
    return account


def _deliver(folder: OutputFolder, plan: Plan, settings: RunSettings, progress: Progress) -> Delivery:
    """Do what is to be done; finished shards stay whatever happens."""
    if settings.learn_sites and plan.todo:
        sites = learned(folder, plan.shards, settings, progress)
        settings = replace(settings, learn_sites=False, batch=replace(settings.batch, sites=sites))
    filtering = Filtering(settings, folder, plan)
    intake = Intake(plan.todo.items(), Reading(settings.batch.limits.bytes, settings.columns))
    with Delivery(folder, settings.format, filtering, progress) as delivery:
        if plan.todo:
            with BatchPool(filtering.asked, jobs=settings.jobs, then=filtering.marking) as pool:
                for rows in pool.map(intake):
                    delivery.steps(intake.settled())
                    delivery.answer(intake.next_batch(), rows)
                    delivery.steps(intake.settled())
                delivery.steps(intake.settled())
    return delivery


def _account(markers: dict[int, Marker], plan: Plan, delivery: Delivery, seconds: float) -> Account:
    """Return the sum of all finished shards."""
    ordered = [markers[number] for number in sorted(markers)]
    return Account.of(
        (marker.tally() for marker in ordered),
        shards=len(ordered),
        resumed=len(plan.done),
        damages=tuple(damage_line(damage) for marker in ordered for damage in marker.damages),
        failed_shards=tuple(delivery.failed),
        new_pages=sum(marker.pages for marker in delivery.markers.values()),
        seconds=seconds,
    )


def _write_account(folder: OutputFolder, shards: int) -> None:
    """Write the counts of all shards once all are done, by this run or by several on parts of them."""
    with folder.turn():
        markers = [folder.marker(number) for number in range(shards)]
        done = [marker for marker in markers if marker is not None]
        if len(done) == shards:
            total = Account.of((marker.tally() for marker in done), shards=shards)
            names = ("pages", "statuses", "filtered", "shards")
            folder.write_state("account.json", {name: asdict(total)[name] for name in names})
