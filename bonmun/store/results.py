"""What a store returns: plain values, detached from the database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, overload

from bonmun.store.snippets import Snippet

Outcome = Literal["new", "changed", "unchanged", "duplicate"]


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a page."""

    outcome: Outcome
    """`duplicate` is a new page, stored like any other, whose text is nearly that of another."""
    document_id: int
    version: int
    """The number of the current version, from 1."""
    duplicate_of: str | None = None
    """The URL of the most similar page, if this one is new or changed and nearly the same."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A version of a stored page with all that is known of it."""

    document_id: int
    url: str
    host: str
    source: str
    version: int
    versions: int
    """How many versions are kept."""
    first_seen: datetime
    last_seen: datetime
    saved_at: datetime
    """When this version was stored."""
    title: str
    author: str
    published: str
    """In ISO 8601; the day alone if no time is known; empty if the page does not state it."""
    modified: str
    language: str
    site: str
    description: str
    canonical_url: str
    tags: tuple[str, ...]
    page_type: str
    method: str
    status: str
    confidence: float
    text: str
    markdown: str
    keywords: tuple[str, ...]
    summary: tuple[str, ...]
    """Sentences."""
    html_size: int
    duplicates: tuple[str, ...] = ()
    """The URLs of the other pages of its group of near-duplicates; empty in an export."""


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A page whose text is nearly that of another."""

    document_id: int
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Version:
    """A line of a page's history."""

    number: int
    saved_at: datetime
    title: str
    hash: str
    """SHA-256 of title and text."""
    text_size: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that a query found."""

    document_id: int
    url: str
    title: str
    language: str
    published: str
    source: str
    score: float
    """BM25; larger is better."""
    snippet: Snippet
    group: int | None
    """The number of its group of near-duplicates, if it has one."""
    host: str
    last_seen: datetime
    page_type: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Facets:
    """Documents by host and by language, the largest first."""

    hosts: Mapping[str, int]
    """The largest twenty; each count ignores the filter on hosts."""
    languages: Mapping[str, int]
    """Each count ignores the filter on languages."""


@dataclass(frozen=True, slots=True)
class Hits(Sequence[Hit]):
    """A page of results, best first."""

    query: str
    total: int
    """The number of all documents found."""
    hits: tuple[Hit, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Hit]: ...
    def __getitem__(self, index: int | slice) -> Hit | Sequence[Hit]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


@dataclass(frozen=True, slots=True)
class FailureRecord:
    """A page that could not be stored, and why."""

    url: str
    source: str
    stage: str
    error: str
    """The name of the error's type."""
    message: str
    count: int
    """How often it failed this way."""
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of each stage for one version of a page, with the sizes that they may depend on."""

    url: str
    version: int
    html_size: int
    """Bytes."""
    page_size: int
    """Characters of all text."""
    text_size: int
    """Characters of the main text."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    document_id: int = 0


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of a store."""

    documents: int
    versions: int
    sources: Mapping[str, int]
    """Documents by the name of their source."""
    languages: Mapping[str, int]
    hosts: Mapping[str, int]
    """Documents of the ten largest hosts."""
    failures: Mapping[str, int]
    """Failed pages by the name of the error's type."""
    groups: int
    """Groups of near-duplicates."""
    grouped: int
    """Documents in these groups."""
    pending: int
    """Requests in the queue."""
    sites: int
    labels: int
    """Pages whose verdicts a person corrected."""
    bytes: int
    """Size of the database."""
    schema: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """Counts of what was removed."""

    documents: int = 0
    versions: int = 0
    failures: int = 0
