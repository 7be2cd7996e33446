"""Documents of the store as the API shows them."""

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from bonmun.serve.storing import Change

if TYPE_CHECKING:
    from bonmun.store.results import Facets, Hit, Hits, NearDuplicate, StoredDocument, Version


class SavedAnswer(BaseModel):
    """What became of a page."""

    outcome: Literal["new", "changed", "unchanged", "duplicate"]
    id: int
    version: int
    duplicate_of: str | None = Field(description="The URL of a page whose text is nearly the same.")
    site: str | None = Field(description="The host of the learned site whose rules were tried.")


class SnippetAnswer(BaseModel):
    """A part of a text; `marks` are start and end of the words found, in characters."""

    text: str
    marks: list[tuple[int, int]]


class DocumentSummary(BaseModel):
    """A document in a list."""

    id: int
    url: str
    host: str
    title: str
    language: str
    published: str = Field(description="ISO 8601, perhaps the day alone; empty if unknown.")
    last_seen: datetime
    source: str
    page_type: str
    confidence: float
    snippet: SnippetAnswer
    score: float = Field(description="BM25; 0 without a query.")
    group: int | None = Field(description="The number of its group of near-duplicates.")


class Count(BaseModel):
    """The number of documents with a value."""

    value: str
    count: int


class DocumentList(BaseModel):
    """A part of the documents, with counts of all of them by host and language."""

    total: int
    documents: list[DocumentSummary]
    hosts: list[Count] = Field(description="The largest twenty, regardless of the filter `host`.")
    languages: list[Count] = Field(description="Regardless of the filter `language`.")


class Neighbour(BaseModel):
    """A document whose text is nearly the same."""

    id: int
    url: str
    title: str


class StoredAnswer(BaseModel):
    """A version of a document with all that is known of it."""

    id: int
    url: str
    host: str
    source: str
    version: int
    versions: int
    first_seen: datetime
    last_seen: datetime
    saved_at: datetime
    title: str
    author: str
    published: str
    modified: str
    language: str
    site: str
    description: str
    canonical_url: str
    tags: list[str]
    page_type: str
    method: str
    status: str
    confidence: float
    text: str
    markdown: str
    keywords: list[str]
    summary: list[str] = Field(description="Sentences.")
    html_size: int
    duplicates: list[Neighbour]


class VersionAnswer(BaseModel):
    """A line of a document's history."""

    number: int
    saved_at: datetime
    title: str
    text_size: int


class DiffAnswer(BaseModel):
    """The difference of two versions."""

    url: str
    old: int
    new: int
    changes: list[Change]


def document_list(hits: "Hits", facets: "Facets") -> DocumentList:
    """Return a list of documents as an answer."""
    hosts, languages = (
        [Count(value=value, count=count) for value, count in counts.items()]
        for counts in (facets.hosts, facets.languages)
    )
    return DocumentList(total=hits.total, documents=list(map(_summary, hits)), hosts=hosts, languages=languages)


def _summary(hit: "Hit") -> DocumentSummary:
    names = "url host title language published last_seen source page_type confidence score group".split()
    snippet = SnippetAnswer(text=hit.snippet.text, marks=list(hit.snippet.places))
    return DocumentSummary(id=hit.document_id, snippet=snippet, **{name: getattr(hit, name) for name in names})


def stored_answer(document: "StoredDocument", others: "tuple[NearDuplicate, ...]") -> StoredAnswer:
    """Return a stored document as an answer."""
    names = set(StoredAnswer.model_fields) - {"id", "duplicates"}
    neighbours = [Neighbour(id=one.document_id, url=one.url, title=one.title) for one in others]
    return StoredAnswer(
        id=document.document_id, duplicates=neighbours, **{name: getattr(document, name) for name in names}
    )


def version_answer(version: "Version") -> VersionAnswer:
    """Return a version as an answer."""
    return VersionAnswer(
        number=version.number, saved_at=version.saved_at, title=version.title, text_size=version.text_size
    )
