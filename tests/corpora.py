"""Real pages for the tests that need them; they are skipped, with the reason, where the corpora are not there."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "shared" / "data"


def pages(name: str) -> Iterator[dict[str, Any]]:
    path = DATA / f"{name}.jsonl.zst"
    if not path.exists():
        pytest.skip("the corpora are not beside this checkout")
    import zstandard

    with path.open("rb") as file:
        for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8"):
            yield json.loads(line)
