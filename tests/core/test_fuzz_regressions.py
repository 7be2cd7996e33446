"""Inputs that once broke the compiled reader, or were made to: each is read, and the tree is lexbor's."""

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
def test_a_regression_is_read_well(path: Path) -> None:
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
    """Every subtree lies inside that of its parent, and every string can be decoded."""
    for row, found in enumerate(rows(nodes)):
        assert row < found.end <= len(nodes)
        if row:
            assert 0 <= found.parent < row < nodes.end[found.parent]
            assert found.end <= nodes.end[found.parent]
            assert found.depth == nodes.depth[found.parent] + 1
