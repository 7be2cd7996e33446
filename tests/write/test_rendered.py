"""The screenshot with its verdicts: every block has a box or is listed apart, and nothing loads, runs or navigates."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import cycle, islice

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

import bonmun
from bonmun.errors import RenderError
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts
from bonmun.pipeline import extract
from bonmun.write.rendered import _LISTED, write
from tests.write.laid_out import SIZE, blank_png, laid_out
from tests.write.test_explain import HOSTILE

LONG = "A sentence that is long enough to be kept by the method of these tests, since it goes on for a while."


@dataclass(frozen=True)
class Elements:
    """An analysis with probabilities of elements, as the method `visual` has it."""

    element_probabilities: Sequence[tuple[int, float]]

    def to_dict(self) -> dict[str, object]:
        return {}


class KeepLong:
    """Keep blocks of more than 80 characters; those that say "perhaps" are doubtful."""

    name = "long"

    def __init__(self, analysis: Elements | None = None) -> None:
        self.analysis = analysis

    def judge(self, page: Page) -> Verdicts:
        texts = page.blocks.text
        keep = [int(len(text) > 80) for text in texts]
        score = [0.5 if "perhaps" in text else 0.75 if kept else 0.1 for kept, text in zip(keep, texts, strict=True)]
        reasons = [(Reason("long" if kept else "short", '<i>&"quoted"'),) for kept in keep]
        return Verdicts(keep, score, reasons, 0.5, analysis=self.analysis)


def drawn(page: Page, analysis: Elements | None = None) -> LexborHTMLParser:
    return LexborHTMLParser(write(extract(page, method=KeepLong(analysis))))


def place(box: LexborNode) -> tuple[float, ...]:
    """Left, top, right and bottom of a box in pixels of the picture."""
    left, top, width, height = map(float, re.findall(r"([\d.]+)%", box.attributes["style"] or "")[:4])
    sides = (left * SIZE[0], top * SIZE[1], (left + width) * SIZE[0], (top + height) * SIZE[1])
    return tuple(round(side / 100) for side in sides)


def test_every_block_is_a_box_and_an_entry_that_link_to_each_other() -> None:
    page = laid_out(f"<h1 id=a>Title</h1><p id=b>{LONG}", {"a": (0, 10, 400, 40), "b": (20, 50, 380, 90)})
    tree = drawn(page)
    boxes, entries = tree.css(".bm-box"), tree.css(".bm-list > a")
    assert [(box.attributes["id"], box.attributes["href"]) for box in boxes] == [("b0", "#r0"), ("b1", "#r1")]
    assert [(one.attributes["id"], one.attributes["href"]) for one in entries] == [("r0", "#b0"), ("r1", "#b1")]
    assert [place(box) for box in boxes] == [(0, 10, 400, 40), (20, 50, 380, 90)]


def test_a_box_has_colour_mark_and_note_of_its_verdict() -> None:
    sides = {"a": (0, 0, 400, 20), "b": (0, 20, 400, 40), "c": (0, 40, 400, 60), "d": (0, 60, 400, 80)}
    page = laid_out(f"<p id=a>{LONG}<p id=b>No.<p id=c>perhaps<p id=d>{LONG} perhaps", sides)
    boxes = drawn(page).css(".bm-box")
    assert [box.attributes["class"] for box in boxes] == [
        "bm-box bm-keep", "bm-box bm-drop", "bm-box bm-drop bm-doubt", "bm-box bm-keep bm-doubt",
    ]  # fmt: skip
    assert [box.css("b")[0].text() for box in boxes] == ["✓", "–", "–?", "✓?"]
    assert boxes[1].attributes["aria-label"] == '1 dropped · paragraph · .10 — short: <i>&"quoted"'
    note = boxes[3].css(".bm-note")[0].text()
    for part in ("kept, doubtful", ".50", 'long: <i>&"quoted"', LONG, "/html/body/p[4]"):
        assert part in note


def test_lines_that_share_an_element_have_parts_of_its_box() -> None:
    html = "<div id=all>one<br id=x>two <i id=y>inline</i><p id=p>three</p>four<br id=hidden>five</div>"
    sides = {"all": (0, 0, 400, 100), "x": (30, 0, 30, 20), "y": (30, 20, 90, 40), "p": (10, 45, 390, 60)}
    page = laid_out(html, sides)
    assert page.blocks.text == ("one", "two inline", "three", "four", "five")
    assert [place(box) for box in drawn(page).css(".bm-box")] == [
        (0, 0, 400, 20),  # to the line break
        (0, 20, 400, 45),  # to the paragraph
        (10, 45, 390, 60),
        (0, 60, 400, 100),  # a line break without a box does not separate
        (0, 60, 400, 100),
    ]


def test_a_line_without_room_in_its_element_has_the_box_of_its_own_elements() -> None:
    html = "<div id=row><p id=left>first</p><b id=mine>second</b></div>"  # side by side
    page = laid_out(html, {"row": (0, 0, 400, 50), "left": (0, 0, 200, 50), "mine": (200, 10, 300, 30)})
    assert [place(box) for box in drawn(page).css(".bm-box")] == [(0, 0, 200, 50), (200, 10, 300, 30)]


def test_an_element_without_a_box_has_that_of_its_children() -> None:
    page = laid_out("<p><b id=b>first</b> <i id=i>second</i>", {"b": (0, 0, 50, 20), "i": (60, 5, 90, 25)})
    assert [place(box) for box in drawn(page).css(".bm-box")] == [(0, 0, 90, 25)]


def test_pictures_have_the_box_of_their_element() -> None:
    page = laid_out("<div id=d><img id=i src=a.png width=90 height=50 alt=Boats><p id=p>text</div>",
                    {"d": (0, 0, 400, 90), "i": (5, 5, 95, 55), "p": (0, 60, 400, 90)})  # fmt: skip
    assert place(drawn(page).css("#b0")[0]) == (5, 5, 95, 55)


def test_blocks_without_a_box_are_listed_apart_with_the_reason() -> None:
    sides = {"a": (0, 0, 400, 20), "away": (-999, 0, -800, 20), "dot": (5, 5, 6, 6), "low": (0, 300, 400, 320)}
    html = f"<p id=a>{LONG}<p>hidden<p id=away>far left<p id=dot>for screen readers<p id=low>below"
    tree = drawn(laid_out(html, sides))
    assert [box.attributes["id"] for box in tree.css(".bm-box")] == ["b0"]
    assert tree.css("h2")[0].text() == "Not on the picture 4"
    apart = {one.attributes["id"]: one.css("small")[0].text().split(" · ")[0] for one in tree.css(".bm-list > div")}
    assert apart == {"r1": "not visible", "r2": "outside", "r3": "not visible", "r4": "outside"}


def test_a_box_is_cut_at_the_edge_of_the_picture() -> None:
    page = laid_out(f"<p id=a>{LONG}", {"a": (-50, 280, 450, 340)})
    assert place(drawn(page).css(".bm-box")[0]) == (0, 280, 400, 300)


def test_a_picture_that_ends_before_the_page_does_says_so() -> None:
    page = laid_out(f"<p id=a>{LONG}", {"a": (0, 0, 400, 40)}, document=(400, 48_000))
    tree = drawn(page)
    assert "ends after 300 of 48,000 pixels" in tree.css(".bm-panel")[0].text()
    assert "ends after 300 of 48,000 pixels" in tree.css(".bm-end")[0].text()
    assert drawn(laid_out("<p>text", {})).css(".bm-end, .bm-remark") == []


def test_elements_are_shaded_by_their_probability_inner_ones_last() -> None:
    page = laid_out(f"<div id=d><p id=p>{LONG}</p></div>", {"d": (0, 0, 400, 100), "p": (0, 20, 400, 60)})
    outer, inner = page.nodes.rows_of("div")[0], page.nodes.rows_of("p")[0]
    tree = drawn(page, Elements([(0, 1.0), (outer, 0.25), (inner, 0.875)]))
    shades = tree.css(".bm-elements > i")
    assert [place(shade) for shade in shades] == [(0, 0, 400, 100), (0, 20, 400, 60)]
    assert [(shade.attributes["style"] or "").rpartition("--p:")[2] for shade in shades] == ["25%", "88%"]
    assert len(tree.css(".bm-with-elements")) == 1
    assert drawn(page).css(".bm-elements, .bm-with-elements") == []


@pytest.mark.parametrize("without", ["layout", "screenshot"])
def test_a_page_without_a_screenshot_is_an_error_that_says_what_to_do(without: str) -> None:
    page = laid_out(f"<p id=a>{LONG}", {"a": (0, 0, 400, 40)})
    assert page.layout is not None
    layout = None if without == "layout" else replace(page.layout, screenshot=None)
    document = bonmun.extract(replace(page, layout=layout))
    with pytest.raises(RenderError, match=r"no screenshot: bonmun\.render\(.*screenshot=True\)\) takes one$"):
        document.explain_rendered()


@pytest.mark.parametrize("screenshot", [b"GIF89a", b"<svg onload=alert(1)>", blank_png(1, 1)[:20]])
def test_a_screenshot_that_is_not_a_png_is_refused(screenshot: bytes) -> None:
    document = bonmun.extract(laid_out(LONG, {}, screenshot=screenshot))
    with pytest.raises(RenderError, match="not a PNG"):
        document.write("rendered")


def test_a_page_of_many_blocks_draws_only_the_kept_ones() -> None:
    tags = "p div section article main center address".split()  # no run of like blocks
    short = "".join(f"<{tag}>short</{tag}>" for tag in islice(cycle(tags), _LISTED + 1))
    tree = drawn(laid_out(f"{short}<p id=a>{LONG}", {"a": (0, 0, 400, 40)}))
    assert [box.attributes["id"] for box in tree.css("[id]")] == [f"r{_LISTED + 1}", f"b{_LISTED + 1}"]
    assert f"Only 1 of {_LISTED + 2:,} blocks are drawn" in tree.css(".bm-remark")[0].text()


def test_our_own_style_sheet_loads_nothing() -> None:
    style = files("bonmun.write").joinpath("rendered.css").read_text("utf-8").lower()
    assert not any(word in style for word in ("url(", "@import", "image-set", "src(", "@font-face", "<"))


INERT = frozenset(
    "html head meta title link style body details summary b span p dl dt dd div label input i a u small code h2 main"
    " img".split()
)
ATTRIBUTES = frozenset(
    "lang charset http-equiv name content rel href id class style title type checked open role aria-label aria-hidden"
    " alt width height src".split()
)


@pytest.mark.parametrize("tag", ["p", "h1", "title"])
def test_a_hostile_page_becomes_inert(tag: str) -> None:
    attack = "&quot;&gt;&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;"
    page = laid_out(f"<{tag} id=a>{attack}{LONG}</{tag}>{HOSTILE}", {"a": (0, 0, 400, 40)})
    page = replace(page, url='javascript:"</style><script>alert(1)</script>')
    html = write(extract(page, method=KeepLong()))
    tree = LexborHTMLParser(html)
    assert {node.tag for node in tree.css("*")} <= INERT
    assert {name for node in tree.css("*") for name in node.attributes} <= ATTRIBUTES
    (picture,) = tree.css("img")
    assert base64.b64decode((picture.attributes["src"] or "").removeprefix("data:image/png;base64,")) == blank_png(
        *SIZE
    )
    assert all(re.fullmatch(r"#[br]\d+", link.attributes["href"] or "") for link in tree.css("a"))
    assert [node.attributes["href"] for node in tree.css("link")] == ["data:,"]
    styles = {node.attributes.get("style") or "" for node in tree.css("[style]")}
    assert all(re.fullmatch(r"((left|top|width|height|--width|--score|--p):[\d.]+(%|px|);?)+", one) for one in styles)
    policies = [node.attributes["content"] or "" for node in tree.css("meta[http-equiv]")]
    assert len(policies) == 1 and policies[0].startswith("default-src 'none'; ") and "script" not in policies[0]
