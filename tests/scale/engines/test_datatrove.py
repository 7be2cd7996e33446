"""The block for datatrove, in a real pipeline of its local executor."""

import gzip
import json
import multiprocessing
from pathlib import Path

import pytest

pytest.importorskip("datatrove", reason="datatrove is not installed")

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from bonmun.scale import BatchSettings, extract_batch
from bonmun.scale.datatrove import BonmunExtractor, Document
from tests.scale.engines.pages import Fragile, address, article, batch, deadly_page

pytestmark = pytest.mark.engine
PAGES = [article(number).decode("euc-kr") for number in range(30)]


def documents(pages):
    return [Document(page, str(at), metadata={"url": address(at)}) for at, page in enumerate(pages)]


def test_a_pipeline_writes_the_texts_and_metadata_that_extract_batch_gives(tmp_path: Path) -> None:
    lines = [
        json.dumps({"text": page, "id": str(at), "url": address(at), "date": "2026-11-15T00:00:00Z"})
        for at, page in enumerate(PAGES)
    ]
    for shard in range(2):
        path = tmp_path / "pages" / f"{shard}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines[shard::2]))
    executor = LocalPipelineExecutor(
        [JsonlReader(str(tmp_path / "pages")), BonmunExtractor(), JsonlWriter(str(tmp_path / "texts"))],
        tasks=2,
        workers=1,
        logging_dir=str(tmp_path / "log"),
    )
    executor.run()
    written = {
        row["id"]: row
        for path in (tmp_path / "texts").iterdir()
        for row in map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    }
    rows = extract_batch(batch([page.encode() for page in PAGES])).to_pylist()
    kept = {str(at): row for at, row in enumerate(rows) if row["text"]}
    assert len(kept) == 27
    assert {at: row["text"] for at, row in written.items()} == {at: row["text"] for at, row in kept.items()}
    for name in ("title", "language", "page_type", "confidence", "authors", "warnings"):
        assert {at: row["metadata"][name] for at, row in written.items()} == {at: row[name] for at, row in kept.items()}
    assert {row["metadata"]["fetched"] for row in written.values()} == {"2026-11-15T00:00:00Z"}


def test_a_page_that_kills_its_process_is_dropped_with_its_reason() -> None:
    block = BonmunExtractor(BatchSettings(method=Fragile()))
    given = documents([PAGES[0], deadly_page().decode(), PAGES[1], "%PDF-1.7", ""])
    assert [document.id for document in block.run(given)] == ["0", "2"]
    assert {name: stat.total for name, stat in block.stats.stats.items() if name != "doc_len"} == {
        "total": 5, "ok": 2, "forwarded": 2, "dropped": 3, "empty": 1,
        "failed": 2, "failed: WorkerDied": 1, "failed: NotAPage": 1,
    }  # fmt: skip


def test_a_text_with_lone_surrogates_is_a_page() -> None:
    [document] = BonmunExtractor().run(documents(["<p>Tea is made of \ud800 leaves, and of hot water.</p>"]))
    assert document.text == "Tea is made of ? leaves, and of hot water."
    assert BonmunExtractor().extract("<p>Tea is made of leaves, and of hot water.</p>").startswith("Tea is made")


def test_markdown_can_be_the_text() -> None:
    block = BonmunExtractor(BatchSettings(texts=("markdown",)))
    [document] = block.run(documents([PAGES[0]]))
    assert document.text.startswith("Tea of kind 0 is **made** in step 0")


def test_a_pipeline_that_stops_early_leaves_no_process() -> None:
    found = BonmunExtractor().run(documents(PAGES * 20))
    assert next(found).id == "0"
    found.close()
    assert not multiprocessing.active_children()
