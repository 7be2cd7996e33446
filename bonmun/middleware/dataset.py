"""NewsDataSet: the main text of a page with every intermediate result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

from bonmun import registry
from bonmun.errors import UnknownName
from bonmun.middleware.exchange import NetworkFacts, SourcePage
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.verdict import Verdicts
from bonmun.workers.failure import Failure
from bonmun.workers.packed import Packed

if TYPE_CHECKING:
    from bonmun.methods.xpath_groups import PathGroup, TextNode, XPathAnalysis
    from bonmun.middleware.page_task import JudgedAgain

_XPATH = "xpath"
_FETCH = "fetch"


class Judged(NamedTuple):
    """The heavy part of a data set."""

    document: Document
    verdicts: dict[str, Verdicts]
    """The verdicts of the other methods by their names."""


@dataclass(frozen=True, eq=False)
class NewsDataSet:
    """What a `Wrapper` gets for one page: the document, all intermediate results and how they came about.

    Title, text, sizes and timings are at hand. The document and everything derived from it is unpickled or computed at
    first access. Picklable.

    >>> import bonmun
    >>> page = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p><p>Enjoy.</p>"
    >>> dataset = bonmun.NewsDataSet.of(page.encode(), url="https://example.org/tea")
    >>> dataset.title, dataset.html_size, dataset.chosen_path
    ('Tea', 95, 'html/body/p')
    >>> [(group.path, group.count) for group in dataset.groups]
    [('html/body/p', 2)]
    """

    url: str
    source: str
    """The name of the source."""
    html_size: int
    """Bytes of the page as it came."""
    node_count: int
    """Elements and text nodes."""
    block_count: int
    """Paragraphs, headings, items and other blocks."""
    metadata: Metadata
    """Title, authors, dates, language and more."""
    text: str
    """The main text."""
    timings: Mapping[str, float]
    """Seconds of each stage: `fetch` on the network; `read`, `judge`, `metadata` and `text`, and `judge:NAME` for each
    of the other methods, as CPU time of the worker process."""
    packed: "Packed[Judged] | JudgedAgain | None" = field(repr=False)
    """The document and the other verdicts, unpickled or computed when asked for."""
    network: NetworkFacts | None = None
    """`None` for a page that did not come over the network."""
    method_failures: Mapping[str, Failure] = field(default_factory=lambda: MappingProxyType({}))
    """Why some of the other methods gave no verdicts."""
    saved: object = None
    """What the store answered to `save`."""

    @classmethod
    def of(cls, html: bytes, *, url: str = "", methods: tuple[str | registry.Method, ...] = ()) -> "NewsDataSet":
        """Return the data set of a page, made in this process."""
        from bonmun.middleware.page_task import Job, PageTask

        return PageTask(methods=methods)(Job(SourcePage(url, html)))

    @property
    def title(self) -> str | None:
        """The title, without the site's name."""
        return self.metadata.title

    @property
    def document(self) -> Document:
        """The document: blocks, metadata, formats."""
        document = self._judged.document
        vars(document).setdefault("text", self.text)
        return document

    @property
    def _judged(self) -> Judged:
        assert self.packed is not None, "the stages fill it in"
        return self.packed.value

    @cached_property
    def verdicts(self) -> Mapping[str, Verdicts]:
        """The verdicts of the deciding method and of the others asked for, by their names."""
        judged = self._judged
        return MappingProxyType({judged.document.method: judged.document.verdicts, **judged.verdicts})

    def document_by(self, method: str) -> Document:
        """The document as another of the methods asked for sees it; `UnknownName` for others."""
        if method not in self.verdicts:
            raise UnknownName("verdicts of a method", method, self.verdicts)
        document = self.document
        return Document(document.page, self.verdicts[method], method, limits=document.limits)

    @cached_property
    def analysis(self) -> "XPathAnalysis":
        """The intermediate results of the XPath-group paper: text nodes with their paths, groups, and the choice."""
        known = self.verdicts.get(_XPATH)
        verdicts = known or registry.method(_XPATH).judge(self.document.page)
        return cast("XPathAnalysis", verdicts.analysis)

    @property
    def text_paths(self) -> "tuple[TextNode, ...]":
        """Every text node of the page with its path."""
        return self.analysis.nodes

    @property
    def groups(self) -> "tuple[PathGroup, ...]":
        """Consecutive text nodes with the same path."""
        return self.analysis.groups

    @property
    def chosen_path(self) -> str | None:
        """The path of the longest group; `None` on a page without text."""
        chosen = self.analysis.chosen_group
        return chosen.path if chosen else None

    @property
    def seconds(self) -> float:
        """The processing time, without the network."""
        return sum(seconds for stage, seconds in self.timings.items() if stage != _FETCH)

    def to_json(self) -> str:
        """All of it as JSON; the schema is `bonmun/middleware/dataset.schema.json`."""
        from bonmun.middleware.dataset_output import to_json

        return to_json(self)

    def to_xml(self) -> str:
        """All of it as XML; the schema is `bonmun/middleware/dataset.xsd`."""
        from bonmun.middleware.dataset_output import to_xml

        return to_xml(self)

    def __getstate__(self) -> dict[str, object]:
        """The fields alone; the rest is derived again."""
        state = {name: vars(self)[name] for name in self.__dataclass_fields__}
        return {**state, "timings": dict(self.timings), "method_failures": dict(self.method_failures)}

    def __repr__(self) -> str:
        return f"<NewsDataSet {self.url} {self.title!r} {len(self.text):,} characters of {self.html_size:,} bytes>"
