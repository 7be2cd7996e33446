"""Requests made from the description: every answer is one that it describes."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.serve.jobs.conftest import Live

CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")
ENDLESS = "/v1/jobs/events"


@pytest.fixture(scope="module")
def schemathesis() -> Any:
    module = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

    @module.serializer("application/x-ndjson")
    def as_lines(context: Any, value: Any) -> bytes:
        return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()

    return module


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_every_answer_is_described(service: Live, schemathesis: Any, mode: str) -> None:
    batch, crawl = (
        service.batch('{"html": "<p>Tea is made of leaves.", "id": 1}', "{"),
        service.crawl("http://[::1]:9/"),
    )
    description = schemathesis.openapi.from_url(f"{service.address}/openapi.json").include(tag="jobs")
    wanted = [getattr(schemathesis.checks, name) for name in CHECKS]
    operations = [result.ok() for result in description.get_all_operations()]
    assert len(operations) == 11
    for operation in operations:
        strategy = operation.as_strategy(generation_mode=schemathesis.GenerationMode[mode])

        @settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck])
        @given(case=strategy)
        def ask(case: Any) -> None:
            if "id" in case.path_parameters and random.Random(repr(case)).random() < 0.5:
                case.path_parameters["id"] = random.Random(repr(case)).choice([batch, crawl])
            case.call_and_validate(checks=wanted)

        if operation.path != ENDLESS:
            ask()
