"""Elements as Chromium draws them: `elements.js` on real pages, and their ties to our rows."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

import bonmun
from bonmun.errors import LimitExceeded
from bonmun.read.parse import parse
from bonmun.rendering import elements as elements_module
from bonmun.rendering.elements import expression, parsed
from bonmun.rendering.tying import DrawnElements, tied
from tests.browser import chromium
from tests.corpora import pages

Draw = Callable[..., tuple[DrawnElements, str | None]]


@pytest.fixture(scope="module")
def draw() -> Iterator[Draw]:
    with chromium() as browser:

        def drawn(html: str, *, javascript: bool = False) -> tuple[DrawnElements, str | None]:
            viewport = {"width": 1000, "height": 500}
            with closing(
                browser.new_context(java_script_enabled=javascript, offline=True, viewport=viewport)
            ) as context:
                context.route("**/*", lambda route: route.abort())
                page = context.new_page()
                page.set_content(html, wait_until="domcontentloaded")
                session = context.new_cdp_session(page)
                frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
                world = session.send("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]
                call = {"expression": expression(markup=javascript), "contextId": world}
                return parsed(session.send("Runtime.evaluate", call)["result"]["value"])

        yield drawn


def boxes(drawn: DrawnElements, name: str) -> list[tuple[int, ...]]:
    """Left, top, right, bottom and visibility of all elements of a name."""
    numbers = [number for number, other in enumerate(drawn.names) if other == name]
    return [tuple(drawn.boxes[5 * number : 5 * number + 5]) for number in numbers]


def test_boxes_are_in_pixels_of_the_document(draw: Draw) -> None:
    drawn, markup = draw(
        "<!doctype html><body style='margin: 0'><p style='margin: 700px 0 0 20px; width: 100px; height: 30px'>"
    )
    assert boxes(drawn, "p") == [(20, 700, 120, 730, 1)]
    assert drawn.viewport == (1000, 500) and drawn.document == (1000, 730) and markup is None


@pytest.mark.parametrize(
    ("markup", "visible"),
    [
        ("<b>x</b>", 1),
        ("<b></b>", 1),
        ("<b style='display: none'>x</b>", 0),
        ("<div style='display: none'><b>x</b></div>", 0),
        ("<b style='display: contents'>x</b>", 0),
        ("<b style='visibility: hidden'>x</b>", 1),
        ("<b style='opacity: 0'>x</b>", 1),
        ("<b hidden>x</b>", 0),
        ("<b style='position: absolute; left: -5000px'>x</b>", 1),
        ("<svg><b></b></svg><svg><defs><g></g></defs></svg>", 1),
    ],
)
def test_visible_means_what_it_means_in_jquery(draw: Draw, markup: str, visible: int) -> None:
    assert boxes(draw(f"<!doctype html>{markup}")[0], "b")[0][4] == visible


CLOBBERED = "".join(
    f"<form name={name}></form><img name={name}><form><input name={name}></form>"
    for name in "body documentElement doctype createTreeWalker getAnimations localName shadowRoot childNodes outerHTML "
    "getBoundingClientRect getClientRects offsetWidth scrollWidth clientHeight cloneNode getHTML JSON Math".split()
)
REDEFINED = """<script>
JSON.stringify = () => "{}"; Array.prototype.push = () => 0; Array.prototype.join = () => ""; Math.round = () => 7;
Element.prototype.getBoundingClientRect = () => ({left: 1, top: 1, right: 1, bottom: 1});
Document.prototype.createTreeWalker = () => ({nextNode: () => null}); Object.getOwnPropertyDescriptor = () => null;
Function.prototype.call = Function.prototype.bind = () => () => 0; String.prototype.slice = () => "";
Object.prototype.get = () => 0; window.Element = window.Document = window.HTMLElement = null;
for (const name of ["innerWidth", "innerHeight", "scrollX"]) Object.defineProperty(window, name, {get: () => 12345});
Object.defineProperty(document, "body", {get() { throw 1 }});
Object.defineProperty(document, "documentElement", {value: null});
</script>"""


@pytest.mark.parametrize("javascript", [False, True])
def test_names_of_forms_and_scripts_of_the_page_change_nothing(draw: Draw, javascript: bool) -> None:
    last = "<p style='position: absolute; left: 5px; top: 600px; margin: 0; width: 10px; height: 20px'>Tea</p>"
    drawn, markup = draw(f"<!doctype html>{CLOBBERED}{REDEFINED}{last}", javascript=javascript)
    assert boxes(drawn, "p") == [(5, 600, 15, 620, 1)]
    assert drawn.viewport == (1000, 500) and drawn.document[1] >= 620
    assert drawn.names.count("form") > 30
    assert markup is None or (markup.startswith("<!doctype html><html>") and "Tea</p></body></html>" in markup)


@pytest.mark.parametrize(
    "size", ["scale(1e30)", "scale(1e38) scale(1e38)", "translate(1e30px) scale(-1e38)", "matrix(0,0,0,0,0,0)"]
)
def test_boxes_beyond_all_bounds_are_cut(draw: Draw, size: str) -> None:
    drawn, _ = draw(f"<p style='transform: {size}'>Tea</p>")
    assert all(abs(side) <= 1_000_000_000 for side in drawn.boxes)


def test_animations_are_drawn_at_their_end(draw: Draw) -> None:
    style = (
        "<style>@keyframes move { from { left: 0 } to { left: 90px } } p, b { position: absolute; left: 40px }</style>"
    )
    moving = "<p style='animation: move 1000s forwards'>Tea</p><b style='animation: move 1000s infinite'>Tea</b>"
    drawn, _ = draw(style + moving)
    assert boxes(drawn, "p")[0][0] == 90 and boxes(drawn, "b")[0][0] == 40


SAME_TREE = {
    "foster parenting": "<table><p>one<tr><td>two<div>three</table>four<table><form><tr><input></form></table>",
    "formatting": "<b><p>one</b>two<a>three<a>four</a><i><b><p></i>five",
    "select": "<select><option>one<optgroup><option>two</select><p>three",
    "frameset": "<frameset><frame><noframes><p>text</p></noframes></frameset>",
    "nested": "<div>" * 500 + "deep",
    "foreign": "<svg><foreignObject><div><svg><linearGradient/></svg></div></foreignObject><title>"
    "<b>x</b></title></svg>"
    "<math><mi>x</mi><annotation-xml encoding='text/html'><div>y</div></annotation-xml></math>",
    "templates": "<template><p>no row</p></template><p>text<template><tr><td></template>",
    "shadow root": "<div><template shadowrootmode=open><style></style><p>1<slot></slot></p>"
    "</template><b>2</b></div><i>3",
    "nested shadow roots": "<div><template shadowrootmode=open><div><template shadowrootmode=open>"
    "<p></p></template></div>"
    "<slot></slot></template><b>two</b></div>",
    "noscript": "<head><noscript><link><style></style></noscript></head><body><noscript><p>one</p></noscript><p>two",
    "raw text": "<textarea><p></textarea><xmp><p></xmp><iframe><p></iframe><noembed><p></noembed><plaintext><p>",
    "nothing": "",
    "odd names": "<x\u00a0y><p></x\u00a0y><a:b/><x\u2003><p>",
}


@pytest.mark.parametrize("html", SAME_TREE.values(), ids=SAME_TREE)
def test_trees_of_both_parsers_tie_completely(draw: Draw, html: str) -> None:
    nodes = parse(html)
    drawn, _ = draw(html)
    assert [nodes.name(row).lower() for row in range(len(nodes)) if nodes.tag[row]] == [n.lower() for n in drawn.names]


def test_rows_up_to_our_limit_of_depth_tie(draw: Draw) -> None:
    html = "<div>" * 600 + "<p>deep</p>" * 3
    assert tied(parse(html), draw(html)[0]).untied == 0


BUILT = {
    "paragraphs": ("body.innerHTML = '<h1>Tea</h1>' + '<p>made of leaves</p>'.repeat(3)", 0),
    "noscript": ("body.innerHTML = '<noscript><p>Please</p></noscript><p>Tea</p>'", 1),
    "shadow root": ("body.attachShadow({mode: 'open'}).innerHTML = '<p>in the <b>shadow</b></p><slot></slot>'", 0),
    "table without tbody": ("const t = new_('table'); t.append(new_('tr')); body.append(t)", 1),
    "nested paragraphs": ("const p = new_('p'); p.append(new_('p'), new_('i')); body.append(p, new_('b'))", 1),
    "no document": ("document.documentElement.remove()", 3),
    "another root": (
        "const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); root.replaceWith(svg)",
        3,
    ),
}


@pytest.mark.parametrize(("script", "untied"), BUILT.values(), ids=BUILT)
def test_documents_that_scripts_built_tie(draw: Draw, script: str, untied: int) -> None:
    names = "const body = document.body, root = document.documentElement, new_ = (name) => document.createElement(name)"
    html = f"<head><noscript><img></noscript><link></head><body><p>first</p><script>{names}; {script}</script>"
    drawn, markup = draw(html, javascript=True)
    assert markup is not None and tied(parse(markup), drawn).untied == untied


def test_the_text_of_shadow_roots_is_in_the_markup(draw: Draw) -> None:
    script = "document.querySelector('div').attachShadow({mode: 'open'}).innerHTML = '<p>Tea is made of leaves.</p>'"
    _, markup = draw(f"<div></div><script>{script}</script>", javascript=True)
    assert markup is not None and "Tea is made of leaves." in bonmun.read_page(markup).blocks.text


@pytest.mark.parametrize(
    ("script", "limit"),
    [
        ("for (let i = 0; i < 300; i++) document.body.append(document.createElement('p'))", "nodes"),
        ("document.body.append('x'.repeat(3000))", "bytes"),
    ],
)
def test_documents_beyond_the_limits_are_refused(
    draw: Draw, monkeypatch: pytest.MonkeyPatch, script: str, limit: str
) -> None:
    monkeypatch.setattr(elements_module, "DEFAULT_LIMITS", bonmun.Limits(nodes=200, bytes=2000))
    with pytest.raises(LimitExceeded) as error:
        draw(f"<body><script>{script}</script>", javascript=True)
    assert error.value.limit == limit


def test_real_pages_tie_completely(draw: Draw) -> None:
    for record in list(pages("visual_dev"))[::16]:
        page = bonmun.read_page(record["html"])
        drawn, _ = draw(page.nodes.buffer.decode())
        assert tied(page.nodes, drawn).untied == 0, record["id"]
