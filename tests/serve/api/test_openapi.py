"""Requests made from the description: every answer is one that it describes."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.serve.api.live import Live

TAGS = ["extract", "health"]
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")


@pytest.fixture(scope="module")
def schemathesis() -> Any:
    module = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

    @module.serializer("application/x-ndjson", "application/jsonl", "application/ndjson")
    def as_lines(context: Any, value: Any) -> bytes:
        return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()

    return module


def needs_browser(case: Any) -> bool:
    """Whether the answer depends on Chromium: 501 without it."""
    asked = repr((case.query, case.body))
    return "visual" in asked or "'rendered': True" in asked


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_every_answer_is_described(served: Live, schemathesis: Any, mode: str) -> None:
    description = schemathesis.openapi.from_url(f"{served.address}/openapi.json").include(tag=TAGS)
    wanted = [getattr(schemathesis.checks, name) for name in CHECKS]
    operations = [result.ok() for result in description.get_all_operations()]
    assert len(operations) >= 9
    for operation in operations:
        if mode == "NEGATIVE" and operation.method == "get":  # nothing about them can be wrong
            continue
        strategy = operation.as_strategy(generation_mode=schemathesis.GenerationMode[mode])

        @settings(max_examples=3, deadline=None, suppress_health_check=[*HealthCheck])
        @given(case=strategy)
        def ask(case: Any) -> None:
            if not needs_browser(case):
                case.call_and_validate(checks=wanted, timeout=120)

        ask()
