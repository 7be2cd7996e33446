"""What changes for a user of another package: the answers of `bonmun.compat` beside the package's own, on real pages.

`python bench/migrating.py --every 20 --corpus wcxb_dev`. For each value: on how many pages both have it, on how many of
these it is equal, and on how many pages only one of them has it. XML, TEI and JSON of ours have to be well-formed.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import newspaper
import readability
import trafilatura
from corpus import pages
from lxml import etree
from lxml import html as lxml_html
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bonmun.compat import newspaper as our_newspaper
from bonmun.compat import readability as our_readability
from bonmun.compat import trafilatura as our_trafilatura

Facts = dict[str, Any]
METADATA = "title author date url hostname sitename description image pagetype".split()
ARTICLE = "title authors publish_date meta_lang canonical_link meta_description top_image images meta_site_name".split()


def of_trafilatura(package: Any, html: str, url: str | None) -> Facts:
    document = package.bare_extraction(html, url=url, with_metadata=True)
    facts = {name: getattr(document, name, None) for name in METADATA}
    title = (facts["title"] or "").casefold()
    first = document.text.split("\n")[0].strip("# ").casefold() if document and document.text else ""
    return facts | {
        "text": len(document.text) > 0 if document else None,
        "comments": bool(document and document.comments),
        "text begins with the title": bool(title) and first == title,
        "categories": bool(document and document.categories),
        "tags": bool(document and document.tags),
    }


def of_readability(package: Any, html: str, url: str | None) -> Facts:
    document = package.Document(html, url=url)
    summary = document.summary()
    none = ("[no-title]", "[no-author]")
    facts = {name: getattr(document, name)() for name in ("title", "short_title", "author")}
    facts = {name: None if value in none else value for name, value in facts.items()}
    return facts | {"summary": bool(lxml_html.fromstring(summary).text_content().strip())}


def of_newspaper(package: Any, html: str, url: str | None) -> Facts:
    article = package.Article(url or "https://example.org/", fetch_images=False).download(input_html=html).parse()
    facts = {name: getattr(article, name) for name in ARTICLE}
    if facts["publish_date"]:
        facts["publish_date"] = facts["publish_date"].date()
    first = article.text.split("\n")[0].casefold()
    return facts | {
        "text": bool(article.text) or None,
        "movies": bool(article.movies),
        "meta_keywords": [word for word in article.meta_keywords if word],
        "tags": bool(article.tags),
        "text begins with the title": bool(article.title) and first == article.title.casefold(),
    }


PACKAGES: dict[str, tuple[Any, Any, Callable[[Any, str, str | None], Facts]]] = {
    "trafilatura": (trafilatura, our_trafilatura, of_trafilatura),
    "readability-lxml": (readability, our_readability, of_readability),
    "newspaper4k": (newspaper, our_newspaper, of_newspaper),
}


def check_formats(html: str, url: str | None) -> None:
    """Fail if an output is malformed."""
    switches = {"with_metadata": True, "include_links": True, "include_images": True, "include_formatting": True}
    for output_format in ("xml", "xmltei", "html", "json", "csv", "markdown"):
        written = our_trafilatura.extract(html, url, output_format=output_format, **switches)
        if written is None:
            continue
        if output_format in ("xml", "xmltei"):
            etree.fromstring(written.encode(), etree.XMLParser(huge_tree=True))
        elif output_format == "json":
            json.loads(written)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", default="wcxb_dev")
    parser.add_argument("--every", type=int, default=20)
    asked = parser.parse_args()
    records = [record for number, record in enumerate(pages(asked.corpus)) if number % asked.every == 0]
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for record in track(records):
        html, url = record["html"], record.get("url")
        check_formats(html, url)
        for name, (theirs, ours, facts_of) in PACKAGES.items():
            mine = facts_of(ours, html, url)
            try:
                other = facts_of(theirs, html, url)
            except Exception as error:  # of a page that the package cannot take: counted
                counts[name, f"{type(error).__name__} of theirs"]["only theirs"] += 1
                continue
            for fact, value in mine.items():
                counts[name, fact][compared(value, other[fact])] += 1
    show(counts, len(records), asked.corpus)


def compared(mine: Any, other: Any) -> str:
    if not mine or not other:
        return "only ours" if mine else "only theirs" if other else "neither"
    return "equal" if mine == other else "different"


def show(counts: dict[tuple[str, str], Counter[str]], total: int, corpus: str) -> None:
    columns = ("equal", "different", "only theirs", "only ours", "neither")
    table = Table("package", "value", *columns, title=f"{total} pages of {corpus}")
    for (package, fact), count in counts.items():
        table.add_row(package, fact, *(str(count[column]) for column in columns))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
