import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from bench.page_server import serving
from tests.serve.jobs.conftest import Gated, Live, live, page, settings


@dataclass(frozen=True)
class Event:
    name: str
    data: Any
    id: str = ""


def events(lines: Iterator[str]) -> Iterator[Event]:
    """The events of a stream, for 90 seconds; a comment (heartbeats would keep a lost wait alive) has no name."""
    fields: dict[str, str] = {}
    end = monotonic() + 90
    for line in lines:
        assert monotonic() < end
        if line.startswith(":"):
            yield Event("", None)
        elif line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield Event(fields["event"], json.loads(fields["data"]), fields["id"])
            fields = {}


@contextmanager
def listening(service: Live, path: str, last: str = "") -> Iterator[Iterator[Event]]:
    headers = {"Last-Event-ID": last} if last else {}
    with (
        httpx2.Client(base_url=service.address, timeout=30) as client,
        client.stream("GET", path, headers=headers) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield events(answer.iter_lines())


def has_stored(heard: list[Event]) -> bool:
    return any(event.name == "job" and event.data["counts"]["stored"] for event in heard)


def test_a_job_tells_its_state_its_changes_and_its_end(service: Live) -> None:
    pages = Gated([page(number) for number in range(8)], free=4)
    with serving(pages) as server:
        job_id = service.crawl(*server.urls(), server.urls()[0] + "/missing")
        found: list[list[Event]] = [[], [], []]

        def listen(heard: list[Event]) -> None:
            with listening(service, f"/v1/jobs/{job_id}/events") as stream:
                for event in stream:
                    heard.append(event)

        threads = [threading.Thread(target=listen, args=(heard,)) for heard in found]
        for thread in threads:
            thread.start()
        end = monotonic() + 60
        while not all(map(has_stored, found)) and monotonic() < end:
            sleep(0.05)
        pages.gate.set()
        for thread in threads:
            thread.join()
    for heard in found:
        jobs = [event.data for event in heard if event.name == "job"]
        assert heard[0].name == "job"
        assert heard[-1] == Event("end", {}, heard[-1].id)
        assert jobs[-1]["state"] == "done"
        assert (jobs[-1]["counts"]["stored"], jobs[-1]["counts"]["failed"]) == (8, 1)
        stored = [job["counts"]["stored"] for job in jobs]
        assert stored == sorted(stored)
        assert set(stored) & {1, 2, 3, 4}  # not only the start and the end
        [failure] = [event.data for event in heard if event.name == "failure"]
        assert (failure["stage"], failure["error"], failure["url"]) == (
            "fetch", "BadStatus", server.urls()[0] + "/missing",
        )  # fmt: skip
    with listening(service, f"/v1/jobs/{job_id}/events") as stream:
        assert [event.name for event in stream] == ["job", "end"]
    middle = next(event.id for event in found[0] if event.name == "job")
    with listening(service, f"/v1/jobs/{job_id}/events", last=middle) as stream:
        assert [event.name for event in stream] == ["failure", "job", "end"]
    with listening(service, f"/v1/jobs/{job_id}/events", last=heard[-1].id) as stream:
        assert [event.name for event in stream] == ["end"]


def test_changes_of_all_jobs_are_heard(service: Live) -> None:
    pages = Gated([page(50)], free=0)
    with listening(service, "/v1/jobs/events") as stream, serving(pages) as server:
        job_id = service.crawl(*server.urls())
        states = []
        for event in stream:
            if event.name == "job" and event.data["id"] == job_id:
                states.append(event.data["state"])
                if event.data["state"] == "running":  # a job that is done at once is told of once, as done
                    pages.gate.set()
                if event.data["state"] == "done":
                    break
        assert "running" in states
        service.client.delete(f"/v1/jobs/{job_id}").raise_for_status()
        removed = next(event for event in stream if event.name == "removed")
        assert removed.data == {"id": job_id}
    with listening(service, "/v1/jobs/events", last=str(int(removed.id) - 1)) as stream:
        assert next(stream) == removed
    other = service.batch("{")
    with listening(service, "/v1/jobs/events", last="999999") as stream:  # of another store
        assert any(event.data["id"] == other for event in stream if event.name == "job")


def test_a_silent_stream_has_heartbeats_and_ends_with_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bonmun.serve.jobs.events.HEARTBEAT", 0.1)
    heard: list[Event] = []

    def listen() -> None:
        with listening(service, "/v1/jobs/events") as stream:
            for event in stream:
                heard.append(event)

    thread = threading.Thread(target=listen)
    with live(settings(tmp_path / "store.db")) as service:
        thread.start()
        end = monotonic() + 30
        while len(heard) < 2 and monotonic() < end:
            sleep(0.05)
    thread.join(30)
    assert not thread.is_alive()
    assert set(heard) == {Event("", None)}  # no `end`: the client shall connect again


def test_a_client_that_is_gone_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bonmun.serve.app import create_app

    monkeypatch.setattr("bonmun.serve.jobs.events.HEARTBEAT", 0.1)
    apps: list[FastAPI] = []
    monkeypatch.setattr(
        "tests.serve.jobs.conftest.create_app", lambda chosen: apps.append(create_app(chosen)) or apps[0]
    )
    with live(settings(tmp_path / "store.db")) as service:
        with listening(service, "/v1/jobs/events") as stream:
            next(stream)
            watch = apps[0].state.service.jobs.watch
            assert watch.listeners == 1
        end = monotonic() + 30
        while watch.listeners and monotonic() < end:
            sleep(0.05)
        assert watch.listeners == 0
