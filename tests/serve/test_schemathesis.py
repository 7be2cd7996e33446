"""Requests made from the whole description, on a store with something of everything: every answer is described.

`bench/serve_schemathesis.py` sends more of them.
"""

from pathlib import Path

import pytest

pytest.importorskip("schemathesis", reason="schemathesis is not installed")
pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")

from bench.serve_schemathesis import attack, populated_service


def test_every_answer_is_described(tmp_path: Path) -> None:
    with populated_service(str(tmp_path / "store.db")) as (address, populated):
        found = attack(address, populated, examples=3)
    assert not found.failures, "\n".join(found.failures)
    assert found.requests > 150 and len(found.operations) >= 42
    assert len(found.succeeded) > 20  # random requests alone would all be refused
