import json
from array import array
from pathlib import Path

import pytest

import bonmun
from bonmun.evaluate.corpora import CorpusError
from bonmun.evaluate.layouts import SavedLayout, elements_of, open_layouts, save_layouts, with_saved_layout
from bonmun.rendering.tying import DrawnElements

DRAWN = DrawnElements(["html", "head", "body", "p"], array("i", range(20)), (1366, 768), (1366, 2000))


@pytest.mark.parametrize("name", ["layouts.jsonl", "layouts.jsonl.zst"])
def test_layouts_are_read_as_they_were_saved(tmp_path: Path, name: str) -> None:
    save_layouts(tmp_path / name, [SavedLayout("one", DRAWN, 12.5), SavedLayout("two", DRAWN, 3.0)])
    layouts = open_layouts(tmp_path / name)
    assert list(layouts) == ["one", "two"] and layouts["two"] == DRAWN
    assert layouts.milliseconds == {"one": 12.5, "two": 3.0}


def test_an_interrupted_run_leaves_no_file(tmp_path: Path) -> None:
    def interrupted():  # type: ignore[no-untyped-def]
        yield SavedLayout("one", DRAWN, 1.0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_layouts(tmp_path / "layouts.jsonl.zst", interrupted())
    assert list(tmp_path.iterdir()) == []


def test_a_page_with_its_saved_layout_can_be_saved_again() -> None:
    page = with_saved_layout(bonmun.read_page("<p>Tea"), DrawnElements(DRAWN.names, [1] * 20, (1366, 768), (1366, 9)))
    assert elements_of(page) == DrawnElements(DRAWN.names, array("i", [1] * 20), (1366, 768), (1366, 9))


def test_a_page_without_layout_cannot_be_saved() -> None:
    with pytest.raises(bonmun.RenderError, match="render it first"):
        elements_of(bonmun.read_page("<p>Tea"))


@pytest.mark.parametrize(
    "change",
    [{"boxes": [1, 2]}, {"boxes": ["left"] * 20}, {"boxes": [2**40] * 20}, {"viewport": 3}, {"names": None}, None],
)
def test_a_malformed_line_is_named(tmp_path: Path, change: dict[str, object] | None) -> None:
    path = tmp_path / "layouts.jsonl"
    save_layouts(path, [SavedLayout("one", DRAWN, 1.0)])
    record = json.loads(path.read_text())
    line = json.dumps([]) if change is None else json.dumps(record | change)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(CorpusError, match="line 2: not a saved layout"):
        open_layouts(path)


def test_a_file_that_is_not_zstd_is_named(tmp_path: Path) -> None:
    path = tmp_path / "layouts.jsonl.zst"
    path.write_text("{}")
    with pytest.raises(CorpusError, match="after line 0"):
        open_layouts(path)


def test_a_missing_file_says_how_it_is_made(tmp_path: Path) -> None:
    with pytest.raises(bonmun.SourceError, match=r"render_corpus\.py"):
        open_layouts(tmp_path / "none.jsonl")
