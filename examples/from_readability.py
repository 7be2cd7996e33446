"""The calls of readability-lxml; the import is the only line that was changed."""

from pathlib import Path

from bonmun.compat.readability import Document, Unparseable

page = (Path(__file__).parent / "pages" / "en-harbour.html").read_text(encoding="utf-8")
document = Document(page, url="https://tidewater.example/news/2026/05/harbour-bath")

print(document.title())
print(document.short_title(), "|", document.author())
print(document.summary())
print(document.summary(html_partial=True)[:5], document.content()[:6], document.get_clean_html()[:6])
try:
    Document("").summary()
except Unparseable as error:
    print("unparseable:", error)
