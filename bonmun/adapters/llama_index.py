"""LlamaIndex: a reader of web pages, and a node parser for documents that hold HTML.

>>> from bonmun.adapters.llama_index import BonmunReader
>>> html = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
>>> document, = BonmunReader().load_data([("https://example.org/tea", html)])
>>> document.text, document.metadata["title"]
('Tea is made of leaves, and of water that has just boiled.', 'Tea')
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from bonmun.adapters.extras import needed
from bonmun.adapters.passages import DEFAULT_PASSAGES, TECHNICAL, Passage, PassageSettings, passages
from bonmun.adapters.sources import GivenPage, Source, Sources, pages_of, web_address
from bonmun.middleware.network import DEFAULT_POLICY, FetchPolicy

with needed("llama_index", "the adapters for LlamaIndex", "llama-index"):
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship, TextNode
    from pydantic import Field, PlainSerializer, PlainValidator

__all__ = ["BonmunNodeParser", "BonmunReader", "FetchPolicy", "PassageSettings", "Source"]


class BonmunReader(BaseReader):
    """Read the main text of web pages: files, folders, patterns, URLs, or pairs of a URL and HTML.

    A page is a document, or several if `settings` cut it into chunks. Metadata that only programs need, such as the
    confidence, stays out of prompts and embeddings. The reader also serves as a `file_extractor` of
    `SimpleDirectoryReader`.

    >>> from bonmun.adapters.llama_index import BonmunReader
    >>> [document.text for document in BonmunReader().lazy_load_data([(None, "<p>Tea is made of leaves and water.")])]
    ['Tea is made of leaves and water.']
    """

    def __init__(
        self,
        settings: PassageSettings = DEFAULT_PASSAGES,
        *,
        jobs: int = 1,
        fetching: FetchPolicy = DEFAULT_POLICY,
    ) -> None:
        self._settings, self._jobs, self._fetching = settings, jobs, fetching

    def lazy_load_data(
        self, sources: Sources, *, extra_info: dict[str, Any] | None = None, **load_kwargs: Any
    ) -> Iterator[Document]:
        """Yield the documents of one page after the other; `extra_info` is added to the metadata of all."""
        pages = pages_of(sources, self._fetching, self._settings.limits)
        for made in passages(pages, self._settings, jobs=self._jobs):
            for passage in made:
                yield Document(text=passage.text, metadata={**(extra_info or {}), **passage.metadata}, **_unseen())


def _settings(value: Any) -> PassageSettings:
    return value if isinstance(value, PassageSettings) else PassageSettings.from_dict(value)


class BonmunNodeParser(NodeParser):
    """Turn documents that hold HTML into nodes: the chunks of their main text.

    A node has the document as its source, the nodes before and after it as neighbours, and the metadata of both the
    document and the page. `start_char_idx` and `end_char_idx` are its place in the page's Markdown.

    >>> parser = BonmunNodeParser(settings=PassageSettings(max_chars=50))
    >>> html = "<h1>Tea</h1><p>Tea is made of leaves.</p><h2>Water</h2><p>Water has to boil for black tea.</p>"
    >>> [node.metadata["headings"] for node in parser.get_nodes_from_documents([Document(text=html)])]
    ['Tea', 'Tea > Water']
    """

    settings: Annotated[
        PassageSettings, PlainValidator(_settings), PlainSerializer(PassageSettings.to_dict, return_type=dict[str, Any])
    ] = Field(default=PassageSettings(max_tokens=1024), description="How pages are cut, and by which method.")

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which the parser is serialised."""
        return "BonmunNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        pages = [_page(node) for node in nodes]
        return [
            self._node(number, passage, node)
            for node, made in zip(nodes, passages(pages, self.settings), strict=True)
            for number, passage in enumerate(made)
        ]

    def _node(self, number: int, passage: Passage, parent: BaseNode) -> TextNode:
        return TextNode(
            id_=self.id_func(number, parent),
            text=passage.text,
            metadata=passage.metadata,
            relationships={NodeRelationship.SOURCE: parent.as_related_node_info()},
            **_unseen(),
        )

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        """Add relationships and metadata; the base class would look for the text in the HTML."""
        made = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node in made:
            if isinstance(node, TextNode):
                node.start_char_idx, node.end_char_idx = node.metadata.get("start"), node.metadata.get("end")
        return made


def _page(node: BaseNode) -> GivenPage:
    about = node.metadata
    url = web_address(about.get("url")) or web_address(about.get("source"))
    source = about.get("source") or url or about.get("file_path") or node.node_id
    return GivenPage(str(source), node.get_content(metadata_mode=MetadataMode.NONE), url)


def _unseen() -> dict[str, list[str]]:
    """The keys that embeddings and prompts leave out."""
    return {"excluded_embed_metadata_keys": [*TECHNICAL], "excluded_llm_metadata_keys": [*TECHNICAL]}
