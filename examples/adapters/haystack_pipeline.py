"""Haystack: a pipeline from pages to a document store."""

import os
from pathlib import Path

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

from haystack import Pipeline
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore

from bonmun.adapters.haystack import BonmunConverter, PassageSettings

store = InMemoryDocumentStore()
pipeline = Pipeline()
pipeline.add_component("converter", BonmunConverter(PassageSettings(max_tokens=200)))
pipeline.add_component("writer", DocumentWriter(store))
pipeline.connect("converter.documents", "writer.documents")

pages = sorted((Path(__file__).parents[1] / "pages").glob("*.html"))
pipeline.run({"converter": {"sources": pages, "meta": {"collection": "samples"}}})

titles = {document.meta["title"] for document in store.filter_documents()}
print(f"{store.count_documents()} chunks of {len(titles)} pages")
