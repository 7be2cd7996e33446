"""A browser's `document.evaluate` resolves our xpaths to the same nodes."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT
from bonmun.read.parse import parse
from tests.browser import chromium
from tests.corpora import pages

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

# DOMParser is the browser's parser with scripting off. It returns the complete page, whereas a page loaded in a tab
# waits for style sheets.
RESOLVE = """([html, paths]) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  return JSON.stringify(paths.map(path => {
    const found = page.evaluate(path, page, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const node = found.snapshotItem(0);
    return [found.snapshotLength, node && node.localName || "#text", node && node.nodeType === 3 ? node.data : ""];
  }));
}"""

ODD_PAGE = """<!doctype html><title>t</title><body>bare<p>one<!-- c -->two<br>three<p>four
<table>fostered<tr><td>a<td>b<table><tr><td>c</table></table><ul><li>x<li>y<ul><li>z</ul></ul>
<svg><g><text>s</text></g><foreignObject><div>html</div></foreignObject></svg><math><mi>m</mi></math>
<o:p>odd</o:p><my-tag>custom<b>bold</my-tag></b><a href=#>l<div>block</div></a><noscript><p>n</p></noscript>
<select><option>1<option>2</select><dl><dt>t<dd>d<dt>u</dl><b><p>b</b>p2</p><pre>
code</pre><template><p>never</p></template><textarea>
t</textarea>end"""


@pytest.fixture(scope="module")
def tab() -> Iterator["Tab"]:
    with chromium() as browser:
        yield browser.new_context(offline=True).new_page()


def mismatches(tab: "Tab", html: str) -> list[str]:
    nodes = parse(html)
    paths = [nodes.xpath(row) for row in range(len(nodes))]
    found = json.loads(tab.evaluate(RESOLVE, [html, paths]))
    rows = zip(range(len(nodes)), paths, found, strict=True)
    return [f"{path}: {got}" for row, path, got in rows if not _same(nodes, row, got)]


def _same(nodes: Nodes, row: int, got: tuple[int, str, str]) -> bool:
    count, name, text = got
    if nodes.tag[row] == TEXT:
        return count == 1 and text == nodes.text(row)
    return count == 1 and name.lower() == nodes.name(row).lower()


def test_every_node_of_an_irregular_page_is_found_by_its_xpath(tab: "Tab") -> None:
    assert mismatches(tab, ODD_PAGE) == []


def test_every_node_of_real_pages_is_found_by_its_xpath(tab: "Tab") -> None:
    for record in islice(pages("cjk_dev"), 0, None, 9):
        assert mismatches(tab, record["html"]) == [], record["id"]
