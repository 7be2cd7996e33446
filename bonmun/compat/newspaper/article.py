"""The article of newspaper4k: download, parse, and keywords and a summary by `nlp`."""

import copy
import datetime
import json
from collections.abc import Iterator
from enum import Enum
from typing import Any, Literal, overload
from urllib.parse import urlsplit

from bonmun.compat.markup import inner
from bonmun.compat.newspaper.configuration import Configuration, warn_of_settings
from bonmun.errors import BonmunError
from bonmun.middleware.network import fetch
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.pipeline import extract
from bonmun.read.decode import decode
from bonmun.read.sniff import binary_kind
from bonmun.read.structured import Structured, read_structured
from bonmun.write.figures import shown_blocks

_JSON = (
    "url read_more_link language title top_image meta_img images movies keywords meta_keywords tags authors"
    " publish_date summary meta_description meta_lang meta_favicon meta_site_name canonical_link text"
).split()


class ArticleException(BonmunError):
    """An article that was not downloaded or not parsed, or cannot be.

    >>> Article("https://example.org/tea").parse()
    Traceback (most recent call last):
    bonmun.compat.newspaper.article.ArticleException: https://example.org/tea: call download() first
    """


class ArticleBinaryDataException(BonmunError):
    """What was downloaded is a picture, a PDF or other binary data.

    >>> Article("https://example.org/tea.pdf").download(b"%PDF-1.7")
    Traceback (most recent call last):
    bonmun.compat.newspaper.article.ArticleBinaryDataException: https://example.org/tea.pdf: PDF document
    """


class ArticleDownloadState(Enum):
    """How far the download is."""

    NOT_STARTED = 0
    FAILED_RESPONSE = 1
    SUCCESS = 2


class Article:
    """A page with its metadata, text, keywords and summary as attributes.

    >>> article = Article("https://example.org/tea")
    >>> page = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
    >>> article.download(input_html=page).parse().title
    'Tea'
    """

    def __init__(
        self,
        url: str,
        title: str = "",
        source_url: str = "",
        read_more_link: str = "",
        config: Configuration | None = None,
        **kwargs: Any,
    ) -> None:
        warn_of_settings("newspaper.Article", {"read_more_link": read_more_link, **kwargs}, stacklevel=2)
        self.config = copy.copy(config) if config else Configuration()
        self.config.change(kwargs)
        try:
            parts = urlsplit(url)
        except ValueError as error:
            raise ArticleException(f"{url}: {error}") from error
        self.source_url = source_url or f"{parts.scheme or 'http'}://{parts.netloc}"
        self.url = self.original_url = url
        self.read_more_link, self.title, self.html = read_more_link, title, ""
        self.download_state = ArticleDownloadState.NOT_STARTED
        self.download_exception_msg: str | None = None
        self.history: list[str] = []
        self._address = url
        self._document: Document | None = None
        self._set_empty()

    def _set_empty(self) -> None:
        self.text = self.article_html = self.summary = self.top_image = self.meta_img = self.canonical_link = ""
        self.meta_description = self.meta_lang = self.meta_favicon = self.meta_site_name = ""
        self.authors: list[str] = []
        self.images: list[str] = []
        self.movies: list[str] = []
        self.keywords: list[str] = []
        self.keyword_scores: dict[str, float] = {}
        self.meta_keywords: list[str] = []
        self.meta_data: dict[str, str] = {}
        self.tags: set[str] = set()
        self.publish_date: datetime.datetime | None = None
        self.is_parsed = False

    def download(
        self,
        input_html: str | bytes | None = None,
        title: str | None = None,
        recursion_counter: int = 0,
        ignore_read_more: bool = False,
    ) -> "Article":
        """Fetch the page by `bonmun.fetch`, or take `input_html`. A failure is a `download_state`, no exception."""
        self.title = title or self.title
        if input_html is not None:
            return self._set_page(input_html)
        try:
            page = fetch(self.url, self.config.policy())
        except BonmunError as error:
            self.download_state = ArticleDownloadState.FAILED_RESPONSE
            self.download_exception_msg = str(error)
            return self
        self.history = [self.url] if page.url != self.url else []
        self._address = page.url
        return self._set_page(page.content, page.content_type)

    def _set_page(self, html: str | bytes, content_type: str | None = None) -> "Article":
        if isinstance(html, bytes):
            if kind := binary_kind(html):
                self.download_state, self.download_exception_msg = ArticleDownloadState.FAILED_RESPONSE, kind
                raise ArticleBinaryDataException(f"{self.url}: {kind}")
            html = decode(html, content_type).text
        self.html, self.download_state = html, ArticleDownloadState.SUCCESS
        return self

    def parse(self) -> "Article":
        """Extract the text and the metadata; `ArticleException` if the page was not downloaded."""
        self._require_download()
        try:
            document = extract(self.html, url=self._address)
            self._set_empty()
            self._set_content(document)
            self._set_metadata(document)
        except BonmunError as error:
            raise ArticleException(f"{self.url}: {error}") from error
        self._document, self.is_parsed = document, True
        return self

    def _set_content(self, document: Document) -> None:
        self.text = document.text[: self.config.max_text]
        self.article_html = f"<div>{inner(document.html)}</div>" if self.text else ""
        runs = list(_runs(document))
        self.images = list(dict.fromkeys(run.src for run in runs if run.src))
        self.movies = [run.href for run in runs if run.media in ("video", "embed") and run.href]

    def _set_metadata(self, document: Document) -> None:
        metadata, structured = document.metadata, read_structured(document.page.nodes)
        self.title = (metadata.title or self.title)[: self.config.max_title]
        self.authors = list(metadata.authors)[: self.config.max_authors]
        self.publish_date = metadata.published
        self.meta_img = metadata.image or ""
        self.top_image = self.meta_img or next(iter(self.images), "")
        self.canonical_link = metadata.canonical_url or ""
        self.meta_description = metadata.description or ""
        self.meta_lang = (metadata.language or "").partition("-")[0]
        self.meta_site_name = metadata.site or ""
        self.meta_data = {name: contents[0] for name, contents in structured.meta.items()}
        self.meta_keywords = _keywords(structured)[: self.config.max_keywords]
        self.tags = set(metadata.tags)

    def nlp(self) -> None:
        """Set `keywords`, `keyword_scores` and `summary`."""
        self._require_download()
        if self._document is None:
            raise ArticleException(f"{self.url}: call parse() first")
        found = self._document.keywords(self.config.max_keywords)
        self.keyword_scores = {keyword.text: keyword.score for keyword in found}
        self.keywords = list(self.keyword_scores)
        sentences = self._document.summary(self.config.max_summary_sent)
        self.summary = "\n".join(map(str, sentences))[: self.config.max_summary]

    def build(self) -> None:
        """Download, parse, and call `nlp`."""
        self.download()
        self.parse()
        self.nlp()

    @overload
    def to_json(self, as_string: Literal[True] | None = True) -> str: ...
    @overload
    def to_json(self, as_string: Literal[False]) -> dict[str, Any]: ...
    def to_json(self, as_string: bool | None = True) -> str | dict[str, Any]:
        """Return the attributes as JSON, or as plain data."""
        if not self.is_parsed:
            raise ArticleException(f"{self.url}: call parse() first")
        values = {name: getattr(self, name) for name in _JSON if name != "language"}
        values |= {
            "tags": sorted(self.tags),
            "publish_date": self.publish_date.isoformat() if self.publish_date else None,
            "language": self.meta_lang or self.config.language,
        }
        ordered = {name: values[name] for name in _JSON}
        return json.dumps(ordered, indent=4, ensure_ascii=False) if as_string else ordered

    @property
    def imgs(self) -> list[str]:
        """An older name of `images`."""
        return self.images

    @property
    def top_img(self) -> str:
        """An older name of `top_image`."""
        return self.top_image

    @property
    def text_cleaned(self) -> str:
        """An older name of `text`."""
        return self.text

    def _require_download(self) -> None:
        if self.download_state is ArticleDownloadState.FAILED_RESPONSE:
            raise ArticleException(f"download() failed: {self.download_exception_msg}")
        if self.download_state is ArticleDownloadState.NOT_STARTED:
            raise ArticleException(f"{self.url}: call download() first")

    def __repr__(self) -> str:
        return f"<Article {self.title!r} {self.url}>"


def _runs(document: Document) -> Iterator[Run]:
    return (run for block in shown_blocks(document) for run in block.runs)


def _keywords(structured: Structured) -> list[str]:
    words = (word.strip() for text in structured.all("keywords", "news_keywords") for word in text.split(","))
    return list(dict.fromkeys(filter(None, words)))
