"""What a job is asked to do."""

import re
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from bonmun import registry
from bonmun.errors import BonmunError, InputError
from bonmun.middleware.exchange import Source
from bonmun.middleware.sources import Crawl, CrawlLimits, source_of
from bonmun.serve.request_model import RequestModel
from bonmun.store.job_pages import JobPage
from bonmun.store.urls import normalized, url_key

MOST_PAGES: Final = 100_000
MOST_SOURCES: Final = 1_000
SHOWN_SOURCES: Final = 20
_LONGEST_NAME: Final = 200
_PATTERN: Final = r"^\s*((feed|sitemap|site):\s*)?https?://[^\s/]"
_PASSWORD: Final = re.compile(r"://[^/?#]*@")
_FORMS: Final = "https://…, http://…, feed:https://…, sitemap:https://… or site:https://…"


class CrawlInput(RequestModel):
    """A crawl: the pages of some sources are fetched, extracted and stored."""

    sources: list[Annotated[str, Field(pattern=_PATTERN, max_length=8000)]] = Field(
        min_length=1, max_length=MOST_SOURCES, description=f"Where pages come from: {_FORMS}."
    )
    name: str | None = Field(None, max_length=_LONGEST_NAME, description="Without one, it is named after its source.")
    method: str = Field("auto", max_length=100)
    max_pages: int = Field(1000, ge=1, le=MOST_PAGES, strict=True, description="The crawl ends after so many pages.")
    revisit: bool = Field(False, strict=True, description="Whether pages that are stored already are fetched again.")

    def checked(self) -> "CrawlInput":
        """Return it without surrounding spaces; raise `UnknownName` and `InputError`."""
        registry.method(self.method)
        sources = list(dict.fromkeys(source.strip() for source in self.sources))
        for source in sources:
            network_source(source)
        return self.model_copy(update={"sources": sources})

    def spec(self) -> dict[str, Any]:
        """Return what the store keeps of it; of the sources only some, as each is a row of its own."""
        return {**self.model_dump(exclude={"name"}), "sources": self.sources[:SHOWN_SOURCES]}

    def title(self) -> str:
        """Return the name of the job."""
        more = f" + {len(self.sources) - 1}" if len(self.sources) > 1 else ""
        return self.name or self.sources[0][: _LONGEST_NAME - len(more)] + more

    def rows(self) -> list[JobPage]:
        """Return its plain URLs as pages to fetch, and the other sources as sources to read."""
        sources = enumerate(text for text in self.sources if not is_url(text))
        urls = [text for text in self.sources if is_url(text)][: self.max_pages]
        return [JobPage(f"source:{number}", text, number, "source") for number, text in sources] + [
            JobPage(url_key(url), normalized(url)) for url in urls
        ]


class BatchOptions(BaseModel):
    """How the pages of a batch are extracted: in the query, beside the NDJSON of the pages."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = Field(None, max_length=_LONGEST_NAME)
    method: str = Field("auto", max_length=100)


def is_url(source: str) -> bool:
    """Whether a source is a single page.

    >>> is_url("https://example.org/tea"), is_url("site:https://example.org/")
    (True, False)
    """
    return source.startswith(("http://", "https://"))


def network_source(text: str, pages: int = 1000) -> Source:
    """Return the source that a line names; only those that need nothing but the network are allowed.

    >>> network_source("feed:https://example.org/rss").name
    'feed:https://example.org/rss'
    >>> network_source("files:/etc")
    Traceback (most recent call last):
    bonmun.errors.InputError: source 'files:/etc': only https://…, http://…, feed:https://…, sitemap:https://… or ...
    """
    if not re.match(_PATTERN, text):
        raise InputError(f"source {text[:80]!r}: only {_FORMS} can be crawled")
    if _PASSWORD.search(text):
        raise InputError("a source with a name or password in its URL: it would be stored and shown")
    try:
        source = source_of(text)
    except BonmunError as error:
        raise InputError(f"source {text[:80]!r}: {error}") from error
    if isinstance(source, Crawl):
        source.limits = CrawlLimits(pages=pages, seconds=float("inf"))
    return source
