from time import process_time

import pytest
from lxml import html as lxml_html

from bonmun.read.parse import parse
from bonmun.sites.selectors import BadSelector, Step, find, parse_selector

PAGE = """<body class=x><div id=a class="b c"><p>1</p><p class=c>2</p><span><p>3</p></span></div>
<div class=b><div><p class="c d">4</p></div></div><table><tr><td>5</td><td class=b>6</td></tr></table><p>7</p>"""


def texts(selector: str) -> list[str]:
    nodes = parse(PAGE)
    return [nodes.content(row) for row in find(nodes, [parse_selector(selector)])[0]]


@pytest.mark.parametrize(
    "selector",
    ["p", "#a", ".c", "p.c", "div.b.c", "#a > p", "#a p", ".b p.c", "div > div > p", "td:nth-of-type(2)", "body > p",
     "p:nth-of-type(1)", "div.b > p:nth-of-type(2)", "*.c", "table td", "div div", "#nothing", "p.c.d", '[id="a"] > p',
     '[class~="b"] p', "body.x > div:nth-of-type(2) p"],
)  # fmt: skip
def test_selectors_mean_what_css_means(selector: str) -> None:
    tree = lxml_html.document_fromstring(PAGE)
    expected = ["".join(element.text_content().split()) for element in tree.cssselect(selector)]
    assert ["".join(text.split()) for text in texts(selector)] == expected


@pytest.mark.parametrize(
    "text", ["", " ", "div >", "> p", "a:hover", "p[href]", "div,p", "a..b", "p:nth-of-type(0)", "#1a"]
)
def test_an_invalid_selector_is_refused(text: str) -> None:
    with pytest.raises(BadSelector):
        parse_selector(text)


def test_a_selector_is_written_as_it_is_parsed() -> None:
    for text in ("#a > p.b.c:nth-of-type(3) td", '[id="1a"] > div[class~="2col"]', "div.글 > p"):
        assert str(parse_selector(str(parse_selector(text)))) == str(parse_selector(text)) == text


def test_names_that_css_would_escape_are_written_as_attribute_selectors() -> None:
    assert str(Step("div", "1a", ("md:w-2", "ok"))) == 'div[id="1a"][class~="md:w-2"].ok'


@pytest.mark.parametrize("name", ['a"b', "a\\", '"', '\\"]', "a\nb", "\u202e\x1b", "a.b#c", "\x0b"])
def test_odd_names_and_tags_are_escaped(name: str) -> None:
    steps = (Step("p", id=name), Step("p", classes=("".join(name.split()) or "x",)), Step(f"div{name}"))
    assert [parse_selector(str(step)).steps for step in steps] == [(step,) for step in steps]


@pytest.mark.cpu_timed
def test_many_nested_wildcards_take_polynomial_time() -> None:
    nodes = parse("<div>" * 300 + "x")
    start = process_time()
    assert find(nodes, [parse_selector(" ".join("*" * 40) + " b")]) == [[]]
    assert process_time() - start < 1


@pytest.mark.cpu_timed
def test_positions_among_many_siblings_take_linear_time() -> None:
    nodes = parse("<div>x</div>" * 40_000)
    began = process_time()
    assert find(nodes, [parse_selector("div:nth-of-type(39999)")]) == [[3 + 2 * 39_998]]
    assert process_time() - began < 8
