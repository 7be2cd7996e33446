"""Pages whose truth is known, in the four layouts they come in.

| layout | what `--corpus` names |
|---|---|
| JSON lines | `NAME.jsonl` or `NAME.jsonl.zst`: one object per line with `id`, `html`, `gold_text`, … |
| WCXB | a folder with `html/ID.html` (or `.html.gz`) and `ground-truth/ID.json` |
| CleanEval | a folder with `html/ID.html` and `txt/ID.txt`, or `ID.html` beside `ID.txt` |
| golden cases | a folder whose subfolders hold `page.html` and `truth.json` |
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
from bonmun.evaluate.tokens import without_line
from bonmun.read.decode import decode

_PAGE = (".html", ".htm", ".html.gz")
_TRUTH_FOLDERS = ("ground-truth", "ground_truth", "groundtruth")
_GOLD_FOLDERS = ("txt", "gold", "GoldStandard")
_MARKER = re.compile(r"(?im)^\s*<(?:h|p|l)>[ \t]*")
_URL_LINE = re.compile(r"\A\s*URL: \S*[ \t]*\n")


class CorpusError(InputError):
    """A record that is no page with its truth; the message names the file and the line."""


@dataclass(frozen=True)
class Case:
    """One page with its truth."""

    id: str
    html: str
    golds: tuple[str, ...] = ()
    """What a perfect output is; where there are several, an output is held against the one it is nearest to."""
    url: str | None = None
    domain: str = ""
    """The site: what intervals are drawn over. The page's own id where it is unknown."""
    lang: str = "und"
    page_type: str = "unknown"
    group: str | None = None
    """Pages of one template share it."""
    present: tuple[str, ...] = ()
    """Snippets that have to be in the output."""
    absent: tuple[str, ...] = ()
    """Snippets that must not be."""
    title: str | None = None
    author: str | None = None
    date: str | None = None
    headline: str | None = None
    """A line that is neither required of an output nor held against it; the golds are without it."""

    @property
    def digest(self) -> str:
        """A hash of the page: what a stored output belongs to."""
        return hashlib.blake2b(self.html.encode(errors="replace"), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Corpus:
    """Pages with their truth, read again at each `cases`."""

    name: str
    """What stored results are filed under."""
    path: Path
    _read: Callable[[Path], Iterator[Case]]
    only: tuple[tuple[str, str], ...] = ()
    """Take only the pages with these values, such as (("lang", "ko"),)."""
    headlines: bool = True
    """Whether a page's headline counts."""

    @property
    def title(self) -> str:
        """Its name and what it is limited to."""
        limits = [f"{field} {value}" for field, value in self.only]
        said = ", ".join(limits if self.headlines else [*limits, "without headlines"])
        return f"{self.name} ({said})" if said else self.name

    @property
    def whole(self) -> "Corpus":
        """All of its pages, as they are."""
        return replace(self, only=(), headlines=True)

    def cases(self, every: int = 1) -> Iterator[Case]:
        """Yield every Nth page, in the order of the files; `CorpusError` for a bad record."""
        number = 0
        for case in self._read(self.path):
            if all(_FIELDS[field](case) == value for field, value in self.only):
                if number % every == 0:
                    yield case if self.headlines else _without_headline(case)
                number += 1
        if number == 0:
            raise CorpusError(f"{self.path}: no page in {self.title}")


_FIELDS: dict[str, Callable[[Case], str]] = {
    "lang": lambda case: case.lang,
    "type": lambda case: case.page_type,
    "site": lambda case: case.domain,
    "group": lambda case: case.group or "",
}


def open_corpus(path: str | Path, only: Sequence[str] = (), *, headlines: bool = True) -> Corpus:
    """Return the corpus at a path, its layout told by what is there.

    `only` limits it to pages of a language, type, site or group: `lang=ko`, `type=news`. Without `headlines` a page's
    title, or the first line of its gold where no title is known, is left out of both the gold and the outputs.
    """
    limits = []
    for limit in only:
        field, _, value = limit.partition("=")
        if field not in _FIELDS:
            raise UnknownName("field to limit pages by", field, _FIELDS)
        limits.append((field, value))
    return replace(_opened(Path(path)), only=tuple(limits), headlines=headlines)


def _without_headline(case: Case) -> Case:
    first = case.golds[0].strip().partition("\n")[0] if case.golds else None
    headline = case.title or first
    golds = (without_line(gold, headline or "") for gold in case.golds)
    return replace(case, golds=tuple(gold for gold in golds if gold.strip()), headline=headline)


def _opened(path: Path) -> Corpus:
    if path.is_file():
        if not path.name.endswith((".jsonl", ".jsonl.zst")):
            raise SourceError(f"no corpus: {path} (a file has to end in .jsonl or .jsonl.zst)")
        return Corpus(path.name.removesuffix(".zst").removesuffix(".jsonl"), path, _from_lines)
    if not path.is_dir():
        raise SourceError(f"no such corpus: {path}")
    for layout in (_from_wcxb, _from_pairs, _from_golden):
        if next(layout(path), None) is not None:
            return Corpus(path.resolve().name, path, layout)
    raise SourceError(f"no corpus in the folder {path}: no page with its truth in any of the known layouts")


def case_of(record: object, where: str) -> Case:
    """Return the case a JSON object describes; `where` names its place in errors.

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
    )


@dataclass(frozen=True)
class _Fields:
    """A record whose fields are checked as they are read."""

    record: dict[str, Any]
    where: str

    def text(self, name: str, *, needed: bool = False) -> str:
        value = self.record.get(name)
        if value is None and not needed:
            return ""
        if isinstance(value, int) and not isinstance(value, bool) and name == "id":
            return str(value)
        if not isinstance(value, str) or (needed and not value):
            found = "missing" if name not in self.record else "empty" if value == "" else f"{_kind(value)}, not text"
            raise CorpusError(f"{self.where}: {name!r} is {found}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.record.get(name) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise CorpusError(f"{self.where}: {name!r} is no list of texts")
        return tuple(item for item in value if item.strip())


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
                        raise CorpusError(f"{where}: the id {case.id!r} is that of line {first[case.id]} too")
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
        raise CorpusError(f"{where}: no JSON: {error}") from error


def _from_wcxb(folder: Path) -> Iterator[Case]:
    """Murrough Foley's Web Content Extraction Benchmark as it is published."""
    truths = next((folder / name for name in _TRUTH_FOLDERS if (folder / name).is_dir()), None)
    if truths is None:
        return
    pages = _pages_in(folder / "html")
    for truth in sorted(truths.glob("*.json")):
        if truth.stem not in pages:
            raise CorpusError(f"{truth}: no page html/{truth.stem}.html beside it")
        record = _parsed(_read_text(truth), str(truth))
        if not isinstance(record, dict):
            raise CorpusError(f"{truth}: not a JSON object")
        yield case_of(_from_wcxb_record(record, truth.stem, _read_text(pages[truth.stem])), str(truth))


def _from_wcxb_record(record: dict[str, Any], name: str, html: str) -> dict[str, Any]:
    truth = record.get("ground_truth", record)
    inside = record.get("_internal", {})
    kind = inside.get("page_type", {}) if isinstance(inside, dict) else {}
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
    """CleanEval: a page and its text by the same name; its `<h>`, `<p>`, `<l>` marks and URL line are no text."""
    pages = _pages_in(folder / "html") or _pages_in(folder)
    golds = [folder / name for name in _GOLD_FOLDERS if (folder / name).is_dir()] or [folder]
    found = {path.name.split(".")[0].removesuffix("-cleaned"): path for path in sorted(golds[0].glob("*.txt"))}
    for name, page in pages.items():
        if name in found:
            gold = _MARKER.sub("", _URL_LINE.sub("", _read_text(found[name])))
            yield Case(name, _read_text(page), (gold,) if gold.strip() else (), domain=name)
        elif found:
            raise CorpusError(f"{page}: no text {name}.txt for it in {golds[0]}")


def _from_golden(folder: Path) -> Iterator[Case]:
    """One folder for each case, as in tests/golden."""
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
