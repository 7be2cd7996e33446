import os
from collections import Counter
from pathlib import Path
from time import monotonic

import pytest

from bench.page_server import PageServer, serving
from bonmun.store import open_store
from tests.serve.jobs.conftest import Gated, Live, live, page, settings, site


def urls_of(store: Path, source: str) -> list[str]:
    with open_store(store) as opened:
        return sorted(document.url for document in opened.documents(source=source))


def test_a_site_is_crawled_into_the_store(service: Live, server: PageServer, store: Path) -> None:
    job = service.wait(service.crawl(f"site:{server.urls()[0]}", name="tea"))
    assert (job["state"], job["name"], job["kind"], job["pending"], job["rate"]) == ("done", "tea", "crawl", 0, 0)
    counts = job["counts"]
    assert counts["taken"] == counts["fetched"] == counts["extracted"] == counts["stored"] == 11
    assert (counts["failed"], counts["sources"], counts["sources_read"]) == (0, 1, 1)
    assert urls_of(store, job["source"]) == sorted(server.urls()[1:])  # the home page is a list
    assert set(server.served.values()) == {1}
    assert job["created_at"] <= job["started_at"] <= job["ended_at"]


def test_failures_are_grouped_by_reason_and_tried_again(service: Live, store: Path) -> None:
    with serving([page(number) for number in range(2)]) as server:
        base = server.urls()[0].removesuffix("/0")
        job_id = service.crawl(*server.urls(), f"{base}/2", f"{base}/3", f"{base}/nothing")
        job = service.wait(job_id)
        assert (job["state"], job["counts"]["stored"], job["counts"]["failed"]) == ("done", 2, 3)
        [failures] = service.failures(job_id)
        assert (failures["stage"], failures["error"], failures["count"]) == ("fetch", "BadStatus", 3)
        assert sorted(failures["urls"]) == [f"{base}/2", f"{base}/3", f"{base}/nothing"]
        assert "404" in failures["message"]
        server.pages = [page(number) for number in range(4)]
        assert service.post(f"/v1/jobs/{job_id}/retry", json={"stage": "store"}).status_code == 409
        assert service.post(f"/v1/jobs/{job_id}/retry", json={"error": "BadStatus"}).json()["state"] == "waiting"
        job = service.wait(job_id)
        assert (job["state"], job["counts"]["taken"], job["counts"]["stored"]) == ("done", 5, 4)
        assert [failure["urls"] for failure in service.failures(job_id)] == [[f"{base}/nothing"]]
        assert set(server.served.values()) == {1}
        with open_store(store) as opened:
            assert [one.source for one in opened.failures() if one.url == f"{base}/nothing"] == [job["source"]]


def test_stored_pages_are_fetched_again_only_on_request(service: Live) -> None:
    with serving([page(100), page(101)]) as server:
        feed = "".join(f"<item><link>{url}</link></item>" for url in server.urls())
        server.pages = [*server.pages, f"<rss version='2.0'><channel>{feed}</channel></rss>".encode()]
        sources = [server.urls()[0], f"feed:{server.urls()[2]}"]
        assert service.wait(service.crawl(*sources))["counts"]["stored"] == 2
        again = service.wait(service.crawl(*sources))["counts"]
        assert (again["taken"], again["skipped"], again["sources_read"]) == (0, 2, 1)
        assert service.wait(service.crawl(*sources, revisit=True))["counts"]["stored"] == 2
        assert server.served == Counter({0: 2, 1: 2, 2: 3})


def test_a_crawl_ends_after_its_pages(service: Live, server: PageServer) -> None:
    job = service.wait(service.crawl(f"site:{server.urls()[0]}", max_pages=4, revisit=True))
    assert job["state"] == "done"
    assert job["counts"]["stored"] == 3  # one is the home page
    assert sum(server.served.values()) == 4
    job = service.wait(service.crawl(*server.urls(), max_pages=5, revisit=True))
    assert job["counts"]["taken"] == job["counts"]["stored"] == 5


def test_a_crawl_whose_sources_fail_has_failed(service: Live) -> None:
    job_id = service.crawl("feed:http://127.0.0.1:9/feed.xml")
    job = service.wait(job_id)
    assert job["state"] == "failed"
    assert "feed:http://127.0.0.1:9/feed.xml" in job["message"]
    assert [(one["stage"], one["urls"]) for one in service.failures(job_id)] == [
        ("source", ["feed:http://127.0.0.1:9/feed.xml"])
    ]
    assert service.post(f"/v1/jobs/{job_id}/retry").json()["state"] == "waiting"
    assert service.wait(job_id)["state"] == "failed"


@pytest.mark.parametrize(
    "source",
    ["files:/etc/*", "/etc/passwd", "warc:a.warc", "watch:.", "urls:list.txt", "ftp://example.org/", "site:file:///",
     "https://", "feed:", "gopher:tea", "site:/etc", "https://me:secret@example.org/", " "],
)  # fmt: skip
def test_sources_that_are_not_of_the_network_are_refused(service: Live, source: str) -> None:
    answer = service.post("/v1/jobs", json={"sources": ["https://example.org/", source]})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    "body",
    [{"sources": []}, {"sources": ["https://a.example/"] * 1001}, {"sources": ["https://a.example/"], "max_pages": 0},
     {"sources": ["https://a.example/"], "method": "magic"}, {"sources": ["https://a.example/"], "more": 1}, []],
)  # fmt: skip
def test_an_invalid_crawl_is_refused(service: Live, body: object) -> None:
    assert service.post("/v1/jobs", json=body).status_code == 422


def test_jobs_are_listed_and_removed(service: Live, server: PageServer) -> None:
    job_id = service.crawl(server.urls()[0], revisit=True)
    service.wait(job_id)
    listed = service.get("/v1/jobs", params={"limit": 1}).json()
    assert [job["id"] for job in listed["jobs"]] == [job_id]
    assert service.client.delete(f"/v1/jobs/{job_id}").status_code == 204
    assert service.get("/v1/jobs").json()["total"] == listed["total"] - 1
    for path in ("", "/failures", "/results", "/events"):
        assert service.get(f"/v1/jobs/{job_id}{path}").status_code == 404
    assert service.post(f"/v1/jobs/{job_id}/cancel").status_code == 404


def test_a_cancelled_crawl_stops_at_once_and_goes_on_later(tmp_path: Path) -> None:
    pages = Gated(site(30), free=5)
    with serving(pages) as server, live(settings(tmp_path / "store.db", running=1)) as service:
        job_id = service.crawl(f"site:{server.urls()[0]}")
        second = service.crawl(server.urls()[1])
        service.wait(job_id, lambda job: job["counts"]["stored"] >= 3)
        assert service.job(second)["state"] == "waiting"
        assert service.post(f"/v1/jobs/{job_id}/retry").status_code == 409
        assert service.client.delete(f"/v1/jobs/{job_id}").status_code == 409
        started = monotonic()
        assert service.post(f"/v1/jobs/{job_id}/cancel").json()["state"] in ("stopping", "cancelled")
        job = service.wait(job_id)
        assert monotonic() - started < 10
        assert job["state"] == "cancelled"
        assert 3 <= job["counts"]["stored"] < 5
        pages.gate.set()
        assert service.wait(second)["state"] == "done"
        assert service.post(f"/v1/jobs/{second}/resume").status_code == 409
        assert service.post(f"/v1/jobs/{job_id}/resume").json()["state"] == "waiting"
        job = service.wait(job_id)
        assert (job["state"], job["counts"]["stored"]) == ("done", 29)
        assert sum(server.served.values()) <= 36  # what was recorded is not fetched again


def test_private_addresses_are_not_crawled_and_workers_are_nice(tmp_path: Path, server: PageServer) -> None:
    from dataclasses import replace

    chosen = replace(settings(tmp_path / "store.db", nice=5), allow_private=False)
    with live(chosen) as service:
        job_id = service.crawl(server.urls()[0], f"site:{server.urls()[1]}")
        service.wait(job_id)
        assert {failure["error"] for failure in service.failures(job_id)} == {"AddressRefused"}
        assert not server.served


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities on this system")
def test_worker_processes_have_a_lower_priority() -> None:
    from bonmun.workers.pool import WorkerPool

    with WorkerPool(_priority, seconds=60, nice=3) as pool:
        assert pool.submit(0).result() == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)


def _priority(which: int) -> int:
    return os.getpriority(os.PRIO_PROCESS, which)
