from random import Random

import pytest
from lxml import etree

from bonmun.evaluate.processing_time import dependences, drawing
from bonmun.evaluate.speed import Point


def pages(count: int = 400) -> list[Point]:
    """Pages whose time depends on HTML and text alone; the main text grows with the text."""
    random = Random(5)
    made = []
    for _ in range(count):
        html, text = random.randrange(10_000, 900_000), random.randrange(1_000, 60_000)
        main = int(text * random.uniform(0.1, 0.9))
        made.append(Point(html, text, main, 2 + html / 100_000 + text / 10_000 + random.gauss(0, 0.2)))
    return made


def test_what_the_main_text_only_shares_with_the_text_is_no_dependence() -> None:
    html, text, main = dependences(pages())
    assert html.trend.slope == pytest.approx(1 / 100_000, rel=0.1)
    assert html.partial > 0.95
    assert text.partial > 0.9
    assert main.correlation > 0.3
    assert abs(main.partial) < 0.15


def test_pages_of_one_size_have_no_trend() -> None:
    html, _, _ = dependences([Point(10, 10, 10, 1.0)] * 5)
    assert (html.trend.slope, html.correlation) == (0.0, 0.0)


def test_the_drawing_is_an_svg_file_with_a_dot_per_page_and_plot() -> None:
    root = etree.fromstring(drawing(pages(50)))
    names = [etree.QName(element).localname for element in root.iter()]
    assert (names.count("svg"), names.count("circle"), names.count("polyline")) == (4, 150, 3)
