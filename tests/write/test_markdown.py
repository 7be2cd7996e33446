"""Markdown, read back by a real Markdown reader, gives the blocks that were written."""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from time import process_time

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.write import (
    Callout,
    Definitions,
    Details,
    Leaf,
    List,
    Note,
    Notes,
    OutlineNode,
    Quote,
    Rule,
    Table,
    Term,
    leaves,
    outline,
    shown_blocks,
)
from bonmun.write.markdown import write
from bonmun.write.markdown_scripts import with_scripts
from bonmun.write.structure import Cell, nodes_inside
from tests.write.documents import document, markup, real_documents, texts
from tests.write.round_trip import with_alerts

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin)
GITHUB = MarkdownIt("commonmark", {"strikethrough_single_tilde": True}).enable(["table", "strikethrough"])
GITHUB = GITHUB.use(footnote_plugin)
NAME = {"bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "blockquote": "quote", "td": "cell", "th": "cell"}
TAG = re.compile(r"<[^>]*>")
WRAPPERS = {"paragraph", "thead", "tbody", "tr", "footnote_block"}

Placed = list[tuple[str, str]]
"""Texts with white space folded, each with the elements around it."""
Stretch = tuple[str, frozenset[str], str | None]
"""Characters with their marks and link."""


def folded(text: str) -> str:
    return " ".join(text.split())


def read_back(tokens: Iterable[Token]) -> Placed:
    path: list[str] = []
    placed: Placed = []
    for token in tokens:
        name = token.type.removesuffix("_open").removesuffix("_close")
        name = token.tag if name == "heading" else NAME.get(name, name)
        if token.nesting and name not in WRAPPERS:
            path = [*path, name] if token.nesting > 0 else path[:-1]
        elif token.type == "fence":
            placed.append(("/".join([*path, "code"]), folded(token.content)))
        elif token.type == "html_block":
            placed.append(("/".join([*path, "html"]), "".join(unescape(TAG.sub("", token.content)).split())))
        elif token.type == "footnote_anchor":
            pass
        elif token.type == "inline":
            placed.append(("/".join(path), folded("".join(text for text, *_ in stretches(token.children or [])))))
        elif token.type != "hr":
            assert token.nesting, f"{token.type} was not written on purpose"
    return [(where, text) for where, text in placed if text]


def stretches(tokens: Iterable[Token]) -> Iterator[Stretch]:
    """The text of a block with its marks, as a reader shows it."""
    marks: set[str] = set()
    href = None
    for token in tokens:
        tag = token.content.strip("</>") if token.type == "html_inline" else token.tag
        opens = token.nesting > 0 or (token.type == "html_inline" and "/" not in token.content)
        if token.type in ("text", "softbreak", "hardbreak") or token.content == "<br>":
            yield token.content if token.type == "text" else "\n", frozenset(marks), href
        elif token.type == "code_inline":
            yield token.content, frozenset(marks | {"code"}), href
        elif token.type == "footnote_ref":
            yield token.meta["label"], frozenset(), None
        elif token.type.startswith("link"):
            href = str(token.attrs["href"]) if opens else None
        elif tag in ("strong", "em", "s", "del", "code", "sup", "sub"):
            (marks.add if opens else marks.discard)("strike" if tag in ("s", "del") else tag)
        else:
            assert token.type == "image", token


def without_space(pieces: Iterable[Stretch]) -> list[Stretch]:
    """Stretches without white space, which may fall on either side of a mark's edge."""
    out: list[Stretch] = []
    for text, marks, href in pieces:
        text = "".join(text.split())
        if text and out and out[-1][1:] == (marks, href):
            out[-1] = (out[-1][0] + text, marks, href)
        elif text:
            out.append((text, marks, href))
    return out


class Expected:
    """The expected reading of a document."""

    def __init__(self, doc: Document) -> None:
        self.placed: Placed = []
        self.stretches: list[Stretch] = []
        self.notes: dict[str, Note] = {}
        self._expect(outline(shown_blocks(doc), 16), ())
        for label in doc.footnotes.labels:  # a Markdown reader shows notes in the order of their marks
            self._expect(self.notes[label].children, ("footnote",))

    def _expect(self, nodes: Iterable[OutlineNode], path: tuple[str, ...], mark: str | None = None) -> None:
        for node in nodes:
            match node:
                case Leaf():
                    self._leaf(node, path, mark)
                case List():
                    for item in node.items:
                        self._expect(item, (*path, "ul" if node.start is None else "ol", "li"))
                case Quote():
                    self._expect(node.children, (*path, "quote"))
                case Callout():
                    self._expect(node.title if node.label else [], (*path, "quote"), "strong")
                    self._expect(node.children, (*path, "quote"))
                case Details():
                    self._expect(node.summary, path, "strong")
                    self._expect(node.children, path)
                case Rule():
                    pass
                case Definitions():
                    for entry in node.entries:
                        self._expect(entry.children, path, "strong" if isinstance(entry, Term) else None)
                case Table():
                    self._expect(node.above, path)
                    self._cells([cell for line in node.lines for cell in line if cell], path)
                    self._expect(node.below, path)
                case Notes():
                    self.notes.update((note.label, note) for note in node.entries)

    def _leaf(self, leaf: Leaf, path: tuple[str, ...], mark: str | None) -> None:
        inner = {Kind.HEADING: f"h{leaf.blocks[0].level}", Kind.CODE: "code"}.get(leaf.kind)
        self._place((*path, inner) if inner else path, leaf.blocks)
        mark = {Kind.HEADING: None, Kind.CAPTION: "em"}.get(leaf.kind, mark)
        if leaf.kind is not Kind.CODE:
            self.stretches += [each for block in leaf.blocks for each in self._marked(block, mark)]

    def _cells(self, cells: list[Cell], path: tuple[str, ...]) -> None:
        texts = [[block for leaf in leaves(cell.children) for block in leaf.blocks] for cell in cells]
        code = [block.text for blocks in texts for block in blocks if block.kind is Kind.CODE]
        nested = any(isinstance(node, Table) for cell in cells for node in nodes_inside(cell.children))
        if nested or any("\n" in text for text in code):
            text = "".join(block.text for blocks in texts for block in blocks)
            self.placed += [("/".join((*path, "html")), "".join(text.split()))]
        else:
            for blocks in texts:
                self._cell(blocks, path)

    def _cell(self, blocks: list[Block], path: tuple[str, ...]) -> None:
        self._place((*path, "table", "cell"), blocks)
        for block in blocks:
            self.stretches += self._marked(block, "code" if block.kind is Kind.CODE else None)

    def _place(self, path: tuple[str, ...], blocks: list[Block]) -> None:
        text = folded(" ".join(shown(block) for block in blocks))
        self.placed += [("/".join(path), text)] if text else []

    def _marked(self, block: Block, mark: str | None) -> Iterator[Stretch]:
        for run in with_scripts(block.runs):
            if run.src is None:
                marks = {*run.marks, mark or "none"} if run.note is None else set()
                href = READER.normalizeLink(run.href) if run.href else None
                yield run.text, frozenset(marks & {"strong", "em", "strike", "code", "sup", "sub"}), href


def shown(block: Block) -> str:
    """The text with tags in place of the `^` and `_` of plain text."""
    return "".join(run.text for run in with_scripts(block.runs) if run.src is None)


def check(doc: Document) -> None:
    markdown = write(doc)
    tokens = [*with_alerts(READER.parse(markdown))]
    placed, expected = read_back(tokens), Expected(doc)
    written = "".join(map(shown, shown_blocks(doc)))
    if not doc.footnotes.labels:
        assert "".join("".join(text.split()) for _, text in placed) == "".join(written.split())
    assert placed == expected.placed
    inside = (each for token in tokens if token.type == "inline" for each in stretches(token.children or []))
    assert without_space(inside) == without_space(expected.stretches)
    if "~" in markdown:
        assert read_back(with_alerts(GITHUB.parse(markdown))) == placed


@settings(max_examples=200, deadline=None)
@given(markup)
def test_any_page_reads_back_block_for_block_and_mark_for_mark(html: str) -> None:
    check(document(html))


@settings(max_examples=300, deadline=None)
@given(texts)
def test_any_text_reads_back_as_one_paragraph(text: str) -> None:
    written = write(document(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}"))
    assert read_back(READER.parse(written)) == ([("", folded(text))] if text.split() else [])


@pytest.mark.parametrize(("name", "stop", "step"), [("cjk_dev", None, 1), ("wcxb_dev", 150, 1)])
def test_real_pages_read_back_block_for_block_and_mark_for_mark(name: str, stop: int | None, step: int) -> None:
    for doc in real_documents(name, 0, stop, step):
        check(doc)


def test_text_that_is_no_markup_is_not_escaped() -> None:
    text = "snake_case, 2 * 3 * 4, a < b, 3 > 2, AT&T, 50 %, #1, C#, (a) [서울=뉴시스] 10~20일 -5 +3 https://a.b/c_d/"
    assert write(document(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}")) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. first", "1\\. first"),
        ("2026) year", "2026\\) year"),
        ("- dash", "\\- dash"),
        ("# hash", "\\# hash"),
        ("> quote", "\\> quote"),
        ("--", "\\--"),
        ("*a* _b_ `c`", "\\*a\\* \\_b\\_ \\`c\\`"),
        ("<b> </b> <!-- <http://a.b>", "\\<b> \\</b> \\<!-- \\<http://a.b>"),
        ("&amp; &#35;", "\\&amp; \\&#35;"),
        ("[a](b) ![c](d)", "[a\\](b) ![c\\](d)"),
        ("[a]: b", "\\[a]: b"),
        ("[x] done", "\\[x] done"),
        ("C:\\dir \\* end\\", "C:\\dir \\\\\\* end\\\\"),
        ("https://a.b/_c_ x", "https\\://a.b/\\_c\\_ x"),
    ],
)
def test_markup_characters_are_escaped_and_no_others(text: str, written: str) -> None:
    assert write(document(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}")) == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("그는 <b>한국어</b>를 쓴다", "그는 **한국어**를 쓴다"),
        ("<b>한국어(Korean)</b>을", "<strong>한국어(Korean)</strong>을"),
        ("<b>한국어(Korean)</b> 을", "**한국어(Korean)** 을"),
        ("a<b> bold </b>b", "a **bold** b"),
        ("<b><i>both</i></b>", "***both***"),
        ("<b>one</b><i>two</i>", "**one**_two_"),
        ("가<b>나</b><i>다</i>라", "가**나**<em>다</em>라"),
        ("<b>a <i>b</i></b>", "**a _b_**"),
        ("<s>old</s>", "~~old~~"),
        ("H<sub>2</sub>O, 10<sup>6</sup> km<sup>2</sup>", "H₂O, 10⁶ km²"),
        ("x<sup>a+b</sup> on the 19<sup>th</sup>", "x<sup>a+b</sup> on the 19th"),
        ("<code>a`b</code> <code>`</code>", "``a`b`` `` ` ``"),
        ("<b> </b>a", "a"),
        ("<a href='/x y(z)'>link</a>", "[link](<https://example.org/x%20y(z)>)"),
        ("<a href='/x'>a <b>b</b></a>", "[a **b**](https://example.org/x)"),
        ("Wow!<a href='/x'>y]</a>", "Wow\\![y\\]](https://example.org/x)"),
        ("<a href='javascript:alert(1)'>x</a>", "x"),
        ("<a href='/x'><img src='/y.png' alt='z'></a>", "[![z](https://example.org/y.png)](https://example.org/x)"),
    ],
)
def test_inline_markup_is_written_so_that_it_reads_back(html: str, written: str) -> None:
    doc = document(f"<p>{html}")
    assert write(doc) == written
    check(doc)


def test_lists_are_tight_unless_an_item_has_several_paragraphs() -> None:
    assert write(document("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>")) == "- a\n  1. b\n  2. c\n- d"
    assert write(document("<ul><li><p>a<p>b<li>c</ul>")) == "- a\n\n  b\n\n- c"
    assert write(document("<ol start=9><li>a<li>b<ul><li>c</ol>")) == "9. a\n10. b\n    - c"
    assert write(document("<ul><li>a<ol start=3><li>b</ol></ul>")) == "- a\n\n  3. b"


def test_two_lists_in_a_row_stay_two() -> None:
    doc = document("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul><ol><li>d</ol><ol><li>e</ol>")
    assert write(doc) == "- a\n\n* b\n\n- c\n\n1. d\n\n1) e"


def test_quotes_hold_lists_code_and_headings() -> None:
    doc = document("<blockquote><h2>T</h2><ul><li>a</ul><pre>x\n\ny</pre><blockquote>b</blockquote></blockquote>")
    assert write(doc) == "> ## T\n>\n> - a\n>\n> ```\n> x\n>\n> y\n> ```\n>\n> > b"
    check(doc)


def test_a_fence_is_longer_than_any_inside_and_names_its_language() -> None:
    doc = document("<pre><code class='language-md'>```\n````\n</code></pre>")
    assert write(doc) == "`````md\n```\n````\n`````"


def test_lines_are_separated_by_hard_breaks_and_never_become_headings_or_tables() -> None:
    doc = document("<p>a | b<br>--- | ---<br>===<br>1. c")
    assert write(doc) == "a | b\\\n\\--- | ---\\\n\\===\\\n1\\. c"
    check(doc)


def test_tables_escape_pipes_pad_rows_and_keep_dropped_cells_empty() -> None:
    rows = "<tr><td>x<td><code>a|b</code> c\\|d<tr><td>drop me<td><p>1<p>2<td>3"
    doc = document(f"<table><caption>Cap<tr><th>A<th>B|<th>C{rows}</table>", drop=("drop me",))
    assert write(doc) == (
        "*Cap*\n\n| A | B\\| | C |\n| --- | --- | --- |\n| x | `a\\|b` c\\\\\\|d |  |\n|  | 1<br>2 | 3 |"
    )
    check(doc)


def test_lines_blocks_and_items_in_a_cell_are_separated_by_br() -> None:
    cells = "<td>1<br><b>2</b><td><p>3<p>4<td><ul><li>5<li><a href=https://x.example/>6</a></ul>"
    doc = document(f"<table><tr><th>a<th>b<th>c<tr>{cells}</table>")
    assert write(doc).endswith("| 1<br>**2** | 3<br>4 | 5<br>[6](https://x.example/) |")
    check(doc)


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("<pre>if a:\n\n    b &lt; c</pre>", "<pre><code>if a:&#10;&#10;    b &lt; c</code></pre>"),
        (
            "<table><tr><th>x<tr><td>1<td>2</table>",
            "<table><tr><th>x</th></tr><tr><td>1</td><td>2</td></tr></table>",
        ),
    ],
)
def test_a_table_with_blocks_that_gfm_cannot_hold_is_written_as_html(cell: str, written: str) -> None:
    doc = document(f"<ul><li>item<table><tr><th>a<th>b<tr><td>{cell}<td>d</table></ul>")
    table = f"<table><tr><th>a</th><th>b</th></tr><tr><td>{written}</td><td>d</td></tr></table>"
    assert write(doc) == f"- item\n\n  {table}"
    check(doc)


def test_code_with_an_escaped_pipe_survives_readers_that_disagree_on_it() -> None:
    doc = document("<table><tr><th>a<th>b<tr><td><code>x\\|y</code><td>z</table>")
    assert "<code>x\\\\\\|y</code>" in write(doc)
    check(doc)


def test_terms_are_bold_captions_in_italics_and_headings_keep_their_hashes() -> None:
    assert write(document("<dl><dt>Tea<dd>A drink</dl>")) == "**Tea**\n\nA drink"
    assert write(document("<figure><img src='/a.png'><figcaption>Tea</figure>")).endswith("\n\n*Tea*")
    assert write(document("<h2>1. C # ##</h2>")) == "## 1. C # \\##"


def test_an_empty_document_is_an_empty_text() -> None:
    assert write(document("")) == ""


def test_hundreds_of_levels_are_written_and_read_back() -> None:
    doc = document("".join(f"<ul><li>{level}<blockquote>" for level in range(160)))
    assert len(doc.blocks) == 160
    check(doc)


@pytest.mark.cpu_timed
def test_many_marks_and_a_torn_table_take_no_more_than_linear_time() -> None:
    marks = "<p>" + "<b>a(</b><i>b</i>" * 20_000
    torn = "<table><tr>" + "<th rowspan=999 colspan=999>h" * 2_000 + "<tr><td>x" * 5_000 + "</table>"
    started = process_time()
    write(document(marks))
    write(document(torn))
    assert process_time() - started < 8


def test_a_rule_before_a_box_or_table_is_kept() -> None:
    assert write(document("<p>a<hr><details>b</details>")) == "a\n\n---\n\nb"
    assert write(document("<p>a<hr><table><tr><th>b<th>c</table>")).startswith("a\n\n---\n\n| b | c |")


def test_text_like_an_alert_or_a_task_is_escaped() -> None:
    assert write(document("<blockquote>[!NOTE]<br>a</blockquote>")) == "> \\[!NOTE]\\\n> a"
    assert write(document("<ul><li>[x] a</ul>")) == "- \\[x] a"


def test_a_callout_keeps_a_title_that_is_not_its_kind() -> None:
    html = "<div class='admonition warning'><p class=admonition-title>{}</p><p>b</div>"
    assert write(document(html.format("Warning!"))) == "> [!WARNING]\n> b"
    assert write(document(html.format("Thin ice"))) == "> [!WARNING]\n> **Thin ice**\n>\n> b"


def test_a_callout_that_does_not_begin_with_a_paragraph_has_an_empty_line_before_it() -> None:
    assert write(document("<aside class=callout><pre>a</pre></aside>")) == "> [!NOTE]\n>\n> ```\n> a\n> ```"
    assert write(document("<aside class=callout><p>===</aside>")) == "> [!NOTE]\n>\n> ==="


def test_a_list_that_does_not_count_up_by_one_is_several() -> None:
    assert write(document("<ol><li>a<li value=5>b<li>c<li value=1>d</ol>")) == "1. a\n\n5) b\n6) c\n\n1. d"
