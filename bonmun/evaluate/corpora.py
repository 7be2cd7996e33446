"""Corpora: pages with gold text, in four layouts.

| layout | value of `--corpus` |
|---|---|
| JSON lines | `NAME.jsonl` or `NAME.jsonl.zst`: one object per line with `id`, `html`, `gold_text`, … |
| WCXB | a folder with `html/ID.html` (or `.html.gz`) and `ground-truth/ID.json` |
| CleanEval | a folder with `html/ID.html` and `txt/ID.txt`, or `ID.html` beside `ID.txt` |
| golden cases | a folder of folders, one per page, each with `page.html` and `truth.json` |
"""

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from bonmun.errors import InputError, MissingExtra, SourceError, UnknownName
from bonmun.evaluate.renaming import MUTATIONS, Mutation
from bonmun.evaluate.tokens import without_line
from bonmun.read.decode import decode

_PAGE = (".html", ".htm", ".html.gz")
_TRUTH_FOLDERS = ("ground-truth", "ground_truth", "groundtruth")
_GOLD_FOLDERS = ("txt", "gold", "GoldStandard")
_MARKER = re.compile(r"(?im)^\s*<(?:h|p|l)>[ \t]*")
_URL_LINE = re.compile(r"\A\s*URL: \S*[ \t]*\n")


class CorpusError(InputError):
    """A malformed record of a corpus; the message names the file and the line."""


@dataclass(frozen=True)
class Case:
    """One page with its gold text."""

    id: str
    html: str
    golds: tuple[str, ...] = ()
    """The perfect outputs; of several, the one nearest to an output counts."""
    url: str | None = None
    domain: str = ""
    """The site, the unit of the bootstrap; the page's id if unknown."""
    lang: str = "und"
    page_type: str = "unknown"
    group: str | None = None
    """The template group of the page, if the corpus has groups."""
    present: tuple[str, ...] = ()
    """Snippets that the output must contain."""
    absent: tuple[str, ...] = ()
    """Snippets that the output must not contain."""
    title: str | None = None
    author: str | None = None
    date: str | None = None
    headline: str | None = None
    """A line to ignore in outputs; the golds are without it."""
    keep: tuple[bool, ...] = ()
    """The label of each block, if a person labelled blocks; `golds` is their text."""
    segmentation: str = ""
    """The digest of the blocks that `keep` is about: of other blocks it says nothing."""

    @property
    def digest(self) -> str:
        """A hash of the page, the key of stored outputs."""
        return hashlib.blake2b(self.html.encode(errors="replace"), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Corpus:
    """Pages with their gold text; each call of `cases` reads them from disk."""

    name: str
    """The key of stored results."""
    path: Path
    _read: Callable[[Path], Iterator[Case]]
    only: tuple[tuple[str, str], ...] = ()
    """Filters by field and value, such as (("lang", "ko"),)."""
    headlines: bool = True
    """Whether headlines count."""
    mutation: Mutation | None = None
    """How pages are rewritten before they are measured."""

    @property
    def title(self) -> str:
        """The name with the filters."""
        filters = [f"{field} {value}" for field, value in self.only]
        filters += [] if self.headlines else ["without headlines"]
        return f"{self.name} ({', '.join(filters)})" if filters else self.name

    @property
    def whole(self) -> "Corpus":
        """The same corpus without filters."""
        return replace(self, only=(), headlines=True)

    def where(self, keep: Callable[[Case], bool]) -> "Corpus":
        """Return the corpus of the pages that fulfil a condition."""
        read = self._read
        return replace(self, _read=lambda path: filter(keep, read(path)))

    def cases(self, every: int = 1) -> Iterator[Case]:
        """Yield every Nth page in file order; raises `CorpusError` at a malformed record."""
        number = 0
        for case in self._read(self.path):
            if all(_FIELDS[field](case) == value for field, value in self.only):
                if number % every == 0:
                    yield self._prepared(case)
                number += 1
        if number == 0:
            raise CorpusError(f"{self.path}: no pages in {self.title}")

    def _prepared(self, case: Case) -> Case:
        case = replace(case, html=self.mutation(case.html, case.id)) if self.mutation else case
        return case if self.headlines else _without_headline(case)


_FIELDS: dict[str, Callable[[Case], str]] = {
    "lang": lambda case: case.lang,
    "type": lambda case: case.page_type,
    "site": lambda case: case.domain,
    "group": lambda case: case.group or "",
}


def open_corpus(
    path: str | Path, only: Sequence[str] = (), *, headlines: bool = True, rename: str | None = None
) -> Corpus:
    """Open the corpus at a path and detect its layout.

    `only` filters by language, type, site or group: `lang=ko`, `type=news`. With `headlines=False` a page's title (or
    the first line of its gold if it has no title) is removed from both gold and outputs. `rename` is a key of
    `MUTATIONS`: the results of the renamed pages are stored under a name of their own.
    """
    filters = []
    for condition in only:
        field, _, value = condition.partition("=")
        if field not in _FIELDS:
            raise UnknownName("field to limit pages by", field, _FIELDS)
        filters.append((field, value))
    corpus = replace(_opened(Path(path)), only=tuple(filters), headlines=headlines)
    if rename is None:
        return corpus
    if rename not in MUTATIONS:
        raise UnknownName("way to rename", rename, MUTATIONS)
    return replace(corpus, name=f"{corpus.name}-renamed-{rename}", mutation=MUTATIONS[rename])


def _without_headline(case: Case) -> Case:
    first = case.golds[0].strip().partition("\n")[0] if case.golds else None
    headline = case.title or first
    golds = (without_line(gold, headline or "") for gold in case.golds)
    return replace(case, golds=tuple(gold for gold in golds if gold.strip()), headline=headline)


def _opened(path: Path) -> Corpus:
    if path.is_file():
        if not path.name.endswith((".jsonl", ".jsonl.zst")):
            raise SourceError(f"not a corpus: {path} (a file must end in .jsonl or .jsonl.zst)")
        return Corpus(path.name.removesuffix(".zst").removesuffix(".jsonl"), path, _from_lines)
    if not path.is_dir():
        raise SourceError(f"no such corpus: {path}")
    for layout in (_from_wcxb, _from_pairs, _from_golden):
        if next(layout(path), None) is not None:
            return Corpus(path.resolve().name, path, layout)
    raise SourceError(f"no corpus in the folder {path}: expected JSON lines, WCXB, CleanEval or golden cases")


def case_of(record: object, where: str) -> Case:
    """Return the case of a JSON object; `where` is its place, for errors.

    >>> case_of({"id": "1", "html": "<p>Tea", "gold_text": "Tea", "url": "https://www.example.org/tea"}, "a:1").domain
    'example.org'
    >>> case_of({"id": "1", "html": None}, "a.jsonl, line 1")
    Traceback (most recent call last):
    bonmun.evaluate.corpora.CorpusError: a.jsonl, line 1: 'html' is null, not text
    """
    if not isinstance(record, dict):
        raise CorpusError(f"{where}: not a JSON object")
    fields = _Fields(record, where)
    url = fields.text("url") or None
    golds = (fields.text("gold_text"), fields.text("gold_core_text"))
    name = fields.text("id", needed=True)
    return Case(
        id=name,
        html=fields.text("html", needed=True),
        golds=tuple(dict.fromkeys(gold for gold in golds if gold.strip())),
        url=url,
        domain=fields.text("domain") or _host(url) or name,
        lang=fields.text("lang") or "und",
        page_type=fields.text("page_type") or "unknown",
        group=fields.text("group") or None,
        present=fields.texts("with"),
        absent=fields.texts("without"),
        title=fields.text("title") or None,
        author=fields.text("author") or None,
        date=fields.text("date") or None,
        keep=fields.flags("keep"),
        segmentation=fields.text("segmentation"),
    )


@dataclass(frozen=True)
class _Fields:
    """A record with type-checked access to its fields."""

    record: dict[str, Any]
    where: str

    def text(self, name: str, *, needed: bool = False) -> str:
        value = self.record.get(name)
        if value is None and not needed:
            return ""
        if isinstance(value, int) and not isinstance(value, bool) and name == "id":
            return str(value)
        if not isinstance(value, str) or (needed and not value):
            problem = "missing" if name not in self.record else "empty" if value == "" else f"{_kind(value)}, not text"
            raise CorpusError(f"{self.where}: {name!r} is {problem}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.record.get(name) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise CorpusError(f"{self.where}: {name!r} must be a list of texts")
        return tuple(item for item in value if item.strip())

    def flags(self, name: str) -> tuple[bool, ...]:
        value = self.record.get(name) or []
        if not isinstance(value, list) or not all(item in (0, 1) for item in value):
            raise CorpusError(f"{self.where}: {name!r} must be a list of 0 and 1")
        return tuple(map(bool, value))


def _kind(value: object) -> str:
    kinds = {type(None): "null", bool: "true or false", list: "a list", dict: "an object"}
    return kinds.get(type(value), "a number")


def _host(url: str | None) -> str:
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _from_lines(path: Path) -> Iterator[Case]:
    number = 0
    first: dict[str, int] = {}
    try:
        with _lines(path) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    where = f"{path}, line {number}"
                    case = case_of(_parsed(line, where), where)
                    if first.setdefault(case.id, number) != number:
                        raise CorpusError(f"{where}: duplicate id {case.id!r}, first in line {first[case.id]}")
                    yield case
    except (UnicodeDecodeError, OSError) as error:
        raise CorpusError(f"{path}, after line {number}: {error}") from error
    except Exception as error:
        if type(error).__name__ != "ZstdError":
            raise
        raise CorpusError(f"{path}, after line {number}: {error}") from error


def _lines(path: Path) -> IO[str]:
    if path.suffix != ".zst":
        return path.open(encoding="utf-8")
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("corpora packed with zstd", "bench") from None
    opened: IO[str] = zstandard.open(path, "rt", encoding="utf-8")
    return opened


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise CorpusError(f"{where}: invalid JSON: {error}") from error


def _from_wcxb(folder: Path) -> Iterator[Case]:
    """Yield the pages of the Web Content Extraction Benchmark (Murrough Foley) in its published layout."""
    truths = next((folder / name for name in _TRUTH_FOLDERS if (folder / name).is_dir()), None)
    if truths is None:
        return
    pages = _pages_in(folder / "html")
    for truth in sorted(truths.glob("*.json")):
        if truth.stem not in pages:
            raise CorpusError(f"{truth}: no page html/{truth.stem}.html for it")
        record = _parsed(_read_text(truth), str(truth))
        if not isinstance(record, dict):
            raise CorpusError(f"{truth}: not a JSON object")
        yield case_of(_from_wcxb_record(record, truth.stem, _read_text(pages[truth.stem])), str(truth))


def _from_wcxb_record(record: dict[str, Any], name: str, html: str) -> dict[str, Any]:
    truth = record.get("ground_truth", record)
    internal = record.get("_internal", {})
    kind = internal.get("page_type", {}) if isinstance(internal, dict) else {}
    return {
        "id": name,
        "html": html,
        "url": record.get("url"),
        "gold_text": truth.get("main_content") if isinstance(truth, dict) else None,
        "with": truth.get("with") if isinstance(truth, dict) else None,
        "without": truth.get("without") if isinstance(truth, dict) else None,
        "page_type": record.get("page_type") or (kind.get("primary") if isinstance(kind, dict) else None),
        "lang": record.get("lang", "en"),
        **{name: truth.get(name) for name in ("title", "author") if isinstance(truth, dict)},
        "date": truth.get("publish_date") if isinstance(truth, dict) else None,
    }


def _from_pairs(folder: Path) -> Iterator[Case]:
    """Yield CleanEval pages: HTML and text files of the same name, without `<h>`, `<p>`, `<l>` marks and URL line."""
    pages = _pages_in(folder / "html") or _pages_in(folder)
    golds = [folder / name for name in _GOLD_FOLDERS if (folder / name).is_dir()] or [folder]
    texts = {path.name.split(".")[0].removesuffix("-cleaned"): path for path in sorted(golds[0].glob("*.txt"))}
    for name, page in pages.items():
        if name in texts:
            gold = _MARKER.sub("", _URL_LINE.sub("", _read_text(texts[name])))
            yield Case(name, _read_text(page), (gold,) if gold.strip() else (), domain=name)
        elif texts:
            raise CorpusError(f"{page}: no text {name}.txt for it in {golds[0]}")


def _from_golden(folder: Path) -> Iterator[Case]:
    """Yield golden cases: the folder of each holds `page.html` and `truth.json`, an object with the gold `text`."""
    for truth in sorted(folder.glob("*/truth.json")):
        page = truth.with_name("page.html")
        record = _parsed(_read_text(truth), str(truth))
        if not isinstance(record, dict):
            raise CorpusError(f"{truth}: not a JSON object")
        gold = record.get("gold_text", record.get("text"))
        yield case_of({"id": truth.parent.name, **record, "html": _read_text(page), "gold_text": gold}, str(truth))


def _pages_in(folder: Path) -> dict[str, Path]:
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return {path.name.split(".")[0]: path for path in files if path.name.endswith(_PAGE)}


def _read_text(path: Path) -> str:
    try:
        content = path.read_bytes()
        return decode(gzip.decompress(content) if path.suffix == ".gz" else content).text
    except (OSError, EOFError) as error:
        raise CorpusError(f"cannot read {path}: {error}") from error
