"""Whether Chromium's elements and ours are the same: `python bench/render_ties.py wcxb_dev --drawn FILE.jsonl.zst`.

The file holds what the browser said of each page: its elements with their boxes (`evaluate.layouts` reads them) and
its text nodes, each with the number of its element. A missing file is drawn first (about 0.2 s a page).

A character of one of our blocks counts as tied if its text node has the same text as one of the browser's in the tied
element, in the same order; a character of the browser's as tied if one of ours has it. White space is collapsed. A
formula counts by its element, as its text is LaTeX.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

import bonmun
from bonmun.model.tags import TEXT
from bonmun.rendering.chromium import chromium
from bonmun.rendering.elements import expression, parsed
from bonmun.rendering.tying import matched_elements, split_names

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RECYCLE = 100
"""Pages of one browser."""
TEXTS = """() => {
  const walk = (root) => Document.prototype.createTreeWalker.call(
    document, root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION);
  const shadowOf = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get;
  const walkers = [walk(document)], numbers = new Map(), of = [], texts = [];
  let number = 0;
  while (walkers.length) {
    const node = walkers[walkers.length - 1].nextNode();
    if (!node) { walkers.pop(); continue; }
    if (node instanceof Element) {
      numbers.set(node, number++);
      const shadow = shadowOf.call(node);
      if (shadow) { numbers.set(shadow, number++); walkers.push(walk(shadow)); }
    } else if (node.data.trim()) { of.push(numbers.get(node.parentNode)); texts.push(node.data); }
  }
  return JSON.stringify({ of, texts });
}"""
NOT_TEXT = frozenset({"script", "style"})


def draw(name: str, path: Path, every: int) -> None:
    """Write what the browser says of every page of a corpus; scripts off, offline, as by default."""
    import zstandard
    from playwright.sync_api import Error, sync_playwright

    records, part = islice(pages(name), None, None, every), path.with_name(f".{path.name}.part")
    with zstandard.open(part, "wt", encoding="utf-8") as file, sync_playwright() as playwright:
        while batch := list(islice(records, RECYCLE)):
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--disable-gpu"])
            for record in batch:
                try:
                    file.write(json.dumps(said_of(browser, record), ensure_ascii=False) + "\n")
                except Error as error:
                    print(f"{record['id']} is left out: {error}", file=sys.stderr)
            browser.close()
    part.replace(path)


def said_of(browser: "Browser", record: dict[str, Any]) -> dict[str, Any]:
    """What the browser says of a page."""
    context = browser.new_context(java_script_enabled=False, offline=True, viewport={"width": 1366, "height": 768})
    context.route("**/*", lambda route: route.abort())
    page = context.new_page()
    page.set_default_timeout(120_000)
    start = time.perf_counter()
    page.set_content(bonmun.read_page(record["html"]).nodes.buffer.decode(), wait_until="domcontentloaded")
    drawn, _ = parsed(isolated(page, expression(markup=False)))
    milliseconds = round(1000 * (time.perf_counter() - start), 1)
    texts = json.loads(isolated(page, f"({TEXTS})()"))
    context.close()
    line = {"id": str(record["id"]), "names": " ".join(drawn.names), "boxes": list(drawn.boxes)}
    return line | {"viewport": drawn.viewport, "document": drawn.document, "milliseconds": milliseconds} | texts


def isolated(page: "Page", expression: str) -> str:
    """The value of a JavaScript expression in an isolated world of the page's document."""
    session = page.context.new_cdp_session(page)
    frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "bonmun"})["executionContextId"]
    options = {"expression": expression, "contextId": world, "returnByValue": True}
    return str(session.send("Runtime.evaluate", options)["result"]["value"])


@dataclass
class Count:
    """Elements and characters, and those that tie."""

    elements: int = 0
    tied_elements: int = 0
    ours: int = 0
    """Characters of our blocks."""
    tied_ours: int = 0
    theirs: int = 0
    """Characters of the browser's text nodes outside scripts and style sheets."""
    tied_theirs: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    def __str__(self) -> str:
        return (
            f"{self.tied_elements / max(1, self.elements):.4%} of {self.elements:,} elements, "
            f"{self.tied_ours / max(1, self.ours):.4%} of {self.ours:,} characters of our blocks, "
            f"{self.tied_theirs / max(1, self.theirs):.4%} of {self.theirs:,} characters of Chromium's text"
        )


def collapsed(text: str) -> str:
    """The text without differences of white space, and without the quotes that our reader puts around a `q`."""
    return " ".join(text.split()).strip("“”‘’")


def of_elements(page: bonmun.Page) -> dict[int, list[int]]:
    """The text rows of each element, blank ones left out."""
    nodes, texts = page.nodes, defaultdict[int, list[int]](list)
    for row, tag in enumerate(nodes.tag):
        if tag == TEXT and nodes.text(row).strip():
            texts[nodes.parent[row]].append(row)
    return texts


def compared(page: bonmun.Page, record: dict[str, Any]) -> Count:
    """Compare a page with what the browser said of it."""
    nodes, names = page.nodes, split_names(record["names"])
    number_of = matched_elements(nodes, names)
    rows = [row for row, tag in enumerate(nodes.tag) if tag != TEXT]
    row_of = {number: row for row, number in zip(rows, number_of, strict=True) if number >= 0}
    in_blocks = {
        row for first, stop in zip(page.blocks.first, page.blocks.stop, strict=True) for row in range(first, stop)
    }
    count = Count(elements=len(rows), tied_elements=len(row_of))
    theirs, ours = defaultdict[int, list[str]](list), of_elements(page)
    for number, text in zip(record["of"], record["texts"], strict=True):
        theirs[number].append(collapsed(text))
    tied_rows = {row for row in row_of.values() if nodes.chars[row]}
    for number, texts in theirs.items():
        own = ours.get(row_of.get(number, -1), [])
        matcher = SequenceMatcher(None, [collapsed(nodes.text(row)) for row in own], texts, autojunk=False)
        same = [block for block in matcher.get_matching_blocks() if block.size]
        tied_rows |= {row for block in same for row in own[block.a : block.a + block.size]}
        if names[number].lower() not in NOT_TEXT:
            count.theirs += sum(map(len, texts))
            count.tied_theirs += sum(len(text) for block in same for text in texts[block.b : block.b + block.size])
    with_text = [row for row in in_blocks if nodes.chars[row]]
    count.ours = sum(nodes.chars[row] for row in with_text)
    count.tied_ours = sum(nodes.chars[row] for row in with_text if row in tied_rows)
    return count


def main() -> None:
    """Measure one corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", help="name of a corpus in the data folder")
    parser.add_argument("--drawn", type=Path, required=True, help="file of what the browser said, drawn if missing")
    parser.add_argument("--every", type=int, default=1, help="draw every Nth page")
    parser.add_argument("--worst", type=int, default=10, help="pages to name")
    options = parser.parse_args()
    if not options.drawn.exists():
        draw(options.corpus, options.drawn, options.every)
    said = {record["id"]: record for record in lines(options.drawn)}
    counts: dict[str, Count] = {}
    for record in pages(options.corpus):
        if (drawn := said.get(str(record["id"]))) is not None:
            counts[str(record["id"])] = compared(bonmun.read_page(record["html"]), drawn)
    print(f"{options.corpus}, {len(counts)} pages: {sum(counts.values(), Count())}")
    lost = {name: max(c.ours - c.tied_ours, c.theirs - c.tied_theirs) for name, c in counts.items()}
    for name in sorted((name for name in lost if lost[name]), key=lambda name: -lost[name])[: options.worst]:
        print(f"  {name}: {counts[name]}")


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file."""
    import zstandard

    with zstandard.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main()
