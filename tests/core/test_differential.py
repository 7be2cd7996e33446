"""On real pages the compiled reader gives the same rows as the reference reader."""

import pytest

from bonmun.errors import LimitExceeded
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT
from tests.core.readers import compiled, reference, rows
from tests.corpora import pages

COLUMNS = ("parent", "depth", "end", "chars", "flags", "attr_first")
SAMPLE = (("cjk_dev", 1), ("cleanportaleval", 1), ("wcxb_dev", 10), ("daniel_dev", 10))


def first_difference(ours: Nodes, theirs: Nodes) -> object:
    """The first row that differs, or `None`. Compares columns first: pages have thousands of rows."""
    same = (
        all(getattr(ours, column).tobytes() == getattr(theirs, column).tobytes() for column in COLUMNS)
        and names(ours) == names(theirs)
        and texts(ours) == texts(theirs)
        and attributes(ours) == attributes(theirs)
    )
    if same:
        return None
    pairs = enumerate(zip(rows(ours), rows(theirs), strict=False))
    return next(((row, one, other) for row, (one, other) in pairs if one != other), (len(ours), len(theirs)))


def names(nodes: Nodes) -> list[str]:
    return [nodes.tag_names[tag] for tag in nodes.tag]


def texts(nodes: Nodes) -> list[str]:
    return [nodes.text(row) for row, tag in enumerate(nodes.tag) if tag == TEXT]


def attributes(nodes: Nodes) -> list[dict[str, str]]:
    first = nodes.attr_first
    return [nodes.attrs(row) for row in range(len(nodes)) if first[row] < first[row + 1]]


@pytest.mark.parametrize(("corpus", "every"), SAMPLE, ids=[corpus for corpus, _ in SAMPLE])
def test_real_pages_have_the_rows_of_the_reference_reader(corpus: str, every: int) -> None:
    compared = 0
    for page in list(pages(corpus))[::every]:
        try:
            theirs = reference(page["html"])
        except LimitExceeded:
            continue
        difference = first_difference(compiled(page["html"]), theirs)
        assert difference is None, f"{corpus} {page['id']}: {difference}"
        compared += 1
    assert compared > 50
