"""A page on its way into the store, and the difference of two versions: work for the pool."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

from bonmun.deadline import within
from bonmun.limits import Limits
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.serve.given_page import GivenPage
from bonmun.serve.work import drawing_seconds
from bonmun.sites.site import Site

if TYPE_CHECKING:
    from bonmun.store.saving import PreparedPage

SOURCE = "service"
"""The name of the source of pages that were sent to the service."""
_DIFF_SECONDS = 20.0


def address_of(page: GivenPage) -> str:
    """Return the URL under which a page is stored; a page without one is identified by its content.

    >>> address_of(GivenPage(b"<p>Tea", "https://example.org/tea")), address_of(GivenPage(b"<p>Tea"))[:16]
    ('https://example.org/tea', 'urn:bonmun:page:')
    """
    return page.url or f"urn:bonmun:page:{page.id}"


@dataclass(frozen=True, slots=True)
class StoreWork:
    """Extract a page and compute all that the store keeps of it: text, tokens of the index, keywords, summary."""

    page: GivenPage
    method: str
    prefer: str | float
    limits: Limits
    site: Site | None = None
    """The known site of the page, which decides instead of `auto`."""

    @property
    def seconds(self) -> float:
        """Three times the limit: extraction, output, analysis."""
        return 3 * self.limits.seconds + drawing_seconds(self.method)

    def run(self) -> "tuple[PreparedPage, Site | None]":
        """Return the rows of the page, and its site with the health of its rules on this page."""
        from bonmun.store.saving import Record

        given, timings = self.page, dict[str, float]()
        if given.network is not None:
            timings["fetch"] = given.network.seconds
        with within(self.limits.seconds):
            with _timed(timings, "read"):
                page = read_page(given.content, url=given.url, charset=given.content_type, limits=self.limits)
            with _timed(timings, "judge"):
                document = extract(page, method=self.site or self.method, prefer=self.prefer, limits=self.limits)
            with _timed(timings, "metadata"):
                _ = document.metadata
        with _timed(timings, "text"):
            _ = document.text
        address = address_of(given)
        analyse = has_analyser(document.metadata.language)
        record = Record(document, address, SOURCE, len(given.content), timings, given.network, analyse)
        # Without the pages that the site remembers: they are only needed to learn again.
        return record.prepared(), Site.from_json(self.site.to_json()) if self.site else None


def has_analyser(language: str | None) -> bool:
    """Whether words of a language can be told apart well enough for keywords: Korean needs an extra.

    >>> has_analyser("en"), has_analyser("th")
    (True, False)
    """
    from bonmun.analyze.morphology import morphology

    return not morphology(language or "").warnings


@contextmanager
def _timed(timings: dict[str, float], stage: str) -> Iterator[None]:
    start = perf_counter()
    yield
    timings[stage] = perf_counter() - start


class Change(BaseModel):
    """A part of two texts: what is not inserted is the old text, what is not deleted the new one."""

    op: Literal["equal", "insert", "delete"]
    text: str


@dataclass(frozen=True, slots=True)
class DiffWork:
    """Compare two texts, given as paragraphs."""

    old: Sequence[str]
    new: Sequence[str]
    seconds: float = _DIFF_SECONDS

    def run(self) -> list[Change]:
        """Return all parts of both texts."""
        return changes_of(self.old, self.new)


def changes_of(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """Compare two texts, given as paragraphs.

    >>> [(change.op, change.text) for change in changes_of(["Hot tea"], ["Cold tea"])]
    [('delete', 'Hot'), ('insert', 'Cold'), ('equal', ' tea\\n')]
    """
    from bonmun.store.diff import changes

    names: dict[str, Literal["equal", "insert", "delete"]]
    names = {"same": "equal", "added": "insert", "removed": "delete"}
    return [Change(op=names[kind], text=text) for kind, text in changes(old, new)]
