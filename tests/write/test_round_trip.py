"""The Markdown of extracted real pages, read by markdown-it-py, gives back their outline."""

from itertools import islice

import pytest

import bonmun
from bonmun.model.document import Document
from tests.corpora import pages
from tests.write.documents import document
from tests.write.round_trip import differences, markdown_lines


def check(doc: Document) -> None:
    found = next(differences(doc), None)
    assert found is None, f"outline: {found[0]!r}, Markdown: {found[1]!r}"


@pytest.mark.parametrize(("name", "step"), [("wcxb_dev", 67), ("cjk_dev", 5), ("news_dev", 5)])
def test_real_pages_read_back_as_their_outline(name: str, step: int) -> None:
    for record in islice(pages(name), 0, None, step):
        check(bonmun.extract(record["html"], url=record["url"] or None))


def test_lists_quotes_code_and_tables_read_back_as_their_outline() -> None:
    quote = "<blockquote>d<pre class=language-py>\tif x:\n\n\t\ty</pre></blockquote>"
    listed = f"<ul><li>a<ol start=3><li>b<p>c</ol><li>{quote}</ul>"
    table = "<table><tr><th>A<th>B|<tr><td rowspan=2>1<td><ul><li><a href=/x>x</a><li>y</ul><tr><td>2</table>"
    check(document(f"<h2>T</h2>{listed}<dl><dt>e<dd>f</dl><p>g<br>h <img src=/p.png></p>{table}"))


@pytest.mark.parametrize(
    "text",
    [
        "from ($) to ($$$)",
        "Price range: $-$$",
        "265 US$) for 7 days, 535 US$",
        "$$<p>and<p>$$",
        "US$<br>and US$",
        "<b>a$</b>b$",
        '"$1" is "$service", "$2" is "$op"',
        "<table><tr><th>a<th>b<tr><td>a$<p>b$<td>c$</table>",
        "$<i>A</i>$",
    ],
)
def test_dollar_signs_are_no_formulas(text: str) -> None:
    check(document(f"<p>{text}"))


@pytest.mark.parametrize("text", ["$5 and $6", "US$5 or US$6", "a set $A$ with $x \\in A$", "$i+1$"])
def test_prices_and_tex_on_the_page_are_written_as_they_are(text: str) -> None:
    assert document(f"<p>{text}").markdown == text


def test_price_levels_in_a_table_are_written_as_they_are() -> None:
    doc = document("<table><tr><th>a<th>b<tr><td>$$<td>$$$<tr><td>$<td>$$</table>")
    assert doc.markdown.endswith("| $$ | $$$ |\n| $ | $$ |")
    check(doc)


def test_rows_of_different_lengths_are_a_difference_though_a_reader_pads_them() -> None:
    assert "table 1/2" in markdown_lines("| a | b |\n| --- | --- |\n| c |")


def test_footnotes_and_formulas_are_read() -> None:
    lines = list(markdown_lines("Tea[^1] has $E = mc^2$.\n\n$$\nx\n$$\n\n[^1]: A drink."))
    assert lines[0] == "p Tea[^1] has E = mc^2."
    assert "math_block x" in lines
    assert lines[-2:] == ["footnote 1", "  p A drink."]
