"""A block for datatrove's pipelines: documents with HTML in, documents with their main text out (extra `datatrove`)."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from bonmun.errors import MissingExtra
from bonmun.scale.rows import Row, page_row
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings

try:
    import pyarrow as pa
    from datatrove.data import Document
    from datatrove.pipeline.extractors.base import BaseExtractor
    from datatrove.utils.typeshelper import StatHints

    from bonmun.scale.killable import BatchPool
except ModuleNotFoundError as error:
    raise MissingExtra("blocks of datatrove", "datatrove") from error

_PAGES = 50
"""Documents that the worker process gets at once."""
_METADATA = ("title", "authors", "date", "language", "confidence", "page_type", "warnings")


class BonmunExtractor(BaseExtractor):
    """The main text of HTML documents; title, authors, date, language, confidence and page type in their metadata.

    The text is the first of `settings.texts`. The URL is taken from the metadata; a `date` found there, the time of
    the crawl, is kept as `fetched`. A page without text is dropped. One that fails is dropped too, also if it hangs or
    kills its process; the statistics count its error. Limits are those of `settings`, not the second that datatrove
    gives a document by default.

    >>> html = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
    >>> [document] = BonmunExtractor().run([Document(html, id="1", metadata={"url": "https://example.org/tea"})])
    >>> document.text, document.metadata["title"]
    ('Tea is made of leaves, and of water that has just boiled.', 'Tea')
    """

    name = "Bonmun"

    def __init__(self, settings: BatchSettings = DEFAULT_BATCH) -> None:
        super().__init__(settings.limits.seconds)
        self.settings = settings

    def extract(self, text: str) -> str:
        """Return the text of a page, extracted in this process."""
        return page_row(text, settings=self.settings).get(self.settings.texts[0]) or ""

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """Yield the documents that have a text, in order."""
        waiting: deque[Document] = deque()

        def batches() -> Iterator[pa.RecordBatch]:
            documents = iter(data)
            while some := list(islice(documents, _PAGES)):
                waiting.extend(some)
                yield self._batch(some)

        with BatchPool(self.settings) as pool:
            for answers in pool.map(batches()):
                for row in answers.to_pylist():
                    yield from self._answered(waiting.popleft(), row)

    def _batch(self, documents: Sequence[Document]) -> pa.RecordBatch:
        """Pages as bytes: a text that a reader decoded may have lone surrogates, which Arrow refuses."""
        names, count = (self.settings.html, self.settings.url, self.settings.charset), len(documents)
        pages = pa.array([document.text.encode("utf-8", "replace") for document in documents], pa.large_binary())
        urls = pa.array([document.metadata.get("url") for document in documents], pa.string())
        return pa.RecordBatch.from_arrays([pages, urls, pa.array(["utf-8"] * count)], names)

    def _answered(self, document: Document, row: Row) -> Iterator[Document]:
        """The document with its text and metadata, or nothing if the page has none."""
        self.stat_update(StatHints.total, row["status"])
        if row["error"]:
            self.stat_update(f"failed: {row['error']['type']}")
        if not (text := row[self.settings.texts[0]]):
            self.stat_update(StatHints.dropped)
            return
        if "date" in document.metadata:
            document.metadata["fetched"] = document.metadata["date"]
        date = row["date"] and row["date"].isoformat()  # JSON and Parquet writers take it as it is
        document.metadata |= {name: row[name] for name in _METADATA} | {"date": date}
        document.text = text
        self.stat_update(StatHints.forwarded)
        self.update_doc_stats(document)
        yield document
