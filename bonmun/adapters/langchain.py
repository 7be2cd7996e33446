"""LangChain: a loader of web pages, and a transformer of documents that hold HTML.

>>> from bonmun.adapters.langchain import BonmunLoader, PassageSettings
>>> html = "<h1>Tea</h1><p>Tea is made of leaves.</p><h2>Water</h2><p>Water has to boil for black tea.</p>"
>>> for document in BonmunLoader([("https://example.org/tea", html)], PassageSettings(max_chars=50)).lazy_load():
...     print(document.metadata["source"], document.metadata["headings"])
https://example.org/tea Tea
https://example.org/tea Tea > Water
"""

from collections.abc import Iterator, Sequence
from typing import Any

from bonmun.adapters.extras import needed
from bonmun.adapters.passages import DEFAULT_PASSAGES, PassageSettings, passages
from bonmun.adapters.sources import GivenPage, Source, Sources, pages_of, web_address
from bonmun.middleware.network import DEFAULT_POLICY, FetchPolicy

with needed("langchain_core", "the adapters for LangChain", "langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document

__all__ = ["BonmunLoader", "BonmunTransformer", "FetchPolicy", "PassageSettings", "Source"]


class BonmunLoader(BaseLoader):
    """Load the main text of web pages: files, folders, patterns, URLs, or pairs of a URL and HTML.

    A page is a document, or several if `settings` cut it into chunks. Its metadata has what is known of source, url,
    title, author, date, language, site, page_type, status and confidence; that of a chunk also headings, its number
    (`chunk` of `chunks`), `start` and `end` in the page's Markdown, tokens, and the xpath of its first block.

    `jobs` is the number of worker processes; URLs are fetched safely, with the limits of `fetching`.

    >>> loader = BonmunLoader([("https://example.org/tea", "<title>Tea</title><p>Tea is made of leaves and water.")])
    >>> [document.page_content for document in loader.load()]
    ['Tea is made of leaves and water.']
    """

    def __init__(
        self,
        sources: Sources,
        settings: PassageSettings = DEFAULT_PASSAGES,
        *,
        jobs: int = 1,
        fetching: FetchPolicy = DEFAULT_POLICY,
    ) -> None:
        self._sources, self._settings, self._jobs, self._fetching = sources, settings, jobs, fetching

    def lazy_load(self) -> Iterator[Document]:
        """Yield the documents of one page after the other."""
        pages = pages_of(self._sources, self._fetching, self._settings.limits)
        for made in passages(pages, self._settings, jobs=self._jobs):
            for passage in made:
                yield Document(page_content=passage.text, metadata=passage.metadata)


class BonmunTransformer(BaseDocumentTransformer):
    """Turn documents that hold HTML into documents of their main text, or into chunks of it.

    The metadata of a document stays; what the page says is added. Its `url`, else its `source`, resolves links.

    >>> raw = Document(page_content="<title>Tea</title><p>Tea is made of leaves and water.", metadata={"id": 7})
    >>> document, = BonmunTransformer().transform_documents([raw])
    >>> document.page_content, document.metadata["id"], document.metadata["title"]
    ('Tea is made of leaves and water.', 7, 'Tea')
    """

    def __init__(self, settings: PassageSettings = DEFAULT_PASSAGES, *, jobs: int = 1) -> None:
        self._settings, self._jobs = settings, jobs

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        """Return the documents of the main texts, in order."""
        pages = [_page(document, number) for number, document in enumerate(documents, 1)]
        return [
            Document(page_content=passage.text, metadata={**document.metadata, **passage.metadata})
            for document, made in zip(documents, passages(pages, self._settings, jobs=self._jobs), strict=True)
            for passage in made
        ]


def _page(document: Document, number: int) -> GivenPage:
    about = document.metadata
    url = web_address(about.get("url")) or web_address(about.get("source"))
    return GivenPage(str(about.get("source") or url or f"document {number}"), document.page_content, url)
