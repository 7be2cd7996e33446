"""LlamaIndex: documents that hold HTML become nodes, linked to their neighbours."""

from pathlib import Path

from llama_index.core import Document

from bonmun.adapters.llama_index import BonmunNodeParser, PassageSettings

page = Path(__file__).parents[1] / "pages" / "en-harbour.html"
raw = Document(text=page.read_text(encoding="utf-8"), metadata={"url": "https://tidewater.example/bath"})
parser = BonmunNodeParser(settings=PassageSettings(max_tokens=120))

for node in parser.get_nodes_from_documents([raw]):
    after = "followed by another" if node.next_node else "the last one"
    print(f"{node.metadata.get('headings', node.metadata['title'])}: {len(node.text)} characters, {after}")
