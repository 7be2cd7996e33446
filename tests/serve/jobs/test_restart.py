import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from bench.page_server import serving
from bonmun.store import open_store
from tests.serve.jobs.conftest import Gated, Live, page, site

ROOT = Path(__file__).parents[3]


@contextmanager
def served(store: Path, end: signal.Signals) -> Iterator[Live]:
    """Run the service as a process; send it a signal at the end of the block."""
    command = [sys.executable, "-m", "tests.serve.jobs.served", str(store)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        port = process.stdout.readline().decode().strip()
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield Live(f"http://127.0.0.1:{port}", client)
    finally:
        process.send_signal(end)
        process.communicate(timeout=60)


def test_jobs_of_a_service_that_is_shut_down_and_then_killed_go_on_where_they_were(tmp_path: Path) -> None:
    store, pages = tmp_path / "store.db", Gated(site(25), free=6)
    lines = [json.dumps({"html": page(number).decode(), "id": number}) for number in range(150)]
    with serving(pages) as server:
        urls = server.urls()
        with served(store, signal.SIGTERM) as service:
            crawl = service.crawl(f"site:{urls[0]}")
            service.wait(crawl, lambda job: job["counts"]["stored"] >= 3)
        with open_store(store) as opened:
            job = opened.jobs.get(crawl)
            assert (job.state, job.holder) == ("interrupted", None)
            assert 3 <= job.counts["stored"] == opened.stats().documents <= 5
        pages.free = 12
        with served(store, signal.SIGKILL) as service:
            batch = service.batch(*lines)
            service.wait(crawl, lambda job: job["counts"]["stored"] >= 9)
            service.wait(batch, lambda job: job["counts"]["stored"] >= 3)
        with open_store(store) as opened:
            before = {document.url for document in opened.documents()}
            assert opened.jobs.get(crawl).state == "running"
        assert 9 <= len(before) < 12
        pages.gate.set()
        with served(store, signal.SIGTERM) as service:
            for job_id, count in ((crawl, 24), (batch, 150)):
                job = service.wait(job_id, lambda job: job["state"] == "done")
                assert (job["counts"]["stored"], job["counts"]["failed"]) == (count, 0)
            answer = service.get(f"/v1/jobs/{batch}/results").text
        again = {urls.index(url) for url in before if server.served[urls.index(url)] > 1}
        assert again <= {6}  # what was recorded is not fetched again; this one was being fetched at the first end
    assert [json.loads(line)["id"] for line in answer.splitlines()] == list(range(150))
    with open_store(store) as opened:
        assert sorted(document.url for document in opened.documents()) == sorted(urls[1:])
        assert opened.stats().versions == 24
