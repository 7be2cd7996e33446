"""Real pages of the corpora; tests that need them are skipped when the corpora are missing."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "shared" / "data"


def pages(name: str) -> Iterator[dict[str, Any]]:
    """The records of a corpus; skips the test if it is missing."""
    path = DATA / f"{name}.jsonl.zst"
    if not path.exists():
        pytest.skip(f"corpus {name} is missing: expected in ../shared/data")
    import zstandard

    with path.open("rb") as file:
        for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8"):
            yield json.loads(line)
