"""A live service with jobs, and a local site for them to crawl."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

import httpx2
import uvicorn

from bench.page_server import PageServer, serving
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.serve.app import create_app
from bonmun.serve.jobs.settings import JobSettings
from bonmun.serve.settings import ServeSettings

SENTENCE = "The river rose in the night, and by morning the lower road was gone under brown water."
NETWORK = NetworkSettings(delay=0, retries=0, per_host=4)
JOBS = JobSettings(network=NETWORK, patience=5.0, nice=0)
RESTING = ("done", "cancelled", "failed", "interrupted")


def page(number: int, links: Sequence[int] = ()) -> bytes:
    """A page of its own title and text, with links to others."""
    words = " ".join(f"word{number * 37 + other * 11}" for other in range(30))
    anchors = "".join(f"<a href=/{other}>Page {other}</a> " for other in links)
    return f"<title>Page {number}</title><h1>Page {number}</h1><p>{SENTENCE} {words}.</p><nav>{anchors}</nav>".encode()


def site(count: int) -> list[bytes]:
    """A home page that links to all others, which link to the next ones."""
    return [
        page(number, range(number + 1, count if number == 0 else min(count, number + 3))) for number in range(count)
    ]


class Gated(list[bytes]):
    """Pages, of which those after the first few are answered only once the gate is open."""

    def __init__(self, pages: Sequence[bytes], free: int) -> None:
        super().__init__(pages)
        self.free = free
        self.gate = threading.Event()

    def __getitem__(self, number: Any) -> Any:
        if number >= self.free:
            self.gate.wait(30)
        return super().__getitem__(number)


@pytest.fixture
def server() -> Iterator[PageServer]:
    with serving(site(12)) as running:
        yield running


def settings(store: Path | str, **jobs: Any) -> ServeSettings:
    return ServeSettings(store=str(store), workers=1, allow_private=True, jobs=replace(JOBS, **jobs))


class Live:
    """A client of a running service."""

    def __init__(self, address: str, client: httpx2.Client) -> None:
        self.address, self.client = address, client

    def post(self, path: str, **options: Any) -> httpx2.Response:
        return self.client.post(path, **options)

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.client.get(path, **options)

    def crawl(self, *sources: str, **options: Any) -> str:
        answer = self.post("/v1/jobs", json={"sources": list(sources), **options})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def batch(self, *lines: str | bytes, **options: Any) -> str:
        content = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
        headers = {"Content-Type": "application/x-ndjson"}
        answer = self.post("/v1/jobs", content=content, headers=headers, params=options)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def job(self, job_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.get(f"/v1/jobs/{job_id}").raise_for_status().json()
        return found

    def failures(self, job_id: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get(f"/v1/jobs/{job_id}/failures").raise_for_status().json()["failures"]
        return found

    def wait(self, job_id: str, is_met: Callable[[dict[str, Any]], bool] | None = None) -> dict[str, Any]:
        """Poll until a job rests, or a condition is met."""
        end = monotonic() + 120
        while monotonic() < end:
            job = self.job(job_id)
            if is_met(job) if is_met else job["state"] in RESTING:
                return job
            sleep(0.05)
        raise AssertionError(f"timeout: {job}")


@contextmanager
def live(chosen: ServeSettings) -> Iterator[Live]:
    """Run the service in a thread, on a port of its own."""
    app = create_app(chosen)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=5))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        end = monotonic() + 30
        while not server.started and monotonic() < end:
            sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            yield Live(f"http://127.0.0.1:{port}", client)
    finally:
        if hasattr(app.state, "service"):
            app.state.service.jobs.watch.close()
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("jobs") / "store.db"


@pytest.fixture(scope="module")
def service(store: Path) -> Iterator[Live]:
    """A service for the tests of a module."""
    with live(settings(store)) as running:
        yield running
