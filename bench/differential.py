"""Compare the compiled reader with the reference reader on every page: `python bench/differential.py [--every N]`.

Prints the share of text characters that both have in the same order, the share that is also under the same tag path,
the first difference of each page, and whether every xpath is unique.
"""

import argparse
import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages
from rich.progress import track

from bonmun.core import core
from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT
from bonmun.read.parse import parse
from bonmun.read.reference import read_by_reference

CORPORA = ("wcxb_dev", "cjk_dev", "daniel_dev", "cleanportaleval")
Text = tuple[str, str]
"""A text node: its tag path and its characters."""


@dataclass
class Tally:
    """Counts over a corpus."""

    pages: int = 0
    identical: int = 0
    refused: list[str] = field(default_factory=list)
    characters: int = 0
    same_text: int = 0
    same_path: int = 0
    duplicate_xpaths: int = 0
    differences: list[str] = field(default_factory=list)


def texts(nodes: Nodes) -> list[Text]:
    return [(nodes.tag_path(row), nodes.text(row)) for row, tag in enumerate(nodes.tag) if tag == TEXT]


def columns(nodes: Nodes, row: int) -> tuple[object, ...]:
    return (
        nodes.parent[row],
        nodes.name(row),
        nodes.text(row),
        sorted(nodes.attrs(row).items()),
        nodes.flags[row],
        nodes.end[row],
    )


def shared(ours: Sequence[Hashable], theirs: Sequence[Hashable], lengths: list[int]) -> int:
    """The number of characters in a common subsequence of text nodes."""
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    return sum(sum(lengths[block.b : block.b + block.size]) for block in matcher.get_matching_blocks())


def first_difference(ours: Nodes, theirs: Nodes) -> str | None:
    for row in range(min(len(ours), len(theirs))):
        if columns(ours, row) != columns(theirs, row):
            return f"row {row}, {ours.xpath(row)}: {columns(ours, row)}, reference: {columns(theirs, row)}"[:300]
    return None if len(ours) == len(theirs) else f"{len(ours)} rows, reference: {len(theirs)}"


def compare(tally: Tally, name: str, html: str) -> None:
    tally.pages += 1
    source = html.encode("utf-8", "replace")
    ours = parse(source)
    tally.duplicate_xpaths += len(ours) - len({ours.xpath(row) for row in range(len(ours))})
    try:
        theirs = read_by_reference(source, Limits())
    except LimitExceeded as error:
        tally.refused.append(f"{name}: {error}")
        return
    theirs_texts = texts(theirs)
    lengths = [len(text) for _, text in theirs_texts]
    tally.characters += sum(lengths)
    difference = first_difference(ours, theirs)
    if difference is None:
        tally.identical += 1
        tally.same_text += sum(lengths)
        tally.same_path += sum(lengths)
        return
    ours_texts = texts(ours)
    tally.same_text += shared([text for _, text in ours_texts], [text for _, text in theirs_texts], lengths)
    tally.same_path += shared(ours_texts, theirs_texts, lengths)
    tally.differences.append(f"{name}: {difference}")


def report(corpus: str, tally: Tally) -> None:
    compared = tally.pages - len(tally.refused)
    characters = max(1, tally.characters)
    print(f"{corpus}: {tally.pages} pages, {tally.identical} of {compared} with identical rows")
    same_text, same_path = tally.same_text / characters, tally.same_path / characters
    print(f"  text identical {same_text:.4%}, under the same tag path {same_path:.4%}")
    print(f"  duplicate xpaths: {tally.duplicate_xpaths}")
    for line in tally.refused:
        print(f"  refused by the reference reader: {line}")
    for line in tally.differences[:20]:
        print(f"  {line}")


def main() -> None:
    """Compare corpus by corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="take every Nth page")
    options = parser.parse_args()
    if core() is None:
        sys.exit("the compiled reader is not built: run pip install -e . with a C compiler")
    for corpus in CORPORA:
        tally = Tally()
        for page in track(list(pages(corpus))[:: options.every], description=corpus, transient=True):
            compare(tally, page["id"], page["html"])
        report(corpus, tally)


if __name__ == "__main__":
    main()
