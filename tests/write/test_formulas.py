"""Formulas in every format: the same LaTeX, read back by the readers of each."""

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from selectolax.lexbor import LexborHTMLParser

from bonmun.model.document import Document
from bonmun.write.markdown_math import displayed_formula, inline_formula
from tests.golden_cases import GOLDEN, document_of
from tests.without_core import without_core
from tests.write.documents import document
from tests.write.test_json import read as read_json
from tests.write.test_xml import read as read_xml

CASES = sorted((GOLDEN / "math").iterdir())
BEFORE = (
    "More than two hundred people went down the new steps on the first morning, and most of them stayed until noon."
)
AFTER = "The bath is free, has no lifeguard on weekdays, and closes when the tide falls below the lowest of the steps."
TEX = st.text("xy\\$%{}^_|&~ \n<>*`[]()#-+1", min_size=1, max_size=12)


def formulas(doc: Document) -> list[str]:
    """The LaTeX of the kept formulas."""
    return [run.text for block in doc.blocks for run in block.runs if run.formula is not None]


def reader() -> MarkdownIt:
    plugin = pytest.importorskip("mdit_py_plugins.dollarmath").dollarmath_plugin
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(plugin)


def formulas_in(tokens: list[Token]) -> list[str]:
    out = []
    for token in tokens:
        if token.type.startswith("math_"):
            out.append(" ".join(token.content.split()))
        out += formulas_in(token.children or [])
    return out


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_markdown_reader_with_mathematics_finds_the_formulas(case: Path) -> None:
    doc = document_of(case)
    wanted = [tex.replace("\\|", "\\Vert ").replace(" ", "") for tex in formulas(doc)]
    found = [tex.replace("\\|", "\\Vert ").replace(" ", "") for tex in formulas_in(reader().parse(doc.markdown))]
    assert found == wanted != []


@settings(max_examples=300, deadline=None)
@given(TEX, TEX)
def test_any_tex_is_one_formula_to_a_markdown_reader(first: str, second: str) -> None:
    def script(tex: str, mode: str = "") -> str:
        return f"<script type='math/tex{mode}'>{tex.replace('<', ' ')}</script>"

    displayed = script(first, "; mode=display")
    doc = document(f"<p>costs $5, then {script(first)}, {script(second)} and $6.</p>{displayed}<p>End</p>")
    assume(formulas(doc))
    assert len(formulas_in(reader().parse(doc.markdown))) == len(formulas(doc))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_html_read_again_gives_the_same_formulas(case: Path) -> None:
    doc = document_of(case)
    assert formulas(document(doc.html)) == formulas(doc)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_json_and_xml_with_formulas_match_their_schemas(case: Path) -> None:
    doc = document_of(case)
    data = read_json(doc.to_json())
    runs = [run for block in data["blocks"] for run in block.get("runs", [])]
    marked = [run["text"] for run in runs if {"math", "math-display"} & set(run.get("marks", []))]
    assert marked == formulas(doc)
    assert [element.text for element in read_xml(doc.to_xml()).iter("{*}formula")] == formulas(doc)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_pickled_page_keeps_its_formulas(case: Path) -> None:
    doc = document_of(case)
    copy = pickle.loads(pickle.dumps(doc))  # noqa: S301
    assert copy.page.nodes == doc.page.nodes
    assert (copy.markdown, copy.html) == (doc.markdown, doc.html)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_both_readers_give_the_same_output(case: Path) -> None:
    doc = document_of(case)
    with without_core():
        twin = document_of(case)
    assert (twin.markdown, twin.html, twin.text) == (doc.markdown, doc.html, doc.text)


HOSTILE = (
    "<math><mtext><script>alert(1)</script></mtext><mi>x</mi></math>",
    "<math><mi>x</mi><annotation-xml encoding='text/html'><img src=x onerror=alert(1)></annotation-xml></math>",
    "<math href='javascript:alert(1)'><mi xlink:href='javascript:alert(1)' onclick='alert(1)' style='x'>x</mi></math>",
    "<math><mglyph src='https://example.org/a.png'></mglyph><mi>x</mi></math>",
    "<math><maction actiontype='statusline#http://example.org'><mi>x</mi></maction></math>",
    "<math><mi>x</mi><mo fence='&quot;><img src=x onerror=alert(1)>'>&lt;img src=x onerror=alert(1)></mo></math>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'></math>",
    "<script type='math/tex'>\\href{javascript:alert(1)}{x} <img src=x onerror=alert(1)></script>",
    "<span class='math inline'>\\(&lt;/span>&lt;script>alert(1)&lt;/script>x\\)</span>",
)
ALLOWED = re.compile(r"m[a-z]+|semantics|annotation|none|html|head|body|article|p|span")


@pytest.mark.parametrize("markup", HOSTILE)
def test_nothing_but_mathematics_gets_into_html(markup: str) -> None:
    tree = LexborHTMLParser(document(f"<p>{markup} and so on.").html)
    for node in tree.root.traverse():  # type: ignore[union-attr]
        assert ALLOWED.fullmatch(str(node.tag)), node.html
        assert not {
            name for name in node.attributes if name.startswith("on") or "href" in name or name in ("src", "style")
        }


def test_dollar_signs_are_escaped_only_beside_formulas() -> None:
    assert "$5 to $6" in document("<p>It costs $5 to $6.").markdown
    assert r"\$5 to \$6 for $x$." in document("<p>It costs $5 to $6 for <math><mi>x</mi></math>.").markdown


def test_a_displayed_formula_stands_alone_and_in_a_caption_it_does_not() -> None:
    formula = "<math display=block><mi>x</mi></math>"
    assert f"\n\n{displayed_formula('x')}\n\nand" in document(f"<p>Let {formula} and so on.").markdown
    figure = f"<figure><img src=a.png><figcaption>Let {formula} be.</figcaption></figure>"
    assert "$$" not in document(figure).markdown


def test_formulas_side_by_side_stay_two() -> None:
    assert "$x$ $y$" in document("<p>Let <math><mi>x</mi></math><math><mi>y</mi></math> be.").markdown


def test_dollar_signs_inside_a_formula_do_not_end_it() -> None:
    assert inline_formula(r"x \text{ if $y$ or \$5}", in_cell=False) == r"$x \text{ if \(y\) or \$5}$"
    assert inline_formula("5$", in_cell=False) == r"$5\$$"
