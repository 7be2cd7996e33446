"""Haystack: a converter component for pipelines.

>>> from haystack.dataclasses import ByteStream
>>> from bonmun.adapters.haystack import BonmunConverter
>>> page = ByteStream(b"<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>")
>>> document, = BonmunConverter().run(sources=[page])["documents"]
>>> document.content, document.meta["title"]
('Tea is made of leaves, and of water that has just boiled.', 'Tea')
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bonmun.adapters.extras import needed
from bonmun.adapters.passages import DEFAULT_PASSAGES, PassageSettings, passages
from bonmun.adapters.sources import GivenPage, pages_of, web_address

with needed("haystack", "the adapters for Haystack", "haystack"):
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.components.converters.utils import normalize_metadata
    from haystack.dataclasses import ByteStream

__all__ = ["BonmunConverter", "PassageSettings"]

Meta = dict[str, Any]


@component
class BonmunConverter:
    """Convert web pages to documents of their main text, or of chunks of it.

    A document's `meta` has that of its `ByteStream`, the given one, and what is known of source, url, title, author,
    date, language, site, page_type, status and confidence; a chunk also has its headings, number, place, and the
    `split_id` and `split_idx_start` of Haystack's splitters.

    >>> BonmunConverter(PassageSettings(max_tokens=400)).to_dict()["init_parameters"]
    {'settings': {'max_tokens': 400}, 'jobs': 1}
    """

    def __init__(self, settings: PassageSettings | Mapping[str, Any] = DEFAULT_PASSAGES, *, jobs: int = 1) -> None:
        """Settings may be a mapping of their names, as a pipeline in YAML has them; `jobs`: worker processes."""
        self._settings = settings if isinstance(settings, PassageSettings) else PassageSettings.from_dict(settings)
        self._jobs = jobs

    def to_dict(self) -> dict[str, Any]:
        """Return the component as plain data."""
        data: dict[str, Any] = default_to_dict(self, settings=self._settings.to_dict(), jobs=self._jobs)
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "BonmunConverter":
        """Return the component that `to_dict` wrote."""
        made: BonmunConverter = default_from_dict(cls, data)
        return made

    @component.output_types(documents=list[Document])
    def run(
        self, sources: list[str | Path | ByteStream], meta: Meta | list[Meta] | None = None
    ) -> dict[str, list[Document]]:
        """Convert sources: paths of files and folders, URLs, or byte streams, as `LinkContentFetcher` returns them.

        `meta` is added to the documents: one dictionary for all, or a list with one for each source.
        """
        metas = normalize_metadata(meta, sources_count=len(sources))
        pages = [page for source, meta in zip(sources, metas, strict=True) for page in self._pages(source, meta)]
        made = passages((page for page, _ in pages), self._settings, jobs=self._jobs)
        return {
            "documents": [
                Document(content=passage.text, meta={**given, **_with_split(passage.metadata)})
                for (_, given), found in zip(pages, made, strict=True)
                for passage in found
            ]
        }

    def _pages(self, source: str | Path | ByteStream, meta: Meta) -> Iterator[tuple[GivenPage, Meta]]:
        if isinstance(source, ByteStream):
            yield _page(source), {**source.meta, **meta}
            return
        for page in pages_of(source, limits=self._settings.limits):
            yield page, meta


def _page(stream: ByteStream) -> GivenPage:
    about = stream.meta
    url = web_address(about.get("url"))
    source = url or about.get("file_path") or about.get("source") or "byte stream"
    return GivenPage(str(source), stream.data, url, about.get("content_type") or stream.mime_type)


def _with_split(metadata: Meta) -> Meta:
    if "chunk" not in metadata:
        return metadata
    return {**metadata, "split_id": metadata["chunk"], "split_idx_start": metadata["start"]}
