"""Ten calls of trafilatura; the import is the only line that was changed."""

import json
from pathlib import Path

from bonmun.compat import trafilatura

url = "https://tidewater.example/news/2026/05/harbour-bath"
page = (Path(__file__).parent / "pages" / "en-harbour.html").read_text(
    encoding="utf-8"
)  # or trafilatura.fetch_url(url)

text = trafilatura.extract(page)
alone = trafilatura.extract(page, include_comments=False, include_tables=False)
markdown = trafilatura.extract(page, url=url, output_format="markdown", include_links=True, include_images=True)
record = json.loads(trafilatura.extract(page, url=url, output_format="json", with_metadata=True) or "{}")
xml = trafilatura.extract(page, output_format="xml", favor_precision=True)
nothing = trafilatura.extract("<html></html>")
document = trafilatura.bare_extraction(page, url=url, with_metadata=True)
metadata = trafilatura.extract_metadata(page, default_url=url)
whole = trafilatura.html2txt(page)
body, rough, length = trafilatura.baseline(page)

print(text)
print(record["title"], "|", record["author"], "|", record["date"], "|", record["source-hostname"])
print(len(text or "") > len(alone or ""), "![Swimmers" in (markdown or ""), "<quote>" in (xml or ""), nothing)
print(document.body.tag, metadata.url, len(whole), length == len(rough))
