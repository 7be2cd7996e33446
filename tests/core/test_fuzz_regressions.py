"""Regression inputs of the fuzzers: each is read, and gives the tree of lexbor."""

from pathlib import Path
from typing import Final

import pytest

from bonmun.errors import LimitExceeded
from bonmun.model.nodes import Nodes
from tests.core.readers import compiled, drawing, reference, rows

REGRESSIONS: Final = Path(__file__).parents[2] / "fuzz" / "regressions"


def inputs() -> list[Path]:
    return sorted(REGRESSIONS.glob("*.html"))


def test_there_are_regressions() -> None:
    assert len(inputs()) > 50


@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.stem)
def test_a_regression_input_gives_the_tree_of_lexbor(path: Path) -> None:
    html = path.read_bytes().decode("utf-8", "replace")
    nodes = compiled(html)
    check_nesting(nodes)
    try:
        theirs = reference(html)
    except LimitExceeded:
        return
    assert drawing(nodes) == drawing(theirs)
    assert rows(nodes) == rows(theirs)


def check_nesting(nodes: Nodes) -> None:
    """Check that every subtree is inside that of its parent, and that every string can be decoded."""
    for index, row in enumerate(rows(nodes)):
        assert index < row.end <= len(nodes)
        if index:
            assert 0 <= row.parent < index < nodes.end[row.parent]
            assert row.end <= nodes.end[row.parent]
            assert row.depth == nodes.depth[row.parent] + 1
