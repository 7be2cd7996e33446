"""The ten lines: a page in, a document out."""

from pathlib import Path

import bonmun

page = Path(__file__).parent / "pages" / "ko-harbour.html"
doc = bonmun.extract(page.read_bytes(), url="https://hanbit.example/news/1021")

print(doc.title, "|", doc.author, "|", doc.date, "|", doc.language)
print(doc.text)
print()
for block in doc.all_blocks:
    print("+" if block.keep else "-", f"{block.score:.2f}", block.kind, block.xpath, "|", *block.reasons)
