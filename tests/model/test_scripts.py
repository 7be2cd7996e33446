"""Superscripts and subscripts in plain text."""

import pytest

from bonmun.read.parse import parse
from bonmun.read.segment import segment
from bonmun.read.segment_reference import segment_by_reference

CASES = [
    ("10<sup>6</sup> km<sup>2</sup>", "10⁶ km²"),
    ("H<sub>2</sub>O, x<sup>−1</sup>, x<sup>-1</sup>, Ca<sup>2+</sup>", "H₂O, x⁻¹, x⁻¹, Ca²⁺"),
    ("2<sup>n+1</sup>, x<sup>a+b</sup>, x<sup>a</sup>, 2<sup>k</sup>", "2ⁿ⁺¹, x^(a+b), x^a, 2^k"),
    ("x<sub>i</sub>, x<sub>i,j</sub>, α<sub>k</sub>, log<sub>10</sub>", "xᵢ, x_(i,j), α_k, log₁₀"),
    ("19<sup>th</sup>, 1<sup>er</sup>, 1<sup>a</sup>, n<sup>o</sup>, N<sup>o</sup>", "19th, 1er, 1a, no, No"),
    ("Tide<sup>TM</sup>, Tide<sup>®</sup>, bath<sup>[1]</sup>, bath<sup>*</sup>", "TideTM, Tide®, bath[1], bath*"),
    ("in 1995<sup><a href=#n>2</a></sup>, <a href=#n><sup>3</sup></a>", "in 1995², ³"),
    ("said<sup>1, 2</sup> and<sup>3–5</sup>", "said¹, ² and³–⁵"),
    ("19<sup>99 €</sup>, 19<sup>.99</sup>, 10<sup>1.5</sup>", "19⁹⁹ €, 19.99, 10^(1.5)"),
    ("x<sup>2<sup>3</sup></sup>, x<sub>1</sub><sup>a+b</sup>", "x^(2^3), x₁^(a+b)"),
    ("a<sup> 2 </sup>b, a <sup>2</sup>, a<sup>\xad2</sup>", "a ² b, a ², a²"),
    ("5<sup>in</sup>, Smith<sup>a</sup>, 20<sup>th-century</sup>", "5in, Smitha, 20th-century"),
    ("<sup>2 is a number that has a long story</sup>", "2 is a number that has a long story"),
    ("\xa0y<sup>2k</sup>, \xa0<b>y</b>\xad<sup>2k</sup>", "y^(2k), y^(2k)"),
]


@pytest.mark.parametrize(("html", "text"), CASES)
def test_superscripts_keep_the_meaning_in_both_twins(html: str, text: str) -> None:
    nodes = parse(f"<p>{html}</p>")
    assert [segment(nodes).text, segment_by_reference(nodes).text] == [(text,), (text,)]


def test_code_stays_as_it_is() -> None:
    assert segment(parse("<pre>x<sup>2</sup></pre>")).text == ("x2",)
