"""Precision and recall of title, author and date, per corpus and per language, beside trafilatura.

python bench/metadata.py                                       all sets, ours alone
python bench/metadata.py --peer trafilatura --markdown         both, the table as Markdown for docs/measurements.md
python bench/metadata.py --set news_dev --show author          each wrong or missing author with its page

Titles match by their letters and digits, dates by day, authors name by name, as sets of words. Precision and recall
are taken over the pages whose gold has the field: right / answered and right / gold. `extra` counts answers to pages
without it: some are wrong, some overlooked by the gold. Gold: wcxb_dev was drafted by a language model and reviewed,
cjk_dev's titles by this project, news_dev and recipes_dev come from parsers written per site, chinese_dev by hand (its
titles are the `title` element's and are left out).
"""

import argparse
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

from bonmun.errors import BonmunError, MissingExtra
from bonmun.model.page import Page
from bonmun.read.metadata import read_metadata
from bonmun.read.parse import parse
from bonmun.read.segment import segment

FIELDS = ("title", "author", "date")
SETS = {
    "wcxb_dev": FIELDS,
    "cjk_dev": ("title",),
    "news_dev": FIELDS,
    "chinese_dev": ("author", "date"),
    "recipes_dev": ("title", "author"),
}
"""The sets and the fields that their gold has."""
NEAR = 90.0  # similarity in per cent from which on a title counts as nearly right
RARE = 10  # languages with fewer pages are counted together
# Degrees behind a name: the gold and the readers keep or drop them as it comes.
DEGREES = frozenset(
    "md phd ms ma msc mba rd rdn dvm jd esq jr sr cpa cfp cepf fand foma dabom facm faclm cpp psp".split()
)
_BETWEEN_NAMES = re.compile(r"\s*[;,，、|]\s*(?:and |& )?|\s+(?:and|&|und|y|et|og|och)\s+")
_BEFORE_NAME = re.compile(r"^\s*(?:(?:written|posted|edited) )?by:?\s+", re.IGNORECASE)

Answer = dict[str, tuple[str, ...]]
Reader = Callable[[str, str | None], tuple[Answer, float]]
Tallies = dict[tuple[str, str, str, str], "Tally"]
"""By reader, field, set and language."""


@dataclass
class Tally:
    """One field of one reader: values, not pages, where a page has several names."""

    gold: int = 0
    answered: int = 0
    right: int = 0
    near: int = 0
    extra: int = 0

    @property
    def precision(self) -> float:
        return self.right / max(self.answered, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.gold, 1)

    def __add__(self, other: "Tally") -> "Tally":
        mine, theirs = vars(self), vars(other)
        return Tally(**{name: mine[name] + theirs[name] for name in mine})


def main() -> None:
    options = _options()
    readers: dict[str, Reader] = {"bonmun": _ours, **{name: _peer(name) for name in options.peer}}
    near = _similarity()
    tallies: Tallies = defaultdict(Tally)
    languages, seconds = Counter[str](), Counter[str]()
    for name in options.set or SETS:
        for record in list(pages(name))[:: options.every]:
            language = (record.get("lang") or "und").partition("-")[0]
            languages[language] += 1
            for reader, read in readers.items():
                answer, spent = read(record["html"], record.get("url"))
                seconds[reader] += spent
                for field in SETS[name]:
                    gold = gold_values(record, field)
                    tally = compare(gold, answer[field], field, near)
                    tallies[reader, field, name, language] += tally
                    if (
                        reader == options.show_reader
                        and field == options.show
                        and tally.right < max(tally.gold, tally.answered)
                    ):
                        print(f"{name} {record['id']}  gold: {gold}  answer: {answer[field]}  {record.get('url')}")
    _report(tallies, list(readers), languages, markdown=options.markdown)
    for reader, spent in seconds.items():
        note = " beside parsing" * (reader == "bonmun")
        print(f"{reader}: {1000 * spent / max(languages.total(), 1):.2f} ms a page{note}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", choices=list(SETS), help="a set; all without it")
    parser.add_argument("--every", type=int, default=1, help="read each Nth page")
    parser.add_argument("--peer", action="append", choices=["trafilatura"], default=[])
    parser.add_argument("--show", choices=FIELDS, help="print the pages whose answer is missing or wrong")
    parser.add_argument("--show-reader", default="bonmun", help="the reader whose answers are shown")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    return parser.parse_args()


def _ours(html: str, url: str | None) -> tuple[Answer, float]:
    nodes = parse(html)
    page = Page(nodes, segment(nodes), url)
    start = process_time()
    data = read_metadata(page)
    spent = process_time() - start
    authors = getattr(data, "authors", None)  # a list, where the library has it
    return {
        "title": _single(data.title),
        "author": tuple(authors) if authors is not None else split_names(data.author),
        "date": _single(data.date),
    }, spent


def _peer(name: str) -> Reader:
    try:
        import trafilatura
    except ImportError:
        raise MissingExtra(f"{name}'s answers", "bench") from None

    def read(html: str, url: str | None) -> tuple[Answer, float]:
        start = process_time()
        data = trafilatura.extract_metadata(html, default_url=url)
        spent = process_time() - start
        title, author, date = (getattr(data, field, None) for field in FIELDS)
        return {"title": _single(title), "author": split_names(author), "date": _single(date)}, spent

    return read


def _single(value: object) -> tuple[str, ...]:
    return (str(value),) if value else ()


def _similarity() -> Callable[[str, str], float]:
    try:
        from rapidfuzz.fuzz import ratio
    except ImportError:
        raise MissingExtra("the bench's near matches", "bench") from None
    return ratio


def gold_values(record: dict[str, Any], field: str) -> tuple[str, ...]:
    if field == "author":
        authors = (record.get("extra") or {}).get("authors")
        return tuple(authors) if authors else split_names(record.get("author"))
    return _single(record.get(field))


def split_names(text: str | None) -> tuple[str, ...]:
    """The names in a byline.

    >>> split_names("By Jane Doe, PhD and Li Wei; AFP")
    ('Jane Doe', 'Li Wei', 'AFP')
    """
    names = _BETWEEN_NAMES.split(_BEFORE_NAME.sub("", text or ""))
    return tuple(name for name in names if re.sub(r"\W", "", name.casefold()) not in {"", *DEGREES})


def key(value: str, field: str) -> object:
    """The part of a value that must be equal: letters and digits of a title, words of a name, the day of a date."""
    if field == "date":
        return value[:10]
    folded = unicodedata.normalize("NFKC", value).casefold()
    if field == "title":
        return re.sub(r"[\W_]+", "", folded)
    return frozenset(re.findall(r"\w+", folded)) - {"by", "and", *DEGREES}


def compare(gold: Sequence[str], answer: Sequence[str], field: str, near: Callable[[str, str], float]) -> Tally:
    if not gold:
        return Tally(extra=bool(answer))
    wanted, given = Counter(key(value, field) for value in gold), Counter(key(value, field) for value in answer)
    tally = Tally(wanted.total(), given.total(), (wanted & given).total())
    if field == "author" and given and frozenset().union(*wanted) == frozenset().union(*given):
        tally = Tally(tally.gold, tally.gold, tally.gold)  # the same words, split at other places
    if field == "title" and answer:
        tally.near = near(str(key(gold[0], field)), str(key(answer[0], field))) >= NEAR
    return tally


def _report(tallies: Tallies, readers: list[str], languages: Counter[str], *, markdown: bool) -> None:
    common = [language for language, count in languages.most_common() if count >= RARE]
    groups: list[tuple[str, Callable[[str, str], bool]]] = [("all", lambda _, __: True)]
    groups += [(name, lambda of, _, name=name: of == name) for name in SETS]
    groups += [(name, lambda _, language, name=name: language == name) for name in common]
    groups.append(("other languages", lambda _, language: language not in common))
    header = ["field", "pages of", "gold", *(f"{name} {part}" for name in readers for part in ("P", "R", "extra"))]
    rows = []
    for field in FIELDS:
        for label, fits in groups:
            sums = [_sum(tallies, reader, field, fits) for reader in readers]
            if sums[0].gold:
                cells = [(_share(one.precision), _share(one.recall), str(one.extra)) for one in sums]
                rows.append([field, label, f"{sums[0].gold:,}", *(cell for three in cells for cell in three)])
    for line in _markdown(header, rows) if markdown else _columns(header, rows):
        print(line)
    print()
    for reader in readers:
        titles = _sum(tallies, reader, "title", lambda _, __: True)
        print(f"{reader}: {titles.near / max(titles.gold, 1):.1%} of the titles at least {NEAR:.0f} % similar")


def _sum(tallies: Tallies, reader: str, field: str, fits: Callable[[str, str], bool]) -> Tally:
    chosen = (
        tally
        for (who, what, of, language), tally in tallies.items()
        if (who, what) == (reader, field) and fits(of, language)
    )
    return sum(chosen, Tally())


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _columns(header: list[str], rows: list[list[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        left = "  ".join(cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True))
        right = "  ".join(cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True))
        yield f"{left}  {right}"


def _markdown(header: list[str], rows: list[list[str]]) -> Iterable[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|---|---|{'--:|' * (len(header) - 2)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    try:
        main()
    except BonmunError as error:
        sys.exit(str(error))
