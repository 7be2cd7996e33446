"""Pages with gold text: reads the JSONL files of the data folder."""

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(os.environ.get("BONMUN_DATA", Path(__file__).parents[2] / "shared" / "data"))


def pages(name: str) -> Iterator[dict[str, Any]]:
    """The pages of a corpus, such as ``wcxb_dev``, in file order."""
    import zstandard

    path = DATA / f"{name}.jsonl.zst"
    if not path.exists():
        raise SystemExit(f"corpus file not found: {path}; set BONMUN_DATA to the folder of the corpora")
    with path.open("rb") as file:
        for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8"):
            yield json.loads(line)
