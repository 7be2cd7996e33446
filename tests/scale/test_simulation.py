"""The simulations behind docs/scale.md keep what they simulate: pages, tasks, time."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from bench.scale_figures import known_figures, write_archive
from bench.scale_model import Assumptions, tables, write_docs
from bench.scale_simulation import Cluster, Hosts, Job, all_pages, run_job, salted, sampled, skew
from bonmun.errors import SourceError

WEB = Hosts(pages=1e6, count=2e4, common=2e4, largest=1e5)
UNRELIABLE = Cluster(48, slow_nodes=0.3, failures_per_core_hour=20)
JOB = Job(pages=50_000, shard=100, page_seconds=0.05)
DOCS = Path(__file__).parents[2] / "docs" / "scale.md"


def test_hosts_have_all_pages_and_the_sizes_asked_for() -> None:
    hosts = WEB.ranked(head=500)
    assert sum(count * size for count, size in hosts) == pytest.approx(WEB.pages)
    assert sum(count for count, _ in hosts) == pytest.approx(WEB.count + 1)
    assert hosts[0][1] == WEB.largest and hosts[1][1] == pytest.approx(WEB.common, rel=0.1)
    assert all(larger >= smaller for (_, larger), (_, smaller) in pairwise(hosts))


@pytest.mark.parametrize("share", [all_pages, salted(1_000)], ids=["plain", "salted"])
def test_a_shuffle_loses_no_page(share) -> None:
    found = skew(WEB, share, tasks=64, head=500)
    assert found.total == pytest.approx(WEB.pages) and found.mean * 64 == pytest.approx(WEB.pages)
    assert found.longest >= max(found.mean, found.largest_key)


def test_one_large_host_is_the_longest_task_unless_it_is_sampled_or_salted() -> None:
    plain, few, salt = (skew(WEB, share, tasks=64, head=500) for share in (all_pages, sampled(32), salted(1_000)))
    assert plain.largest_key == WEB.largest and plain.ratio > WEB.largest / plain.mean
    assert few.largest_key == 32 and few.total < 32 * WEB.count and few.ratio < 1.2
    assert salt.largest_key <= 1_000 and salt.ratio < plain.ratio / 2


@pytest.mark.parametrize("speculate", [False, True])
@pytest.mark.parametrize("cluster", [UNRELIABLE, Cluster(48, slow_nodes=0)], ids=["unreliable", "reliable"])
def test_every_task_is_done_once(cluster: Cluster, speculate: bool) -> None:
    outcome = run_job(JOB, cluster, speculate=speculate)
    assert (outcome.done, outcome.twice) == (JOB.tasks, 0)
    assert outcome.seconds > outcome.ideal
    assert bool(outcome.retried) == (cluster is UNRELIABLE)


def test_time_is_at_least_that_of_the_work_and_of_the_driver() -> None:
    slow_driver = replace(UNRELIABLE, dispatches_per_second=5)
    assert run_job(JOB, slow_driver, speculate=False).seconds > JOB.tasks / 5
    alone = run_job(replace(JOB, shard=50_000), Cluster(48), speculate=False)
    assert alone.seconds > JOB.pages * JOB.page_seconds / 2  # one task, on one core


def test_copies_are_made_of_late_tasks_only_and_help() -> None:
    job = replace(JOB, shard=1_000)
    without, with_copies = (run_job(job, UNRELIABLE, speculate=speculate) for speculate in (False, True))
    assert without.copies == 0 < with_copies.copies <= job.tasks
    assert with_copies.seconds < without.seconds
    even = replace(job, page_spread=0.0, shard_spread=0.0)
    reliable = Cluster(48, slow_nodes=0, failures_per_core_hour=0)
    assert run_job(even, reliable, speculate=True).copies == 0


def test_the_same_seed_gives_the_same_job() -> None:
    assert run_job(JOB, UNRELIABLE, speculate=True) == run_job(JOB, UNRELIABLE, speculate=True)
    assert run_job(JOB, UNRELIABLE, speculate=True) != run_job(JOB, UNRELIABLE, speculate=True, seed=2)


def test_the_end_of_a_long_job_is_that_of_the_whole_job() -> None:
    whole = run_job(JOB, UNRELIABLE, speculate=True, exact=1_000)
    end = run_job(JOB, UNRELIABLE, speculate=True, exact=4)
    assert end.done == whole.done == JOB.tasks
    assert end.seconds == pytest.approx(whole.seconds, rel=0.1)


def test_the_docs_have_the_tables_of_the_model(tmp_path: Path) -> None:
    copy = tmp_path / "scale.md"
    copy.write_bytes(DOCS.read_bytes())
    write_docs(copy, tables(known_figures(), Assumptions(), simulate=False))
    assert copy.read_text(encoding="utf-8") == DOCS.read_text(encoding="utf-8")
    assert len(re.findall("<!-- scale_model: ", copy.read_text(encoding="utf-8"))) == 7
    copy.write_text("no marker", encoding="utf-8")
    with pytest.raises(SourceError, match="is missing"):
        write_docs(copy, {"costs": ""})


def test_the_archive_of_the_sample_can_be_read(tmp_path: Path) -> None:
    fastwarc = pytest.importorskip("fastwarc.warc", reason="fastwarc is not installed")
    pages = [{"id": str(number), "url": None, "html": f"<p>Tea {number} é"} for number in range(3)]
    assert write_archive(tmp_path / "a.warc.gz", pages) == 3
    with (tmp_path / "a.warc.gz").open("rb") as file:
        read = [record.reader.read().decode() for record in fastwarc.ArchiveIterator(file, parse_http=True)]
    assert read == [page["html"] for page in pages]
