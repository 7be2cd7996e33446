import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.model.block import Kind, rows_shown
from bonmun.model.inline import Run, runs
from bonmun.model.tags import HIDDEN
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from tests.write.documents import document, markup

BASE = "https://example.org/dir/page"


def runs_of(html: str, base: str | None = BASE) -> list[list[Run]]:
    nodes = parse(html)
    blocks = segment(nodes)
    found = []
    for at in range(len(blocks)):
        first, stop = blocks.first[at], blocks.stop[at]
        rows = rows_shown(nodes, first, stop, bool(blocks.flags[at] & HIDDEN), images=True)
        code = blocks.kind[at] is Kind.CODE
        found.append(runs(nodes, rows, blocks.element[at], base, code))
        joined = "".join(run.text for run in found[-1] if run.src is None)
        if any(run.src for run in found[-1]) and not code:
            joined = " ".join(joined.split())  # there can be a space on either side of an image
        if not any({"sup", "sub"} & {*run.marks} for run in found[-1]):
            assert joined == blocks.text[at]
        else:
            assert set(joined) - set(blocks.text[at]) <= set("0123456789+-\u2212=()ni")
    return found


def test_marks_and_links_are_read_outermost_first() -> None:
    assert runs_of("<p>a <a href=../x><b>b <i>c</i></b></a> d</p>") == [
        [
            Run("a "),
            Run("b ", ("strong",), "https://example.org/x"),
            Run("c", ("strong", "em"), "https://example.org/x"),
            Run(" d"),
        ]
    ]


def test_a_mark_around_a_link_is_kept() -> None:
    assert runs_of("<p><b><a href=/x>x</a></b></p>") == [[Run("x", ("strong",), "https://example.org/x")]]


def test_an_invisible_image_is_not_a_run() -> None:
    html = "<p>a<img src=i.png><noscript><img src=i.png></noscript><img src=h.png hidden></p>"
    assert [run.src for run in runs_of(html)[0] if run.src] == ["https://example.org/dir/i.png"]


def test_a_link_around_the_block_holds_for_its_text() -> None:
    assert runs_of("<a href=/x><h2>Title</h2></a>") == [[Run("Title", (), "https://example.org/x")]]


def test_a_mark_around_the_block_is_not_a_mark_of_its_runs() -> None:
    assert runs_of("<b><p>para</p></b>") == [[Run("para")]]


def test_equal_neighbours_are_joined() -> None:
    assert runs_of("<p><span>a</span> <span>b</span></p>") == [[Run("a b")]]


def test_images_keep_their_position() -> None:
    [[before, image, after]] = runs_of('<p>a <img src="i.png" alt=" An\n image "> b</p>')
    assert (before.text, image, after.text) == ("a ", Run("An image", (), None, "https://example.org/dir/i.png"), " b")


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("a<img src=i.png>b", ["a", "", "b"]),
        ("a <img src=i.png> b", ["a ", "", " b"]),
        (" <img src=i.png> <img src=j.png> b ", ["", " ", "", " b"]),
        ("a <img src=i.png> ", ["a ", ""]),
        ("<a href=x> <img src=i.png> </a>a ", ["", " ", "a"]),
    ],
)
def test_white_space_beside_an_image_stays(html: str, texts: list[str]) -> None:
    [made] = runs_of(f"<p>{html}</p>")
    assert [run.text for run in made] == texts


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", " JaVa\nScript:x", "data:text/html,x", "vbscript:x", "", "http://["]
)
def test_an_unsafe_address_is_not_a_link(href: str) -> None:
    [[run]] = runs_of(f"<p><a href='{href}'>x</a></p>")
    assert run.href is None
    [[run]] = runs_of(f"<p><a href='{href}'>x</a></p>", None)
    assert run.href is None


def test_without_a_base_relative_links_stay_relative() -> None:
    [[run]] = runs_of("<p><a href='../a/b?c=d:e#f'>x</a></p>", None)
    assert run.href == "../a/b?c=d:e#f"


PIECES = st.lists(
    st.sampled_from(["a", " ", "\n", "b ", " c", "<b>", "</b>", "<i> ", "</i>", "<br>", "<a href=x>", "</a>", "<span>",
                     "</span> ", "<img src=x>", "<p>", "<pre>", "</pre>", "<li>", "<sup>", "2", "\xad", "<td>"])
)  # fmt: skip


@given(PIECES)
def test_the_runs_of_any_block_spell_its_text(pieces: list[str]) -> None:
    runs_of("".join(pieces))  # asserts inside


@settings(max_examples=100, deadline=None)
@given(markup)
def test_the_plain_text_of_a_block_is_its_only_run(html: str) -> None:
    for block in document(html).all_blocks:
        if block.plain_text is not None:
            assert block.plain_text == block.text
            assert block.runs == ((Run(block.text),) if block.text else ())


@pytest.mark.parametrize(
    ("html", "plain"),
    [
        ("<p>a plain\n text &amp; more", "a plain text & more"),
        ("<p>one<b>two</b>", None),
        ("<a href=/x><p>a link</a>", None),
        ("<pre>code</pre>", None),
        ("<p><img src=a.png alt=b>", None),
        ("<sup><div>2</div></sup>", "2"),
        ("<p hidden>hidden", "hidden"),
    ],
)
def test_plain_text_is_that_of_blocks_of_one_text_without_marks(html: str, plain: str | None) -> None:
    assert document(html).all_blocks[0].plain_text == plain
