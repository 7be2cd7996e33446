"""LangChain: pages as chunks, each with its headings."""

from pathlib import Path

from bonmun.adapters.langchain import BonmunLoader, PassageSettings

pages = sorted((Path(__file__).parents[1] / "pages").glob("*.html"))
loader = BonmunLoader(pages, PassageSettings(max_tokens=200, on_error="skip"))

for document in loader.lazy_load():
    about = document.metadata
    print(f"{about['title']}: chunk {about['chunk'] + 1} of {about['chunks']}, {about['tokens']} tokens")
