"""From pages to passages: texts with plain metadata, which frameworks for retrieval take as documents of their own."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from bonmun import registry
from bonmun.adapters.sources import GivenPage
from bonmun.errors import BonmunError, SourceError, UnknownName
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.document import Document
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.pipeline import extract
from bonmun.registry import Method, SiteLookup
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

_LOG: Final = logging.getLogger("bonmun.adapters")
_FORMATS: Final = ("markdown", "text")
_ON_ERROR: Final = ("raise", "skip", "document")
_WAYS: Final = ("heading", "size")
_BETWEEN_HEADINGS: Final = " > "
_GRACE_SECONDS: Final = 10.0
"""To start a process and to return its answer, beyond the seconds of the page."""

TECHNICAL: Final = ("status", "confidence", "page_type", "chunk", "chunks", "start", "end", "tokens", "xpath")
"""Keys of metadata that tell nothing about the content: no use in a prompt or an embedding."""


@dataclass(frozen=True, slots=True)
class PassageSettings:
    """How pages become passages: whole or in chunks, and by which method.

    >>> PassageSettings(max_tokens=400).is_cut, PassageSettings().is_cut
    (True, False)
    """

    format: str = "markdown"
    """`markdown` or `text`."""
    chunks: bool = False
    """Whether a page is cut into chunks, one for each section; a limit on their size cuts too."""
    max_tokens: int | None = None
    """The most tokens of a chunk."""
    max_chars: int | None = None
    """The most characters of a chunk, instead of tokens."""
    by: str = "heading"
    """Where chunks are cut: `heading` or `size`; see `Document.chunks`."""
    tokens: Callable[[str], int] | None = None
    """Counts the tokens of a text; without it, they are estimated."""
    on_error: str = "raise"
    """A page that fails is an exception (`raise`), a passage without text whose metadata has the error (`document`), or
    a logged warning (`skip`). A page without main text is a passage without text, unless `skip` leaves it out."""
    method: str | Method = "auto"
    prefer: str | float = "balance"
    abstain_below: float = 0.0
    sites: SiteLookup | None = None
    """Sites whose templates decide instead of `auto`."""
    output: Output = DEFAULT_OUTPUT
    limits: Limits = DEFAULT_LIMITS

    def __post_init__(self) -> None:
        for what, name, known in (
            ("format of passages", self.format, _FORMATS),
            ("way to treat an error", self.on_error, _ON_ERROR),
            ("way to cut chunks", self.by, _WAYS),
        ):
            if name not in known:
                raise UnknownName(what, name, known)
        if (self.method, self.prefer) != ("auto", "balance"):
            method = registry.method(self.method) if isinstance(self.method, str) else self.method
            registry.preferring(method, self.prefer)  # raises its error here, not for every page

    @property
    def is_cut(self) -> bool:
        """Whether pages are cut into chunks."""
        return self.chunks or self.max_tokens is not None or self.max_chars is not None

    def to_dict(self) -> dict[str, Any]:
        """Return the settings that are not the defaults as plain data.

        >>> PassageSettings(max_tokens=400, output=Output(links=False)).to_dict()
        {'max_tokens': 400, 'output': {'links': False}}
        """
        if self.sites is not None or self.tokens is not None or not isinstance(self.method, str):
            raise ValueError("settings with `sites`, `tokens` or a method that is no name are not plain data")
        return _changed(self, PassageSettings())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PassageSettings":
        """Return the settings that `to_dict` wrote.

        >>> PassageSettings.from_dict({"max_tokens": 400, "output": {"links": False}}).output.links
        False
        """
        given = dict(data)
        for name, kind in (("output", Output), ("limits", Limits)):
            if isinstance(given.get(name), Mapping):
                given[name] = kind(**given[name])
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with its metadata: strings and numbers. What is not known has no key.

    >>> Passage("Tea is made of leaves.", {"source": "tea.html", "chunk": 0}).metadata["source"]
    'tea.html'
    """

    text: str
    metadata: dict[str, Any]


DEFAULT_PASSAGES: Final = PassageSettings()


def passages(
    pages: Iterable[GivenPage], settings: PassageSettings = DEFAULT_PASSAGES, *, jobs: int = 1
) -> Iterator[list[Passage]]:
    """Yield the passages of every page in order, lazily. `jobs` is the number of worker processes, 0 for all cores.

    >>> html = "<h1>Tea</h1><p>Tea is made of leaves.</p><h2>Water</h2><p>Water has to boil for black tea.</p>"
    >>> for passage in next(passages([GivenPage("tea.html", html)], PassageSettings(max_chars=50))):
    ...     print(passage.metadata["headings"], passage.text.splitlines()[-1])
    Tea Tea is made of leaves.
    Tea > Water Water has to boil for black tea.
    """
    given: deque[GivenPage] = deque()

    def taken() -> Iterator[GivenPage]:
        for page in pages:
            given.append(page)
            yield page

    for result in _results(_Work(settings), taken(), jobs):
        page = given.popleft()
        yield _of_failure(page, result, settings) if isinstance(result, Failure) else _shown(page, result, settings)


def document_of(page: GivenPage, settings: PassageSettings = DEFAULT_PASSAGES) -> Document:
    """Return the document of a page; raise the error of one that was not read."""
    if page.error is not None:
        raise page.error
    return extract(
        page.html,
        url=page.url,
        charset=page.charset,
        method=settings.method,
        limits=settings.limits,
        sites=settings.sites,
        prefer=settings.prefer,
        abstain_below=settings.abstain_below,
    ).with_output(settings.output)


@dataclass(frozen=True, slots=True)
class _Work:
    """The passages of a page, as a picklable function."""

    settings: PassageSettings

    def __call__(self, page: GivenPage) -> list[Passage]:
        document = document_of(page, self.settings)
        about = _about(page, document)
        cut = _chunks(document, about, self.settings) if self.settings.is_cut else []
        return cut or [Passage(document.write(self.settings.format), about)]

    def in_this_process(self, page: GivenPage) -> list[Passage] | Failure:
        try:
            return self(page)
        except Exception as error:
            return Failure.of(error)


def _results(work: _Work, pages: Iterator[GivenPage], jobs: int) -> Iterator[list[Passage] | Failure]:
    if jobs == 1:
        yield from map(work.in_this_process, pages)
        return
    limits, method = work.settings.limits, work.settings.method
    drawing = registry.rendering_seconds() if registry.needs_layout(method) else 0.0
    seconds = 3 * limits.seconds + drawing + _GRACE_SECONDS  # reading and judging, metadata, text
    with WorkerPool[GivenPage, list[Passage]](work, jobs=jobs, seconds=seconds) as pool:
        yield from pool.map(pages)


def _about(page: GivenPage, document: Document) -> dict[str, Any]:
    known = {
        "source": page.source,
        "url": document.url,
        "title": document.title,
        "author": document.author,
        "date": document.date.isoformat() if document.date else None,
        "language": document.language,
        "site": document.site,
        "page_type": document.page_type,
        "status": document.status.value,
        "confidence": round(document.confidence, 4),
    }
    return {name: value for name, value in known.items() if value is not None}


def _chunks(document: Document, about: dict[str, Any], settings: PassageSettings) -> list[Passage]:
    limits = {"max_tokens": settings.max_tokens, "max_chars": settings.max_chars}
    chunks = document.chunks(**limits, by=settings.by, format=settings.format, tokens=settings.tokens)
    return [
        Passage(
            chunk.text,
            about
            | ({"headings": _BETWEEN_HEADINGS.join(chunk.headings)} if chunk.headings else {})
            | {"chunk": number, "chunks": len(chunks), "start": chunk.start, "end": chunk.end}
            | {"tokens": chunk.tokens}
            | ({"xpath": chunk.xpaths[0]} if chunk.xpaths else {}),
        )
        for number, chunk in enumerate(chunks)
    ]


def _shown(page: GivenPage, made: list[Passage], settings: PassageSettings) -> list[Passage]:
    """The passages of a page; of one without text, nothing if it is to be left out."""
    if settings.on_error != "skip" or any(passage.text for passage in made):
        return made
    _LOG.warning("%s: left out: no main text (%s)", page.source, made[0].metadata["status"])
    return []


def _of_failure(page: GivenPage, failure: Failure, settings: PassageSettings) -> list[Passage]:
    if settings.on_error == "raise":
        raise _named(page, failure.exception())
    if settings.on_error == "skip":
        _LOG.warning("%s: left out: %s: %s", page.source, failure.kind, failure.message)
        return []
    about = {"source": page.source, "url": page.url, "status": "failed", "error": failure.kind}
    message = failure.message.encode("utf-8", "replace").decode()
    return [Passage("", {name: value for name, value in about.items() if value} | {"message": message})]


def _named(page: GivenPage, error: Exception) -> Exception:
    """The error to raise, with the page's name in its message."""
    if page.source in str(error) or not isinstance(error, BonmunError):
        return error
    named = SourceError(f"{page.source}: {error}")
    named.__cause__ = error
    return named


def _changed(given: Any, default: Any) -> dict[str, Any]:
    """The fields of a dataclass that differ from those of another, nested ones as dictionaries."""
    found = {}
    for field in fields(given):
        value, usual = getattr(given, field.name), getattr(default, field.name)
        if value != usual:
            found[field.name] = _changed(value, usual) if isinstance(value, Output | Limits) else value
    return found
