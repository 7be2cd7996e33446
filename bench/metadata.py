"""Recall and precision of title, author and date.

python bench/metadata.py                                       wcxb_dev, ours alone
python bench/metadata.py --peer trafilatura --limit 300        both, on the first 300 pages
python bench/metadata.py --set cjk_dev --show title            and every wrong title

The gold was drafted by a language model and reviewed. Its choices stand: a headline that differs from the title, a
modification date instead of the publication date, a job title in a byline.
"""

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import process_time

from bonmun.errors import BonmunError, MissingExtra
from bonmun.evaluate.corpora import open_corpus
from bonmun.model.page import Page
from bonmun.read.metadata import read_metadata
from bonmun.read.parse import parse
from bonmun.read.segment import segment

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FIELDS = ("title", "author", "date")
NEAR = 90.0  # minimum similarity of a nearly right title, in per cent of the characters

Answer = dict[str, str | None]


@dataclass
class Tally:
    """Counts of one field of one reader."""

    gold: int = 0
    answered: int = 0
    right: int = 0
    near: int = 0
    beyond: int = 0
    """Answers on pages without gold: some wrong, some missing in the gold."""


def main() -> None:
    options = _options()
    peers = [_peer(name) for name in options.peer]
    readers: dict[str, Callable[[str, str | None], tuple[Answer, float]]] = {"bonmun": _ours}
    readers.update(zip(options.peer, peers, strict=True))
    near = _near()
    tallies = {(name, field): Tally() for name in readers for field in FIELDS}
    seconds = dict.fromkeys(readers, 0.0)
    pages = 0
    for case in islice(open_corpus(options.data / f"{options.set}.jsonl.zst").cases(), options.limit):
        pages += 1
        for name, read in readers.items():
            answer, spent = read(case.html, case.url)
            seconds[name] += spent
            for field in FIELDS:
                gold = getattr(case, field)
                right = _count(tallies[name, field], gold, answer[field], field, near)
                if name == "bonmun" and field == options.show and gold and not right:
                    print(f"{case.id}  gold: {gold}  ours: {answer[field]}  {case.url}")
    _report(options.set, pages, tallies, seconds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the .jsonl.zst files")
    parser.add_argument("--set", default="wcxb_dev")
    parser.add_argument("--limit", type=int, default=None, help="pages to read")
    parser.add_argument("--peer", action="append", choices=["trafilatura"], default=[])
    parser.add_argument("--show", choices=FIELDS, help="print the pages where ours is missing or wrong")
    return parser.parse_args()


def _ours(html: str, url: str | None) -> tuple[Answer, float]:
    nodes = parse(html)
    page = Page(nodes, segment(nodes), url)
    start = process_time()
    metadata = read_metadata(page)
    spent = process_time() - start
    date = str(metadata.date) if metadata.date else None
    return {"title": metadata.title, "author": metadata.author, "date": date}, spent


def _peer(name: str) -> Callable[[str, str | None], tuple[Answer, float]]:
    try:
        import trafilatura
    except ImportError:
        raise MissingExtra(f"{name}'s answers", "bench") from None

    def read(html: str, url: str | None) -> tuple[Answer, float]:
        start = process_time()
        metadata = trafilatura.extract_metadata(html, default_url=url)
        spent = process_time() - start
        return {field: getattr(metadata, field, None) or None for field in FIELDS}, spent

    return read


def _near() -> Callable[[str, str], float]:
    try:
        from rapidfuzz.fuzz import ratio
    except ImportError:
        raise MissingExtra("the bench's near matches", "bench") from None
    return ratio


def _count(tally: Tally, gold: str | None, answer: str | None, field: str, near: Callable[[str, str], float]) -> bool:
    if not gold:
        tally.beyond += answer is not None
        return True
    tally.gold += 1
    if not answer:
        return False
    right = _key(gold, field) == _key(answer, field)
    tally.answered += 1
    tally.right += right
    tally.near += field == "title" and near(str(_key(gold, field)), str(_key(answer, field))) >= NEAR
    return right


def _key(value: str, field: str) -> object:
    """The comparison key: letters and digits of a title, the words of names, a date unchanged."""
    if field == "title":
        return re.sub(r"[\W_]+", "", value.casefold())
    if field == "author":
        return frozenset(re.findall(r"\w+", value.casefold())) - {"and", "by"}
    return value


def _report(name: str, pages: int, tallies: dict[tuple[str, str], Tally], seconds: dict[str, float]) -> None:
    print(f"{name}: {pages} pages")
    print(f"{'':12} {'field':7} {'gold':>5} {'answered':>9} {'right':>7} {'near':>6} {'found':>7} {'beyond':>7}")
    for (reader, field), tally in tallies.items():
        if tally.gold:
            share = tally.answered / tally.gold, tally.right / max(tally.answered, 1), tally.right / tally.gold
            near = f"{tally.near / max(tally.answered, 1):6.1%}" if field == "title" else ""
            print(
                f"{reader:12} {field:7} {tally.gold:5} {share[0]:9.1%} {share[1]:7.1%} {near:>6} {share[2]:7.1%}"
                f" {tally.beyond:7}"
            )
    print("answered, found: share of the gold; right, near: share of the answers")
    for reader, spent in seconds.items():
        print(f"{reader}: {1000 * spent / max(pages, 1):.2f} ms per page" + " without parsing" * (reader == "bonmun"))


if __name__ == "__main__":
    try:
        main()
    except BonmunError as error:
        sys.exit(str(error))
