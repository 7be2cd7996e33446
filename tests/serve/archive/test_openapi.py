"""Requests made from the description: every answer is one that it describes."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")

from bonmun.serve.settings import ServeSettings
from tests.serve.api.live import Live, live
from tests.sites.make import articles

TAGS = ["documents", "sites", "labels"]
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")
WITHOUT_PARAMETERS = {"/v1/stats", "/v1/sites", "/v1/labels/export"}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, dict[str, Any]]]:
    """A service with a document in two versions, a site and a label; and their ids."""
    store = tmp_path_factory.mktemp("openapi") / "store.db"
    with live(ServeSettings(store=str(Path(store)), workers=1, fetch=False)) as running, running.client() as client:
        pages = [{"html": html, "url": f"https://news.example/{number}"} for number, html in enumerate(articles(4))]
        for html in articles(2):
            id = client.post("/v1/documents", json={"html": html, "url": "https://news.example/"}).json()["id"]
        client.post("/v1/sites/learn", json={"pages": pages}).raise_for_status()
        blocks = client.post("/v1/explain", json=pages[0]).json()["blocks"]
        label = client.post("/v1/labels", json={**pages[0], "keep": [block["keep"] for block in blocks]}).json()["id"]
        yield running, {"documents": id, "labels": label, "sites": "news.example"}


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_every_answer_is_described(filled: tuple[Live, dict[str, Any]], mode: str) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    running, known = filled
    description = schemathesis.openapi.from_url(f"{running.address}/openapi.json").include(tag=TAGS)
    wanted = [getattr(schemathesis.checks, name) for name in CHECKS]
    operations = [result.ok() for result in description.get_all_operations()]
    assert len(operations) == 20
    for operation in operations:
        if mode == "NEGATIVE" and operation.method == "get" and operation.path in WITHOUT_PARAMETERS:
            continue
        strategy = operation.as_strategy(generation_mode=schemathesis.GenerationMode[mode])

        @settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck])
        @given(case=strategy)
        def ask(case: Any) -> None:
            resource = case.operation.path.split("/")[2]
            for name in {"id", "host"} & set(case.path_parameters):
                if case.method != "DELETE" and random.Random(repr(case)).random() < 0.5:
                    case.path_parameters[name] = known[resource]
            case.call_and_validate(checks=wanted)

        ask()
