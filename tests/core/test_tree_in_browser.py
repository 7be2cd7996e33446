"""Tree construction of the compiled reader, compared with a browser."""

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import assume, given, settings

from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT
from tests.browser import chromium
from tests.core.readers import compiled
from tests.core.tag_soup import tag_soup

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

# DOMParser makes no shadow roots: their content is that of the template.
DRAW: Final = """html => {
  const drawn = [];
  const draw = (node, depth) => {
    if (node.nodeType === Node.TEXT_NODE) drawn.push([depth, "#text", node.data]);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const attributes = [...node.attributes].map(({name, value}) => [name.toLowerCase(), value]);
    drawn.push([depth, node.localName.toLowerCase(), Object.fromEntries(attributes)]);
    const template = node instanceof HTMLTemplateElement;
    if (template && !/^(open|closed)$/i.test(node.getAttribute("shadowrootmode"))) return;
    for (const child of (template ? node.content : node).childNodes) draw(child, depth + 1);
  };
  draw(new DOMParser().parseFromString(html, "text/html").documentElement, 0);
  return drawn;
}"""

DEVIATIONS: Final = {
    "Chromium inserts a form into a table of a template, and does not leave one": r"<template\b.*<form\b",
    "Chromium leaves a noscript of the head at <head>": r"<noscript\b.*<head\b",
    "Chromium takes an HTML foreignobject for one of svg": r"<foreignobject\b.*<svg\b",
    "search became special late, what a select may hold changes": r"<(?:search|select)\b",
    "Chromium lets a frameset replace a body after a template": r"<frameset\b",
}
"""Deviations of Chromium from the standard, and a pattern of affected input."""

IN_DEVIATION: Final = re.compile("|".join(DEVIATIONS.values()), re.DOTALL)
SOUPS: Final = int(os.environ.get("BONMUN_SOUPS", "500"))
"""Pages that are compared; after a change to the tree rules, try 5,000."""


@pytest.fixture(scope="module")
def tab() -> Iterator["Tab"]:
    with chromium() as browser:
        yield browser.new_context(offline=True).new_page()


def drawn(nodes: Nodes) -> list[list[object]]:
    return [
        [nodes.depth[row], nodes.name(row), nodes.text(row) if nodes.tag[row] == TEXT else nodes.attrs(row)]
        for row in range(len(nodes))
    ]


@settings(max_examples=SOUPS, deadline=None)
@given(html=tag_soup())
def test_tag_soup_gives_the_tree_of_chromium(tab: "Tab", html: str) -> None:
    assume(not IN_DEVIATION.search(html))
    assert drawn(compiled(html)) == tab.evaluate(DRAW, html)


@pytest.mark.parametrize(
    "html",
    [
        "<a href=x><table><marquee><a href=y></table><a href=z>a",  # the marker stays when its element is closed
        "<b><table><object><b class=c></table></b>a<p>b",
        "<svg><annotation-xml encoding=text/html><b>a",  # holds HTML in math alone
        "<template shadowrootmode=open><col> a b </template>c",
        "x<!-- a --></body><!-- b -->y",
        "<i><b><div><b><span><a><b><div></i><a>x",  # more than three formatting elements are rewrapped
    ],
)
def test_former_differences_stay_fixed(tab: "Tab", html: str) -> None:
    assert drawn(compiled(html)) == tab.evaluate(DRAW, html)
