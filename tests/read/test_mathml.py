r"""MathML to LaTeX."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.read.mathml import latex_of_mathml
from bonmun.read.parse import parse

A, B, X, N = "<mi>a</mi>", "<mi>b</mi>", "<mi>x</mi>", "<mi>n</mi>"
HALF = "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
TWO_ROWS = (
    f"<mtable><mtr><mtd>{A}</mtd><mtd>{B}</mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>"
)
ROWS = r"a & b \\ 0 & 1"


def latex(markup: str) -> str:
    nodes = parse(f"<p><math>{markup}</math>")
    return latex_of_mathml(nodes, nodes.rows_of("math")[0])


EXPRESSIONS = [
    # Tokens
    (X, "x"),
    ("<mn>1,000.5</mn>", "1{,}000.5"),
    ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", r"\sin x"),
    ("<mi>Var</mi>", r"\operatorname{Var}"),
    ("<mi mathvariant=normal>d</mi><mi>x</mi>", r"\mathrm{d}x"),
    ("<mi>α</mi><mi>x</mi>", r"\alpha x"),
    ("<mi mathvariant=double-struck>R</mi><mi>ℂ</mi>", r"\mathbb{R}\mathbb{C}"),
    ("<mi mathvariant=script>L</mi><mi mathvariant=fraktur>g</mi>", r"\mathcal{L}\mathfrak{g}"),
    ("<mi mathvariant=bold>v</mi><mi mathvariant=bold>β</mi>", r"\mathbf{v}\boldsymbol{\beta}"),
    ("<mi mathvariant=sans-serif>A</mi><mi mathvariant=monospace>B</mi>", r"\mathsf{A}\mathtt{B}"),
    ("<mi>𝑥</mi><mi>𝐯</mi><mi>𝛼</mi>", r"x\mathbf{v}\alpha"),
    ("<mi>中</mi><mtext>где </mtext>", r"\text{中}\text{где }"),
    ("<mtext>50% of $x_1 {a}</mtext>", r"\text{50\% of \$x\_1 \{a\}}"),
    ("<ms>a</ms>", r'\text{"a"}'),
    (f"{A}<mo>≤</mo>{B}<mo>≠</mo>{X}", r"a \leq b \neq x"),
    (f"<mo>−</mo>{A}<mo>+</mo>{B}", "-a + b"),
    (f"{A}<mo>=</mo><mo>-</mo>{B}", "a = -b"),
    (f"<mo>{{</mo>{X}<mo>}}</mo>", r"\{x\}"),
    (f"{A}<mo>&InvisibleTimes;</mo>{B}", "ab"),
    ("<mn>90</mn><mo>°</mo>", r"90{}^\circ"),
    # Fractions and roots
    (HALF, r"\frac{1}{2}"),
    (f"<mfrac bevelled=true>{A}{B}</mfrac>", "a/b"),
    (f"<mrow><mo>(</mo><mfrac linethickness=0>{N}{A}</mfrac><mo>)</mo></mrow>", r"\binom{n}{a}"),
    (f"<mfrac linethickness=0px>{A}{B}</mfrac>", r"\genfrac{}{}{0pt}{}{a}{b}"),
    (f"<msqrt>{A}<mo>+</mo>{B}</msqrt>", r"\sqrt{a+b}"),
    (f"<mroot>{X}<mn>3</mn></mroot>", r"\sqrt[3]{x}"),
    # Scripts
    (f"<msup>{X}<mn>2</mn></msup>", "x^2"),
    (f"<msup>{X}<mn>12</mn></msup>", "x^{12}"),
    (f"<msub>{X}<mrow>{A}<mo>,</mo>{B}</mrow></msub>", "x_{a,b}"),
    (f"<msubsup>{X}{A}{B}</msubsup>", "x_a^b"),
    (f"<msup><mrow>{A}<mo>+</mo>{B}</mrow><mn>2</mn></msup>", "{a+b}^2"),
    (f"<msup><mrow><mo>(</mo>{A}<mo>+</mo>{B}<mo>)</mo></mrow><mn>2</mn></msup>", "(a + b)^2"),
    (f"<msup><msup>{X}<mn>2</mn></msup><mn>3</mn></msup>", "{x^2}^3"),
    (f"<msup><mi>f</mi><mo>′</mo></msup><mo>(</mo>{X}<mo>)</mo>", "f'(x)"),
    (f"<msubsup><mi>f</mi>{N}<mo>″</mo></msubsup>", "f_n''"),
    ("<msup><mn>45</mn><mo>∘</mo></msup>", r"45^\circ"),
    (f"<msup>{X}<mi>sin</mi></msup>", r"x^{\sin}"),
    ("<msup><mi></mi><mn>2</mn></msup>", "{}^2"),
    ("<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>", "{}_6^{14}C"),
    (f"<mmultiscripts><mi>T</mi>{A}<none/><none/>{B}</mmultiscripts>", "T_a{}^b"),
    # Limits and accents
    (f"<munderover><mo>∑</mo><mrow>{N}<mo>=</mo><mn>1</mn></mrow><mi>∞</mi></munderover>{N}", r"\sum_{n=1}^\infty n"),
    (f"<munderover><mo>∫</mo>{A}{B}</munderover>{X}", r"\int\limits_a^b x"),
    (f"<msubsup><mo>∫</mo><mn>0</mn>{A}</msubsup>{X}", r"\int_0^a x"),
    (f"<munder><mi>lim</mi><mrow>{X}<mo>→</mo><mn>0</mn></mrow></munder>", r"\lim_{x\to0}"),
    (f"<munder><mi>argmax</mi>{X}</munder>", r"\operatorname*{argmax}_x"),
    (f"<mover>{X}<mo>^</mo></mover><mover>{X}<mo>¯</mo></mover>", r"\hat{x}\bar{x}"),
    (f"<mover>{X}<mo>~</mo></mover><mover>{X}<mo>˙</mo></mover>", r"\tilde{x}\dot{x}"),
    ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
    (f"<mover><mrow>{A}{B}</mrow><mo>¯</mo></mover>", r"\overline{ab}"),
    (f"<munder><mrow>{A}{B}</mrow><mo>_</mo></munder>", r"\underline{ab}"),
    (f"<mover><mover><mrow>{A}{B}</mrow><mo>⏞</mo></mover>{N}</mover>", r"\overbrace{ab}^n"),
    ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
    (f"<munderover><mo>→</mo>{A}{B}</munderover>", r"\xrightarrow[{a}]{b}"),
    # Brackets and tables
    (f"<mo>(</mo>{HALF}<mo>)</mo>", r"\left(\frac{1}{2}\right)"),
    (f"<mo stretchy=false>(</mo>{HALF}<mo stretchy=false>)</mo>", r"(\frac{1}{2})"),
    (f"<mo>|</mo>{X}<mo>|</mo>", "|x|"),
    (f"<mfenced>{A}{B}</mfenced>", "(a, b)"),
    (f"<mfenced open='[' close=')' separators=';'>{A}{B}</mfenced>", "[a;b)"),
    (TWO_ROWS, rf"\begin{{matrix}} {ROWS} \end{{matrix}}"),
    (f"<mrow><mo>(</mo>{TWO_ROWS}<mo>)</mo></mrow>", rf"\begin{{pmatrix}} {ROWS} \end{{pmatrix}}"),
    (f"<mi>A</mi><mo>=</mo><mo>[</mo>{TWO_ROWS}<mo>]</mo>", rf"A = \begin{{bmatrix}} {ROWS} \end{{bmatrix}}"),
    (f"<mfenced open='|' close='|'>{TWO_ROWS}</mfenced>", rf"\begin{{vmatrix}} {ROWS} \end{{vmatrix}}"),
    (f"{X}<mo>=</mo><mrow><mo>{{</mo>{TWO_ROWS}</mrow>", rf"x = \begin{{cases}} {ROWS} \end{{cases}}"),
    (
        f"<mtable columnalign='right left'><mtr><mtd>{A}</mtd><mtd><mo>=</mo>{B}</mtd></mtr></mtable>",
        r"\begin{aligned} a & = b \end{aligned}",
    ),
    (
        f"<mtable columnlines=solid><mtr><mtd>{A}</mtd><mtd>{B}</mtd></mtr></mtable>",
        r"\begin{array}{c|c} a & b \end{array}",
    ),
    # Others
    (f"{A}<mspace width=1em />{B}<mspace width=thinmathspace />{X}", r"a\quad b\,x"),
    (f"<mphantom>{X}</mphantom><menclose notation=box>{X}</menclose>", r"\phantom{x}\boxed{x}"),
    (f"<mstyle mathvariant=bold>{X}</mstyle><mpadded>{A}</mpadded>", r"\mathbf{x}a"),
    (f"<semantics><mrow>{X}</mrow><annotation>ignored</annotation></semantics>", "x"),
    ("<apply><plus/><ci>a</ci><cn>2</cn></apply>", r"\operatorname{plus}(a, 2)"),
    ("", ""),
]


@pytest.mark.parametrize(("markup", "expected"), EXPRESSIONS)
def test_mathml_is_written_as_latex(markup: str, expected: str) -> None:
    assert latex(markup) == expected


def balanced(tex: str) -> bool:
    depth = 0
    for brace in re.findall(r"\\.|[{}]", tex, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            return False
    return depth == 0 and tex.count("\\left") - tex.count("\\leftarrow") >= 0


NAMES = (
    *"mrow mi mo mn mtext ms mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd".split(),
    *"mlabeledtr mfenced mspace mphantom mpadded mstyle menclose mmultiscripts mprescripts none semantics".split(),
    *"annotation maction apply x".split(),
)
TEXTS = st.sampled_from([*"x{}\\%$_^~|()[]∑→′⏞√#&𝔸", "lim", "sin", "12,5", " ", "\\text{", "{{{", "}}"])
ATTRIBUTES = st.sampled_from(
    ["", " mathvariant=bold", " linethickness=0", " open='{' close=''", " columnlines=solid", " bevelled=true"]
)
TREES = st.recursive(
    TEXTS,
    lambda inside: st.builds(
        lambda name, attributes, children: f"<{name}{attributes}>{''.join(children)}</{name}>",
        st.sampled_from(NAMES),
        ATTRIBUTES,
        st.lists(inside, max_size=4),
    ),
    max_leaves=30,
)


@given(TREES)
def test_braces_are_balanced(markup: str) -> None:
    tex = latex(markup.replace("&", "&amp;"))
    assert balanced(tex), tex
    assert tex.count("\\begin{") == tex.count("\\end{")
    assert len(re.findall(r"\\left(?![a-z])", tex)) == len(re.findall(r"\\right(?![a-z])", tex))


@pytest.mark.parametrize(
    "name", ["mrow", "msqrt", "mfrac", "msup", "munderover", "mstyle", "mfenced", "mtable", "mmultiscripts"]
)
def test_deep_nesting_is_converted(name: str) -> None:
    tex = latex(f"<{name}>" * 400 + "<mi>x</mi>" + f"</{name}>" * 400)
    assert balanced(tex)
    assert "x" in tex


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    "markup",
    [
        "<mi>x</mi>" * 100_000,
        "<mrow><mo>(</mo>" * 400 + "<mo>(</mo>" * 50_000,
        "<msup><mi>x</mi>" * 400 + "<mi>x</mi><mo>)</mo>" * 50_000,
        "<mrow>" * 400 + ("<mo>(</mo><mfrac></mfrac><mo>)</mo>") * 20_000,
        "<mtable><mtr>" + "<mtd><mi>x</mi></mtd>" * 40_000,
        "<mmultiscripts><mi>x</mi>" + "<mi>y</mi>" * 60_000,
    ],
    ids=["wide", "brackets", "scripts", "fences", "cells", "multiscripts"],
)
def test_time_is_linear_in_the_number_of_elements(markup: str) -> None:
    nodes = parse(f"<math>{markup}</math>")
    row = nodes.rows_of("math")[0]
    began = time.process_time()
    assert balanced(latex_of_mathml(nodes, row))
    assert time.process_time() - began < 20
