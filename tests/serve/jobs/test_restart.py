import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from bench.page_server import serving
from bonmun.store import open_store
from tests.serve.jobs.conftest import Gated, Live, live, page, settings, site

ROOT = Path(__file__).parents[3]


@contextmanager
def killed(store: Path) -> Iterator[Live]:
    """Run the service as a process; kill it at the end of the block."""
    command = [sys.executable, "-m", "tests.serve.jobs.served", str(store)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        port = process.stdout.readline().decode().strip()
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            yield Live(f"http://127.0.0.1:{port}", client)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        process.stdout.close()


def test_jobs_of_a_service_that_is_killed_and_then_shut_down_go_on_where_they_were(tmp_path: Path) -> None:
    store, pages = tmp_path / "store.db", Gated(site(25), free=6)
    lines = [json.dumps({"html": page(number).decode(), "id": number}) for number in range(100)]
    with serving(pages) as server:
        urls = server.urls()
        with killed(store) as service:
            crawl = service.crawl(f"site:{urls[0]}")
            service.wait(crawl, lambda job: job["counts"]["stored"] >= 3)
            batch = service.batch(*lines)
            service.wait(batch, lambda job: job["counts"]["stored"] >= 3)
        with open_store(store) as opened:
            assert opened.jobs.get(crawl).state == "running"
            before = {document.url for document in opened.documents()}
        assert 3 <= len(before) <= 5
        pages.free = 12
        with live(settings(store)) as service:
            service.wait(crawl, lambda job: job["counts"]["stored"] >= 8)
        with open_store(store) as opened:
            job = opened.jobs.get(crawl)
            assert (job.state, job.holder) == ("interrupted", None)
            assert 8 <= job.counts["stored"] == opened.stats().documents <= 11
        pages.gate.set()
        with live(settings(store)) as service:
            for job_id, count in ((crawl, 24), (batch, 100)):
                job = service.wait(job_id, lambda job: job["state"] == "done")
                assert (job["counts"]["stored"], job["counts"]["failed"]) == (count, 0)
            answer = service.get(f"/v1/jobs/{batch}/results").text
        assert {server.served[urls.index(url)] for url in before} == {1}  # what was recorded is not fetched again
    assert [json.loads(line)["id"] for line in answer.splitlines()] == list(range(100))
    with open_store(store) as opened:
        assert sorted(document.url for document in opened.documents()) == sorted(urls[1:])
        assert opened.stats().versions == 24


@pytest.mark.parametrize("resume", [False, True])
def test_jobs_of_dead_processes_are_taken_over(tmp_path: Path, resume: bool) -> None:
    store = tmp_path / "store.db"
    past, future = "2000-01-01T00:00:00+00:00", "2100-01-01T00:00:00+00:00"
    with open_store(store) as opened:

        def add(state: str, until: str | None) -> str:
            return opened.jobs.add(state, "batch", {"method": "auto"}, state, holder="other|1|7", held_until=until).id

        dead, alive, cancelled = add("running", past), add("running", future), add("stopping", past)
        uploading, interrupted = add("uploading", past), add("interrupted", None)
    with live(settings(store, resume=resume)) as service:
        expected = "done" if resume else "interrupted"
        for job_id in (dead, interrupted):
            service.wait(job_id, lambda job: job["state"] == expected)
        assert service.wait(cancelled)["state"] == "cancelled"
        assert service.job(alive)["state"] == "running"
        assert service.get(f"/v1/jobs/{uploading}").status_code == 404
        if not resume:
            service.post(f"/v1/jobs/{dead}/resume").raise_for_status()
            service.wait(dead, lambda job: job["state"] == "done")
