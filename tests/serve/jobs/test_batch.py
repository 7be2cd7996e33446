import json
from pathlib import Path
from typing import Any

from tests.serve.jobs.conftest import Live, live, page, settings


def line(number: int, **more: Any) -> str:
    return json.dumps({"html": page(number).decode(), "id": number, **more})


def results(service: Live, job_id: str, **options: int) -> list[dict[str, Any]]:
    answer = service.get(f"/v1/jobs/{job_id}/results", params=options).raise_for_status()
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(one) for one in answer.text.splitlines()]


def test_results_are_in_the_order_of_the_lines_and_a_bad_line_fails_alone(service: Live) -> None:
    lines = [line(1, url="https://example.org/1"), "", "{not json", json.dumps({"html": "%PDF-1.4 \0\0"}), line(2)]
    job_id = service.batch(*lines, json.dumps({"url": "https://example.org/"}), line(3, id="three"), name="tea")
    job = service.wait(job_id)
    assert (job["state"], job["kind"], job["name"]) == ("done", "batch", "tea")
    assert (job["counts"]["taken"], job["counts"]["stored"], job["counts"]["failed"]) == (6, 3, 3)
    found = results(service, job_id)
    assert [one["line"] for one in found] == [1, 3, 4, 5, 6, 7]
    assert [one["id"] for one in found] == [1, None, None, 2, None, "three"]
    assert [one.get("status") for one in found] == ["ok", None, None, "ok", None, "ok"]
    assert found[0]["document"]["metadata"]["title"] == "Page 1"
    assert found[0]["document"]["url"] == "https://example.org/1"
    assert [one["problem"]["status"] for one in found if "problem" in one] == [422, 415, 422]
    assert results(service, job_id, after=1, limit=2) == found[1:3]
    assert {(one["stage"], one["count"]) for one in service.failures(job_id)} >= {("parsing", 1), ("input", 1)}


def test_failed_pages_are_tried_again_but_not_bad_lines(service: Live) -> None:
    job_id = service.batch("{", json.dumps({"html": "%PDF-1.4 \0\0"}))
    service.wait(job_id)
    service.post(f"/v1/jobs/{job_id}/retry").raise_for_status()
    assert service.wait(job_id)["counts"]["failed"] == 2
    job_id = service.batch("{")
    assert service.wait(job_id)["state"] == "done"
    assert service.post(f"/v1/jobs/{job_id}/retry").status_code == 409


def test_only_a_batch_has_results(service: Live) -> None:
    job_id = service.crawl("http://127.0.0.1:9/")
    service.wait(job_id)
    assert service.get(f"/v1/jobs/{job_id}/results").status_code == 409


def test_batches_beyond_the_limits_leave_nothing(tmp_path: Path) -> None:
    headers = {"Content-Type": "application/x-ndjson"}
    with live(settings(tmp_path / "store.db", upload=10_000, lines=3)) as service:

        def status(content: bytes, **params: str) -> int:
            return service.post("/v1/jobs", content=content, headers=headers, params=params).status_code

        assert status(b"x" * 10_001) == 413
        assert status(b"{}\n" * 4) == 413
        assert status(b"\n\n") == 422
        assert status(b"{}", method="magic") == 422
        assert status(b"{}", prefer="tea") == 422
        assert service.post("/v1/jobs", content=b"{}", headers={"Content-Type": "text/html"}).status_code == 415
        assert service.get("/v1/jobs").json() == {"total": 0, "jobs": []}


def test_a_cancelled_batch_goes_on_where_it_was(service: Live) -> None:
    pages = 1_500  # seconds of work, so that it is not done before the cancelling arrives
    job_id = service.batch(*map(line, range(pages)))
    service.wait(job_id, lambda job: job["counts"]["stored"] >= 1)
    service.post(f"/v1/jobs/{job_id}/cancel").raise_for_status()
    job = service.wait(job_id)
    early = results(service, job_id)
    assert len(early) == job["counts"]["stored"]
    assert job["state"] == "cancelled"
    service.post(f"/v1/jobs/{job_id}/resume").raise_for_status()
    job = service.wait(job_id)
    assert (job["state"], job["counts"]["stored"]) == ("done", pages)
    found = results(service, job_id)
    assert [one["id"] for one in found] == list(range(pages))
    assert found[: len(early)] == early
