"""Tree construction of the compiled reader, compared with lexbor row by row."""

import re
from typing import Final

import pytest
from hypothesis import assume, given, settings

from tests.core.readers import compiled, drawing, reference, rows
from tests.core.tag_soup import tag_soup
from tests.core.tree_cases import CASES

NUL: Final = "a browser opens the body at a NUL; we drop NULs before the tree sees them"
FORMATTING: Final = "(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)"

DIFFERENCES: Final = {
    " \x00 <head>a": NUL,
    "<head>\x00<title>t": NUL,
    "<html><frameset></frameset></html> a ": "lexbor drops white space there, the standard keeps it",
    "<template shadowrootmode=open><col> a b </template>c": "lexbor drops white space there too",
}
"""Cases where the two readers differ, and why."""

DEVIATIONS: Final = {
    "lexbor lets sup stand inside svg and math; the standard breaks out": r"<(?:svg|math)\b.*<sup\b",
    "lexbor drops image in a table; the standard fosters an img": r"<table\b.*<image\b",
    "lexbor reopens formatting elements inside textarea": rf"<{FORMATTING}\b.*<textarea\b",
    "lexbor inserts a form into a table of a template": r"<template\b.*<form\b",
    "lexbor drops white space behind other text among the columns of a template": r"<template\b.*<col\b",
    "lexbor lets a frameset replace a body after a template": r"<template\b.*<frameset\b",
    "the reference reader takes a template of svg and math for one of HTML": r"<(?:svg|math)\b.*<template\b",
    "lexbor drops white space after the end of a frameset page": r"<frameset\b.*</html",
}
"""Deviations of lexbor or the reference reader from the standard, and a pattern of affected input."""

IN_DEVIATION: Final = re.compile("|".join(DEVIATIONS.values()), re.DOTALL)


def labelled_cases() -> list[object]:
    return [
        pytest.param(html, id=f"{rule}-{number}") for rule, cases in CASES.items() for number, html in enumerate(cases)
    ]


@pytest.mark.parametrize("html", labelled_cases())
def test_the_tree_equals_that_of_lexbor(html: str) -> None:
    ours, theirs = compiled(html), reference(html)
    if html in DIFFERENCES:
        assert rows(ours) != rows(theirs), "no difference any more: remove it from DIFFERENCES"
        return
    assert drawing(ours) == drawing(theirs)
    assert rows(ours) == rows(theirs)


@settings(max_examples=600, deadline=None, derandomize=True)
@given(tag_soup())
def test_tag_soup_gives_the_tree_of_lexbor(html: str) -> None:
    assume(not IN_DEVIATION.search(html))
    ours, theirs = compiled(html), reference(html)
    assert drawing(ours) == drawing(theirs)
    assert rows(ours) == rows(theirs)


@pytest.mark.parametrize(
    ("html", "path"),
    [
        ("<svg><sup>x", "html/body/sup"),
        ("<math><sub><sup>x", "html/body/sub/sup"),
        ("<p><b>a</p><textarea>x", "html/body/textarea"),
        ("<svg><template><g>x", "html/body/svg/template/g"),
        ("<template shadowrootmode=open><table><tr><form><td>x", "html/head/template/table/tbody/tr/td"),
        ("<template></template><div><frameset>x", "html/body/div"),
    ],
)
def test_where_lexbor_deviates_we_follow_the_standard(html: str, path: str) -> None:
    nodes = compiled(html)
    assert "form" not in map(nodes.name, range(len(nodes)))
    assert [nodes.tag_path(row) for row in range(len(nodes)) if nodes.text(row) == "x"] == [path]


def test_an_image_in_a_table_is_an_img_before_it() -> None:
    assert drawing(compiled("<table><image>")).split() == ["html", "head", "body", "img", "table"]


def test_formatting_elements_beyond_the_bound_are_dropped_and_their_text_is_kept() -> None:
    many = "".join(f"<b id=n{number}>" for number in range(1_000))
    nodes = compiled(f"<p>{many}one</p><p>two")
    last = len(nodes) - 1
    assert nodes.text(last) == "two"
    assert 0 < nodes.tag_path(last).split("/").count("b") < 1_000


def test_source_spans_point_at_the_source_of_each_node() -> None:
    html = "<p id=a>one &amp; two</p><b>본문</b>"
    nodes = compiled(html)
    assert nodes.source_start is not None and nodes.source_stop is not None
    source = html.encode()
    spelled = [
        source[start:stop].decode() if start >= 0 else ""
        for start, stop in zip(nodes.source_start, nodes.source_stop, strict=True)
    ]
    assert spelled == ["", "", "", "<p id=a>", "one &amp; two", "<b>", "본문"]
