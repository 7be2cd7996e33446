"""What `bonmun.compat.trafilatura` does whether trafilatura is installed or not, with and without lxml."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from lxml import etree

import bonmun
from bonmun.compat import trafilatura
from bonmun.compat.arguments import IgnoredArgument
from bonmun.compat.trafilatura.settings import fetch_policy
from tests.compat.comparison import MAIN, PAGES, URL

GOLDEN = Path(__file__).parents[1] / "golden"
ELEMENTS = {*"doc main comments head p list item quote table row cell code ref graphic hi del lb".split()}

RICH = """<html lang="en"><head><title>Tea</title></head><body><article><h1>Tea</h1>
<p>Tea is made of <b>leaves</b>, of <a href="/water">water</a> that has just boiled, and of time.<br>
A pot holds a litre.</p>
<h2>How</h2><ol><li>Boil the water.</li><li>Pour it over the leaves.</li></ol>
<blockquote><p>Nobody ever regretted a pot of tea, said the captain of the ship that had brought it.</p></blockquote>
<pre><code>pour(water)

wait(3)</code></pre>
<table><tr><th>leaf</th><th>minutes</th></tr><tr><td>green</td><td>2</td></tr><tr><td>black</td><td>4</td></tr></table>
<figure><img src="/pot.jpg" alt="A pot"><figcaption>The pot that the captain gave away.</figcaption></figure>
<p>The leaves came by ship from the east, and took half a year to arrive, if they arrived.</p>
</article></body></html>"""


@pytest.fixture
def without_lxml(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lxml", "lxml.etree", "lxml.html"):
        monkeypatch.setitem(sys.modules, name, None)


def test_plain_text_has_one_line_for_each_paragraph_and_keeps_the_lines_of_code() -> None:
    lines = (trafilatura.extract(RICH) or "").split("\n")
    assert lines[:2] == ["Tea is made of leaves, of water that has just boiled, and of time.", "A pot holds a litre."]
    assert lines[3:5] == ["1. Boil the water.", "2. Pour it over the leaves."]
    assert lines[6:9] == ["pour(water)", "", "wait(3)"]
    assert "green\t2" in lines


def test_markdown_has_formatting_and_links_only_if_asked_for() -> None:
    plain = trafilatura.extract(RICH, output_format="markdown") or ""
    assert "## How" in plain and "**leaves**" in plain and "](" not in plain
    linked = trafilatura.extract(RICH, url=URL, include_links=True, include_images=True) or ""
    assert "[water](https://example.org/water)" in linked and "![A pot](https://example.org/pot.jpg)" in linked
    assert "**" not in (trafilatura.extract(RICH, output_format="markdown", include_formatting=False) or "")


def test_tables_and_comments_can_be_left_out() -> None:
    assert "green" not in (trafilatura.extract(RICH, include_tables=False) or "")
    harbour = PAGES["en-harbour"]
    assert "Where do we park now?" in (trafilatura.extract(harbour) or "")
    assert "Where do we park now?" not in (trafilatura.extract(harbour, include_comments=False) or "")


@pytest.mark.usefixtures("without_lxml")
def test_xml_and_trees_need_no_lxml() -> None:
    xml = trafilatura.extract(RICH, output_format="xml", include_formatting=True, include_links=True, url=URL) or ""
    assert '<hi rend="#b">leaves</hi>' in xml and '<ref target="https://example.org/water">' in xml
    assert '<list rend="ol">' in xml and '<cell role="head">leaf</cell>' in xml and "<code>pour(water)" in xml
    document = trafilatura.bare_extraction(RICH)
    assert isinstance(document, trafilatura.Document)
    assert {element.tag for element in document.body.iter()} >= {"head", "p", "list", "item", "quote", "code", "table"}
    assert trafilatura.extract_metadata(RICH).body.tag == "body"


@pytest.mark.usefixtures("without_lxml")
def test_a_tree_of_lxml_without_lxml_names_the_extra() -> None:
    with pytest.raises(bonmun.MissingExtra, match=r"bonmun\[compat\]"):
        trafilatura.load_html(RICH)
    with pytest.raises(bonmun.MissingExtra, match=r"bonmun\[compat\]"):
        trafilatura.extract(RICH, prune_xpath="//table")


def test_a_formula_in_a_tree_is_its_latex_once() -> None:
    formula = "<math><mi>x</mi><mo>=</mo><mn>2</mn></math>"
    page = f"<html><body><p>The answer is {formula}, as the captain had said before the ship left.</p></body></html>"
    document = trafilatura.bare_extraction(page)
    assert isinstance(document, trafilatura.Document)
    assert "".join(document.body.itertext()).startswith("The answer is x = 2, as")


def test_markup_in_text_stays_text() -> None:
    text = 'Write <b> & </b> around what matters, and "quotes" around what was said, the manual says.'
    page = f"<html><head><title>{escape(text)}</title></head><body><p>{escape(text)}</p></body></html>"
    assert trafilatura.extract(page) == text
    assert "Write &lt;b&gt; &amp; &lt;/b&gt;" in (trafilatura.extract(page, output_format="xml") or "")
    assert json.loads(trafilatura.extract(page, output_format="json") or "")["text"] == text
    html = trafilatura.extract(page, output_format="html", with_metadata=True) or ""
    assert 'content="Write &lt;b&gt; &amp; &lt;/b&gt; around what matters, and &quot;quotes&quot;' in html


def test_another_language_is_none_and_its_own_is_recorded() -> None:
    assert trafilatura.extract(PAGES["ko-harbour"], target_language="en") is None
    document = trafilatura.bare_extraction(PAGES["ko-harbour"], target_language="ko")
    assert isinstance(document, trafilatura.Document) and document.language == "ko"


@pytest.mark.parametrize(
    "arguments",
    [
        {"deduplicate": True},
        {"tei_validation": True},
        {"date_extraction_params": {}},
        {"config": trafilatura.use_config()},
    ],
    ids=lambda arguments: next(iter(arguments)),
)
def test_an_argument_without_effect_warns_at_the_line_of_the_call(arguments: dict[str, object]) -> None:
    with pytest.warns(IgnoredArgument, match=f"trafilatura.extract: {next(iter(arguments))}=") as caught:
        assert trafilatura.extract(RICH, **arguments)  # type: ignore[arg-type]
    assert [Path(warning.filename).name for warning in caught] == ["test_trafilatura.py"]


def test_an_unknown_argument_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="colour"):
        trafilatura.extract(RICH, colour="red")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="max_tree_size"):
        trafilatura.extract(RICH, max_tree_size=100)


def test_a_page_beyond_the_limits_is_none_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert trafilatura.extract(b"<p>" + b"x" * 20_000_001) is None
    assert "20,000,000" in caplog.text


def test_a_failed_download_is_none_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert trafilatura.fetch_url("http://127.0.0.1/") is None
    assert trafilatura.fetch_response("ftp://example.org/") is None
    assert "127.0.0.1 is not a public address" in caplog.text
    with pytest.warns(IgnoredArgument, match="no_ssl"):
        assert trafilatura.fetch_url("http://127.0.0.1/", no_ssl=True) is None


def test_a_settings_file_sets_the_limits_of_downloads(tmp_path: Path) -> None:
    file = tmp_path / "settings.cfg"
    file.write_text('[DEFAULT]\nDOWNLOAD_TIMEOUT = 3\nMAX_REDIRECTS = 1\nUSER_AGENTS =\n    "tea/1"\n    "tea/2"\n')
    policy = fetch_policy(trafilatura.use_config(str(file)))
    assert (policy.seconds, policy.redirects, policy.user_agent, policy.allow_private) == (3, 1, "tea/1", False)
    with pytest.raises(FileNotFoundError):
        trafilatura.use_config(str(tmp_path / "none.cfg"))


def test_the_same_text_has_the_same_fingerprint_whatever_the_format() -> None:
    found = {
        json.loads(trafilatura.extract(RICH, output_format="json", with_metadata=True, **switches) or "")["fingerprint"]
        for switches in ({}, {"include_links": True}, {"include_images": True})
    }
    assert len(found) == 1 and len(found.pop()) == 16


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_main_text_is_that_of_extract(name: str) -> None:
    document = bonmun.extract(PAGES[name])
    text = trafilatura.extract(PAGES[name], include_comments=False) or ""
    assert MAIN[name] in text
    assert text.split() == document.text.split()


@pytest.mark.parametrize("construct", sorted({path.parts[-3] for path in GOLDEN.glob("*/*/page.html")}))
def test_xml_of_every_construct_is_well_formed(construct: str) -> None:
    for path in GOLDEN.glob(f"{construct}/*/page.html"):
        page = path.read_bytes()
        xml = trafilatura.extract(
            page, output_format="xml", include_links=True, include_images=True, with_metadata=True
        )
        assert xml is not None
        root = ElementTree.fromstring(xml)  # noqa: S314
        assert {element.tag for element in root.iter()} <= ELEMENTS


def test_a_tree_is_left_as_it_was_and_its_surroundings_are_not_read() -> None:
    tree = trafilatura.load_html(RICH)
    before = etree.tostring(tree)
    assert trafilatura.extract(tree) == trafilatura.extract(RICH)
    assert "ship" not in (trafilatura.extract(tree.xpath("//ol")[0]) or "")
    assert trafilatura.extract(tree, prune_xpath=["//table", "//td", "/html"]) == trafilatura.extract(
        RICH, include_tables=False
    )
    assert etree.tostring(tree) == before
    assert trafilatura.load_html("<!-- tea -->") is None and trafilatura.load_html(RICH, max_size=10) is None
    assert trafilatura.extract("<!-- tea -->", prune_xpath="//p") is None
