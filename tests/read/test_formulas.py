"""Formulas as pages have them: each is told once, as TeX."""

import time

import pytest

from bonmun.read.formula_rows import formula_rows, formula_rows_by_reference
from bonmun.read.formulas import with_formulas
from bonmun.read.parse import parse
from bonmun.read.segment import segment

ENERGY = "E=mc^2"
MATHML = (
    "<math xmlns='http://www.w3.org/1998/Math/MathML'{attributes}><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi>"
    "<msup><mi>c</mi><mn>2</mn></msup></mrow><annotation encoding='application/x-tex'>{tex}</annotation></semantics>"
    "</math>"
)


def mathml(tex: str = ENERGY, attributes: str = "") -> str:
    return MATHML.format(tex=tex, attributes=attributes)


PLAIN = "<math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>"
KATEX = (
    f"<span class='katex'><span class='katex-mathml'>{mathml()}</span>"
    "<span class='katex-html' aria-hidden='true'><span class='base'>E=mc2</span></span></span>"
)
MATHJAX_2 = (
    "<span class='MathJax_Preview' style='color: inherit;'>loading</span>"
    "<span class='MathJax' id='MathJax-Element-1-Frame'><nobr aria-hidden='true'><span class='math'>E=mc2</span></nobr>"
    f"<span class='MJX_Assistive_MathML' role='presentation'>{PLAIN}</span></span>"
    "<script type='math/tex' id='MathJax-Element-1'>E=mc^2</script>"
)
MATHJAX_3 = (
    "<mjx-container class='MathJax' jax='CHTML'><mjx-math class='MJX-TEX' aria-hidden='true'><mjx-mi>E</mjx-mi>"
    f"</mjx-math><mjx-assistive-mml unselectable='on' display='inline'>{PLAIN}</mjx-assistive-mml></mjx-container>"
)
WIKIPEDIA = (
    "<span class='mwe-math-element'><span class='mwe-math-mathml-inline mwe-math-mathml-a11y' style='display: none;'>"
    + mathml("{\\displaystyle E=mc^2}", " alttext='{\\displaystyle E=mc^2}'")
    + "</span><img src='https://wikimedia.org/api/rest_v1/media/math/render/svg/1'"
    " class='mwe-math-fallback-image-inline' aria-hidden='true' alt='{\\displaystyle E=mc^2}'></span>"
)
INLINE = {
    "KaTeX": KATEX,
    "MathJax 2, drawn": MATHJAX_2,
    "MathJax 2, not drawn": "<script type='math/tex'>E=mc^2</script>",
    "MathJax 2 with CDATA": "<script type='math/tex'>% <![CDATA[\nE=mc^2 %]]></script>",
    "MathJax 2 without its script": MATHJAX_2[MATHJAX_2.index("<span class='MathJax'") : MATHJAX_2.index("<script")],
    "MathJax 2, MathML in an attribute": "<span class='MathJax' data-mathml='"
    + PLAIN.replace("<", "&lt;")
    + "'>E=mc2</span>",
    "MathJax 3": MATHJAX_3,
    "MathJax 4": "<mjx-container jax='SVG'><mjx-math data-latex='E=mc^2'><svg></svg></mjx-math></mjx-container>",
    "MathML": PLAIN,
    "MathML with TeX": mathml(),
    "MathML with alttext": PLAIN.replace("<math>", "<math alttext='E=mc^2'>"),
    "MediaWiki": WIKIPEDIA,
    "MediaWiki, image alone": "<img class='mwe-math-fallback-image-inline' src='/1.svg' alt='{\\displaystyle E=mc^2}'>",
    "WordPress": "<img src='https://s0.wp.com/latex.php?latex=E%3Dmc%5E2&amp;bg=fff' alt='E=mc^2' class='latex' />",
    "WordPress without alt": "<img src='https://s0.wp.com/latex.php?latex=E%3Dmc%5E2&amp;bg=fff' class='latex'>",
    "QuickLaTeX": "<img src='/quicklatex.com-1_l3.svg' class='ql-img-inline-formula' alt='&#36;E=mc^2&#36;'>",
    "CodeCogs": "<img src='https://latex.codecogs.com/gif.latex?%5Cinline%20E%3Dmc%5E2'>",
    "data-latex": "<span data-latex='E=mc^2'>E = mc²</span>",
    "data-tex": "<span class='ztext-math' data-tex='E=mc^2'>E = mc²</span>",
    "pandoc": "<span class='math inline'>\\(E=mc^2\\)</span>",
    "pandoc for KaTeX": "<span class='math inline'>E=mc^2</span>",
    "Sphinx": "<span class='math notranslate nohighlight'>\\(E=mc^2\\)</span>",
    "MkDocs": "<span class='arithmatex'>\\(E=mc^2\\)</span>",
    "kramdown": "<span class='kdmath'>$E=mc^2$</span>",
    "GitHub": "<math-renderer class='js-inline-math'>$E=mc^2$</math-renderer>",
}
DISPLAYED = {
    "KaTeX": f"<span class='katex-display'>{KATEX}</span>",
    "MathJax 2, drawn": "<div class='MathJax_Display'><span class='MathJax'>E=mc2</span></div>"
    "<script type='math/tex; mode=display'>E=mc^2</script>",
    "MathJax 3": MATHJAX_3.replace("jax='CHTML'", "jax='CHTML' display='true'"),
    "MathML": PLAIN.replace("<math>", "<math display='block'>"),
    "MediaWiki": WIKIPEDIA.replace("<math ", "<math display='block' "),
    "pandoc": "<span class='math display'>\\[E=mc^2\\]</span>",
    "Sphinx": "<div class='math notranslate nohighlight'>\\[E=mc^2\\]</div>",
    "an equation": "<div class='math'>\\begin{equation}E=mc^2\\label{eq:1}\\end{equation}</div>",
    "GitHub": "<math-renderer class='js-display-math'>$$E=mc^2$$</math-renderer>",
}


def texts(markup: str) -> tuple[str, ...]:
    nodes = parse(markup)
    return segment(with_formulas(nodes) or nodes).text


@pytest.mark.parametrize("markup", INLINE.values(), ids=INLINE)
def test_a_formula_is_read_once_and_as_tex(markup: str) -> None:
    nodes = with_formulas(parse(f"<p>Einstein wrote {markup} in 1905.</p>"))
    assert nodes is not None
    assert segment(nodes).text == (f"Einstein wrote {ENERGY.replace(' ', '')} in 1905.",) or segment(nodes).text == (
        "Einstein wrote E = mc^2 in 1905.",  # as the converter writes it
    )
    assert [formula.display for formula in nodes.formulas] == [False]


@pytest.mark.parametrize("markup", DISPLAYED.values(), ids=DISPLAYED)
def test_a_formula_on_a_line_of_its_own_is_displayed(markup: str) -> None:
    nodes = with_formulas(parse(f"<div><p>Einstein wrote</p>{markup}</div>"))
    assert nodes is not None
    assert [text.replace(" ", "") for text in segment(nodes).text] == ["Einsteinwrote", ENERGY]
    assert [formula.display for formula in nodes.formulas] == [True]


@pytest.mark.parametrize("markup", [KATEX, MATHJAX_2, MATHJAX_3, WIKIPEDIA, PLAIN], ids=["1", "2", "3", "4", "5"])
def test_the_mathml_of_a_formula_is_known(markup: str) -> None:
    nodes = with_formulas(parse(f"<p>{markup}"))
    assert nodes is not None
    assert [nodes.name(formula.mathml) for formula in nodes.formulas] == ["math"]


@pytest.mark.parametrize(
    "markup",
    [
        "<p class='text-center'>Latex mattresses and mathematics</p>",
        "<img src='/latex-mattress.jpg' alt='A latex mattress'>",
        "<p class='math'>A chapter on mathematics</p>",
        "<pre><code class='tex'>\\[x\\]</code></pre>",
        "<pre class='latex'>\\[x\\]</pre>",
        "<math></math>",
        "<span class='katex'></span>",
        "<script type='math/tex'>  </script>",
        "<script type='math/mml'><math></math></script>",
        "<img class='latex' alt='' src='/formula.png'>",
        "<span class='MathJax_Preview'>[math]</span>",
    ],
)
def test_other_elements_are_no_formulas(markup: str) -> None:
    assert with_formulas(parse(markup)) is None


def test_several_formulas_of_a_paragraph_keep_their_order() -> None:
    assert texts(f"<p>{KATEX}, {MATHJAX_2} and {MATHJAX_2}.</p>") == (f"{ENERGY}, {ENERGY} and {ENERGY}.",)


def test_hidden_formulas_stay_hidden() -> None:
    assert texts(f"<p>Seen.</p><noscript>{KATEX}</noscript>") == ("Seen.",)
    nodes = with_formulas(parse(f"<p>Seen.</p><p hidden>{KATEX}</p>"))
    assert nodes is not None
    assert [bool(flags) for flags in segment(nodes).flags] == [False, True]


def test_the_source_span_of_a_formula_covers_it() -> None:
    html = f"<p>{KATEX}"
    nodes = with_formulas(parse(html))
    assert nodes is not None
    if nodes.source_start is not None and nodes.source_stop is not None:
        row = nodes.formulas[0].row
        assert "annotation" in html[nodes.source_start[row] : nodes.source_stop[row]]


def test_conversion_is_bounded_per_page() -> None:
    many = "<p>x<math>" + "<mi>x</mi>" * 30_000 + "</math>"
    nodes = with_formulas(parse(many * 8 + f"<p>{mathml()}"))
    assert nodes is not None
    assert nodes.text(nodes.formulas[-1].row) == ENERGY
    assert len(nodes.formulas) < 8


@pytest.mark.parametrize(
    "wrapper",
    ["<div class='katex'>", "<div class='MathJax'>", "<mjx-container>", "<div data-tex='x'>", "<div class=mjx-page>"],
)
def test_an_article_around_a_formula_is_no_formula(wrapper: str) -> None:
    text = "The harbour opened again on Saturday, eleven years after the last ferry had left its quay for good. " * 3
    assert texts(f"{wrapper}<p>{text}</p><p>{mathml()}</p>") == (text.strip(), ENERGY)
    assert texts(f"{wrapper}<p>{text}</p></div><script type='math/tex'>x</script>")[0] == text.strip()


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    "markup",
    [
        ("<math>" * 400 + "</math>" * 400) * 40,
        ("<math>" * 400 + "<math id=a>" + "</math>" * 401) * 40,
        "<span class='katex'>" * 400 + "<b>x</b>" * 40_000,
        "<span class='katex'>" * 400 + "<math>" + "<none></none>" * 40_000,
        "<span class='MathJax'>" * 400,
        "<span class='MathJax'></span>" * 20_000,
        "<script type='math/tex'>x</script>" * 20_000,
        "<img class='latex' alt='x'>" * 20_000,
        "<span class='math'>" * 400 + "a<!-- -->" * 40_000,
        "<span class='MathJax' data-mathml='&lt;math>" + "&lt;mi>x&lt;/mi>" * 10_000 + "'></span>",
    ],
)
def test_hostile_pages_take_linear_time(markup: str) -> None:
    nodes = parse(markup)
    began = time.process_time()
    with_formulas(nodes)
    assert time.process_time() - began < 10


@pytest.mark.parametrize(
    "markup", [*INLINE.values(), *DISPLAYED.values(), "<p class='text math'>", "<p class=mathx>", "<i class=tex>"]
)
def test_the_compiled_twin_finds_the_same_rows(markup: str) -> None:
    nodes = parse(markup)
    assert list(formula_rows(nodes)) == formula_rows_by_reference(nodes)
