"""The method visual: a region instead of single nodes, reasons, preferences, and what it needs to run."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import pytest

import bonmun
from bonmun import registry
from bonmun.deadline import within
from bonmun.methods.visual import Visual
from bonmun.methods.visual.reasons import PHRASES
from bonmun.methods.visual.rows import TABNET_1, TABNET_2
from bonmun.methods.visual.tabnet import shipped
from bonmun.model.page import Page
from bonmun.rendering.chromium import chromium
from bonmun.rendering.renderer import Renderer
from tests.methods.drawing import drawn

TINY = Path(__file__).parent / "tabnet_case" / "tiny.safetensors"
TEA = "Tea is made of leaves, and of water that has just boiled. Let it draw for three minutes, then pour it. "
LINKS = "".join(f'<li data-box="20 {at} 220 {at + 30}"><a href=/{at}>Cup {at}</a></li>' for at in range(120, 720, 30))
MENU = f'<div data-box="20 100 220 720"><ul>{LINKS}</ul></div>'
PARAGRAPHS = "".join(f'<p data-box="260 {at} 900 {at + 140}">{at}. {TEA * 3}</p>' for at in range(200, 1800, 160))
HIDDEN = '<p data-box="">Sign up for our letter about tea, and never miss a leaf.</p>'
ARTICLE = f'<div data-box="260 100 900 1800"><h1 data-box="260 100 900 180">Tea</h1>{PARAGRAPHS}{HIDDEN}</div>'
FOOTER = '<div data-box="0 1900 1000 2000"><p data-box="20 1920 980 1940">© 2026 House of Tea</p></div>'
PAGE = MENU + ARTICLE + FOOTER


@pytest.fixture(scope="module")
def visual() -> Visual:
    return Visual()


def texts(page: Page, verdicts: bonmun.Verdicts) -> list[str]:
    return [text for text, kept in zip(page.blocks.text, verdicts.keep, strict=True) if kept]


def test_the_article_is_one_region_and_the_menu_is_not_in_it(visual: Visual) -> None:
    page = drawn(PAGE)
    verdicts = visual.judge(page)
    kept = texts(page, verdicts)
    assert [text for text in kept if text[0].isdigit()] == [text for text in page.blocks.text if text[0].isdigit()]
    assert not any(text.startswith("Cup") for text in kept)
    assert 0 < verdicts.confidence <= 1
    assert len(verdicts.analysis.to_dict()["chosen"]) <= 2


def test_text_without_a_box_is_dropped(visual: Visual) -> None:
    page = drawn(PAGE)
    verdicts = visual.judge(page)
    index = next(index for index, text in enumerate(page.blocks.text) if text.startswith("Sign up"))
    assert not verdicts.keep[index]
    assert [reason.name for reason in verdicts.reasons[index]] == ["not-visible"]


def test_every_block_has_reasons_with_its_probability_and_the_columns_that_counted(visual: Visual) -> None:
    page = drawn(PAGE)
    verdicts = visual.judge(page)
    assert len(verdicts.reasons) == len(page.blocks)
    for kept, score, reasons in zip(verdicts.keep, verdicts.score, verdicts.reasons, strict=True):
        names = [reason.name for reason in reasons]
        if names == ["not-visible"]:
            continue
        assert names[0] == ("in-region" if kept else "outside-region")
        assert f"probability {score:.2f}" in [reason.detail for reason in reasons]
        details = [reason.detail for reason in reasons[1:]]
        assert len(details) >= (2 if kept else 1)
        assert ("mostly links" in details) <= (not kept)
        assert ("near the centre of the document" in details) <= kept


def test_the_analysis_is_plain_data(visual: Visual) -> None:
    analysis = visual.judge(drawn(PAGE)).analysis
    assert analysis is not None
    found = json.loads(json.dumps(analysis.to_dict()))
    assert set(found) == {"model", "threshold", "expected_f", "chosen", "elements"}
    heading = next(element for element in found["elements"] if element["xpath"].endswith("/h1[1]"))
    assert heading["box"] == [260, 100, 900, 180]
    assert heading["visible"] is True
    assert 0 <= heading["probability"] <= 1
    assert {element["xpath"] for element in found["elements"]} >= set(found["chosen"])


def test_verdicts_and_models_can_be_pickled(visual: Visual) -> None:
    verdicts = visual.judge(drawn(PAGE))
    loaded = pickle.loads(pickle.dumps(verdicts))  # noqa: S301
    assert loaded == verdicts
    assert pickle.loads(pickle.dumps(visual)).judge(drawn(PAGE)) == verdicts  # noqa: S301


def test_recall_keeps_at_least_as_much_as_precision(visual: Visual) -> None:
    page = drawn(PAGE)
    precision, recall = (sum(visual.preferring(beta).judge(page).keep) for beta in (0.3, 3.0))
    assert precision <= recall
    document = bonmun.extract(page, method="visual", prefer="recall")
    assert document.method == "visual"


def test_every_phrase_has_korean_words() -> None:
    script = Path(bonmun.__file__).parent / "serve/page/static/extract/phrases_ko.js"
    translated = script.read_text(encoding="utf-8")
    missing = [phrase for pair in PHRASES.values() for phrase in pair if f'"{phrase}": "' not in translated]
    assert not missing
    of_the_page = {"viewport_width", "viewport_height", "document_width", "document_height"}
    assert set(PHRASES) | {"tag", "visible"} | of_the_page == set(TABNET_2)


@pytest.mark.parametrize("html", ["", "<button>Buy</button>", "<script>tea()</script>"])
def test_a_page_without_text_has_a_note(visual: Visual, html: str) -> None:
    verdicts = visual.judge(drawn(html))
    assert not any(verdicts.keep)
    assert [reason.name for reason in verdicts.notes] == ["no-text"]


def test_a_page_that_was_not_rendered_is_refused(visual: Visual) -> None:
    with pytest.raises(bonmun.NotRendered, match=r"bonmun\.render"):
        visual.judge(bonmun.read_page(PAGE))


def test_a_model_of_your_own_is_loaded_by_its_path() -> None:
    method = Visual.load(TINY)
    assert method.model.shape.name == "tiny"
    assert len(method.judge(drawn(PAGE)).keep) == len(drawn(PAGE).blocks)
    with pytest.raises(bonmun.BadModel):
        Visual.load(__file__)


def test_the_shipped_models_are_those_of_the_paper() -> None:
    assert shipped("visual-1").columns == TABNET_1
    assert shipped().columns == shipped("visual-2").columns == TABNET_2


HOSTILE: dict[str, Callable[[int], str]] = {
    "siblings": lambda count: "<div>tea</div>" * count,
    "items at depth": lambda count: "<div>" * 300 + "<li><a href=/>a</a> tea</li>" * count,
    "one paragraph": lambda count: "<p>" + "<i>x</i>y" * count,
}


@pytest.mark.cpu_timed
@pytest.mark.parametrize("name", ["visual", "visual-centre"])
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_page_is_judged_in_linear_time(name: str, hostile: str) -> None:
    method = registry.method(name)
    seconds = []
    for count in (1_000, 8_000):
        page = drawn(HOSTILE[hostile](count))
        started = process_time()
        method.judge(page)
        seconds.append(process_time() - started)
    assert seconds[1] <= 3 * 8 * max(seconds[0], 0.03)


@pytest.mark.parametrize("name", ["visual", "visual-centre"])
def test_the_time_limit_holds_while_judging(name: str) -> None:
    method, page = registry.method(name), drawn(PAGE)
    method.judge(page)
    with pytest.raises(bonmun.LimitExceeded), within(0.0):
        method.judge(page)


def test_other_methods_do_not_load_numpy() -> None:
    script = (
        "import sys, bonmun\n"
        "for name in ('auto', 'density', 'xpath-robust'): bonmun.extract('<p>Tea is made of leaves.', method=name)\n"
        "bonmun.registry.method('visual-centre')\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_without_numpy_the_extra_is_named() -> None:
    script = (
        "import sys; sys.modules['numpy'] = None\n"
        "import bonmun, bonmun.registry\n"
        "try: bonmun.registry.method('visual')\n"
        "except bonmun.MissingExtra as error: print(error)\n"
    )
    output = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert output.strip().endswith("pip install 'bonmun[visual]'")


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    pytest.importorskip("playwright")
    if chromium() is None:
        pytest.skip("no Chromium")
    with Renderer() as started:
        yield started


STYLED = f"""<!doctype html><style>
    body {{ margin: 0 }} nav {{ float: left; width: 200px }} article {{ margin-left: 240px; width: 700px }}
    .letter {{ display: none }} footer {{ clear: both; font-size: small }}
</style><nav><ul>{"<li><a href=/>Cups and pots</a></li>" * 20}</ul></nav>
<article><h1>Tea</h1>{"".join(f"<p>{number}. {TEA * 4}</p>" for number in range(12))}
<div class="letter">Sign up for our letter about tea, and never miss a leaf.</div></article>
<footer>© 2026 House of Tea</footer>"""


@pytest.mark.parametrize("name", ["visual", "visual-centre"])
def test_a_page_drawn_by_a_browser(renderer: Renderer, name: str) -> None:
    document = bonmun.extract(renderer.render(STYLED), method=name)
    assert document.text.count("Let it draw for three minutes") == 48
    assert "Cups and pots" not in document.text
    assert "Sign up" not in document.text
    assert document.method == name
