"""LangChain, LlamaIndex and Haystack, each with its real package."""

from pathlib import Path

import pytest

from bonmun.adapters.passages import PassageSettings
from bonmun.errors import SourceError
from bonmun.model.output import Output
from tests.adapters.pages import EMPTY, PICTURE, TEA, TEXT, URL, WATER

CUT = PassageSettings(max_chars=200)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tea.html").write_text(TEA, encoding="utf-8")
    (tmp_path / "picture.html").write_bytes(PICTURE)
    return tmp_path


def test_langchain_loads_files_and_pages_at_hand(folder: Path) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from bonmun.adapters.langchain import BonmunLoader

    first, second = BonmunLoader([folder / "tea.html", (URL, TEA)]).load()
    assert first.metadata["source"] == str(folder / "tea.html")
    assert (second.metadata["source"], second.metadata["author"]) == (URL, "Ada Leaf")
    assert f"[More on kettles]({URL}kettle)" in second.page_content
    with pytest.raises(SourceError, match=r"picture\.html: not a web page"):
        BonmunLoader(folder).load()
    failed, _ = BonmunLoader(folder, PassageSettings(on_error="document")).load()
    assert failed.metadata["error"] == "SourceError"
    assert "not a web page: PNG image" in failed.metadata["message"]


def test_langchain_loads_lazily_and_in_worker_processes(folder: Path) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    import asyncio

    from bonmun.adapters.langchain import BonmunLoader

    lazily = BonmunLoader([(URL, TEA), "no-such-file.html"]).lazy_load()
    assert TEXT in next(lazily).page_content
    with pytest.raises(SourceError, match="no-such-file"):
        next(lazily)
    loader = BonmunLoader([(URL, TEA)] * 2, CUT)
    assert asyncio.run(loader.aload()) == loader.load()


def test_langchain_transforms_documents_of_html_and_keeps_their_metadata() -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from langchain_core.documents import Document

    from bonmun.adapters.langchain import BonmunTransformer

    raw = [Document(page_content=TEA, metadata={"source": URL, "team": "kettle"}), Document(page_content=EMPTY)]
    first, second, empty = BonmunTransformer(CUT).transform_documents(raw)
    assert [document.metadata["headings"] for document in (first, second)] == ["Tea", "Tea > Water"]
    assert (first.metadata["team"], second.metadata["team"]) == ("kettle", "kettle")
    assert (empty.page_content, empty.metadata["status"]) == ("", "empty")
    assert raw[0].page_content == TEA


def test_llama_index_reads_pages_also_as_a_file_extractor(folder: Path) -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    from llama_index.core import SimpleDirectoryReader

    from bonmun.adapters.llama_index import BonmunReader

    (document,) = BonmunReader().load_data([(URL, TEA)], extra_info={"team": "kettle"})
    assert (document.metadata["title"], document.metadata["team"]) == ("Tea", "kettle")
    shown = document.get_content(metadata_mode="embed")
    assert "title: Tea" in shown
    assert "confidence" not in shown
    reader = SimpleDirectoryReader(input_files=[folder / "tea.html"], file_extractor={".html": BonmunReader()})
    (read,) = reader.load_data()
    assert TEXT in read.text
    assert read.metadata["file_name"] == "tea.html"


def test_llama_index_parses_nodes_with_relationships_and_places() -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    from llama_index.core import Document
    from llama_index.core.ingestion import IngestionPipeline

    from bonmun.adapters.llama_index import BonmunNodeParser

    parser = BonmunNodeParser(settings=CUT)
    document = Document(text=TEA, metadata={"url": URL, "team": "kettle"})
    first, second = IngestionPipeline(transformations=[parser]).run(documents=[document, Document(text=EMPTY)])[:2]
    assert (first.metadata["headings"], second.metadata["headings"]) == ("Tea", "Tea > Water")
    assert first.ref_doc_id == second.ref_doc_id == document.id_
    assert (first.next_node.node_id, second.prev_node.node_id) == (second.node_id, first.node_id)
    assert (first.start_char_idx, second.metadata["team"]) == (first.metadata["start"], "kettle")
    assert second.end_char_idx - second.start_char_idx == len(second.text)
    assert WATER in second.text
    assert parser.to_dict()["settings"] == {"max_chars": 200}
    assert BonmunNodeParser(settings={"max_chars": 200}).settings == CUT


def test_haystack_converts_in_a_pipeline_that_can_be_saved(folder: Path) -> None:
    pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from haystack import Pipeline
    from haystack.components.writers import DocumentWriter
    from haystack.dataclasses import ByteStream
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from bonmun.adapters.haystack import BonmunConverter

    pipeline = Pipeline()
    settings = PassageSettings(max_chars=200, output=Output(links=False), on_error="document")
    pipeline.add_component("pages", BonmunConverter(settings))
    pipeline.add_component("writer", DocumentWriter(InMemoryDocumentStore()))
    pipeline.connect("pages.documents", "writer.documents")
    pipeline = Pipeline.loads(pipeline.dumps(), allowed_modules=["bonmun.adapters.haystack"])
    stream = ByteStream(TEA.encode("utf-16"), meta={"url": URL, "content_type": "text/html; charset=utf-16"})
    sources = [stream, folder / "tea.html", str(folder / "picture.html")]
    pipeline.run({"pages": {"sources": sources, "meta": [{"number": 1}, {"number": 2}, {"number": 3}]}})
    documents = pipeline.get_component("writer").document_store.filter_documents()
    kept = sorted(documents, key=lambda document: (document.meta["number"], document.meta.get("chunk", 0)))
    assert [document.meta.get("headings") for document in kept] == ["Tea", "Tea > Water"] * 2 + [None]
    assert kept[1].content.endswith("More on kettles.")
    assert (kept[0].meta["source"], kept[2].meta["source"]) == (URL, str(folder / "tea.html"))
    assert [document.meta["split_id"] for document in kept[:2]] == [0, 1]
    assert "picture.html: not a web page: PNG image" in kept[4].meta["message"]


def test_haystack_refuses_to_save_what_is_not_plain_data() -> None:
    pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from bonmun.adapters.haystack import BonmunConverter

    class Sites:
        def site(self, url: str | None) -> None: ...

    with pytest.raises(ValueError, match="not plain data"):
        BonmunConverter(PassageSettings(sites=Sites())).to_dict()
