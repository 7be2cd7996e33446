"""The reproduction report of the visual-features paper: a small corpus, saved layouts, models with random weights."""

import json
import re
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from bonmun.cli.bench import bench as command
from bonmun.errors import SourceError
from bonmun.evaluate.benchmark import VISUAL, Bench, Roster, run_table
from bonmun.evaluate.corpora import Case, open_corpus
from bonmun.evaluate.deciles import decile
from bonmun.evaluate.layouts import SavedLayout, save_layouts
from bonmun.evaluate.metrics.blocks import VISIBLE_NODES
from bonmun.evaluate.metrics.characters import COLLAPSED_LCS
from bonmun.evaluate.store import Store
from bonmun.evaluate.tables import TABLES
from bonmun.evaluate.truth import Truth
from bonmun.evaluate.visual import paper
from bonmun.evaluate.visual.drawn import DrawnPages, drawn_pages
from bonmun.evaluate.visual.entrants import CONTROL, REGION, TABNET_1, TABNET_2, entrants
from bonmun.evaluate.visual.scores import Line, Part, ScoredPage
from bonmun.evaluate.visual.tables import region
from bonmun.methods.visual.rows import COLUMNS
from bonmun.methods.visual.rows import TABNET_1 as FIRST_COLUMNS
from bonmun.model.tags import TEXT
from bonmun.read.page import read_page
from bonmun.rendering.tying import DrawnElements
from tests.browser import require_chromium
from tests.evaluate.records import SENTENCE
from tests.evaluate.tabnet_files import write_model

MENU = "<ul><li>Home</li><li>News of today</li></ul>"
KEYS = {"lcs": (0.5, 0.5, 0.5, 0.5, 1.0)}


@contextmanager
def quiet(title, total):
    yield lambda count: None


def layout_of(html, hidden=()):
    """The elements of a page below each other; `hidden` names those without a box."""
    nodes = read_page(html).nodes
    names = [nodes.name(row) for row, tag in enumerate(nodes.tag) if tag != TEXT]
    boxes = [number
             for at, name in enumerate(names)
             for number in ((0, 0, 0, 0, 0) if name in hidden else (100, 40 * at, 900, 40 * at + 40, 1))]  # fmt: skip
    return DrawnElements(names, boxes, (1366, 768), (1366, 40 * len(names)))


def page_of(number):
    style = "<style>" + "p{}" * 11_000 + "</style>" if number % 4 == 0 else ""
    return f"{style}<body>{MENU}<div><p>{SENTENCE} Part {number}.</p><p>{SENTENCE}</p></div></body>"


def write_corpus(folder, name, languages, count):
    records = [
        {"id": f"{name}{number}", "html": page_of(number), "gold_text": f"{SENTENCE} Part {number}. {SENTENCE}",
         "domain": f"site{number}.org", "lang": languages[number % len(languages)]}
        for number in range(count)
    ]  # fmt: skip
    records[-1]["gold_text"] = None
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    layouts = [SavedLayout(one["id"], layout_of(one["html"]), 100.0) for one in records if one["id"] != f"{name}1"]
    save_layouts(folder / "layouts" / f"{name}.jsonl.zst", layouts)
    return open_corpus(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("visual")
    (made / "layouts").mkdir()
    (made / "models").mkdir()
    for seed in range(2):
        for name, columns in (("visual-1", FIRST_COLUMNS), ("visual-2", COLUMNS), ("control", COLUMNS)):
            write_model(made / "models" / f"{name}-seed{seed}.safetensors", columns, seed)
    return made


@pytest.fixture(scope="module")
def corpora(folder):
    return [write_corpus(folder, "wcxb_dev", ["en"], 30), write_corpus(folder, "cjk_dev", ["ko", "zh", "ja"], 9),
            write_corpus(folder, "visual_dev", ["en"], 4)]  # fmt: skip


@pytest.fixture(scope="module")
def settings(folder, corpora):
    models = {"layouts": folder / "layouts", "visual_models": folder / "models"}
    return Bench(corpora, Roster(()), [], folder / "out", **models)


@pytest.fixture(scope="module")
def tables(settings):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(TABLES, VISUAL, TABLES["visual-2"].__class__("", ("resiliparse",)))
        return {table.title: table for table in run_table(settings, VISUAL, quiet)}


def table_of(tables, start):
    return next(table for title, table in tables.items() if title.startswith(start))


def test_every_model_of_the_folder_is_tested_on_pages_that_it_never_saw(folder):
    models = [one for one in entrants(folder / "models") if one.seed is not None]
    assert [(one.family, one.seed) for one in models] == [
        (f"{family}{way}", seed)
        for way in ("", REGION)
        for family in (TABNET_1, CONTROL, TABNET_2)
        for seed in range(2)
    ]
    sites = [f"site{number}.org" for number in range(30)]
    for model in models:
        assert [site for site in sites if model.counts("wcxb_dev", site)] == [
            site for site in sites if decile(site) == model.seed
        ]
        assert all(model.counts("cjk_dev", site) for site in sites)


def test_the_tables_have_a_row_for_every_system_beside_the_papers(tables):
    summary = table_of(tables, "LCS F1 by region")
    systems = [row[0] for row in summary.rows]
    assert systems == [TABNET_1, CONTROL, TABNET_2, f"{TABNET_1}{REGION}", f"{CONTROL}{REGION}",
                       f"{TABNET_2}{REGION}", "visual-centre", "whole page", "resiliparse", "auto",
                       "Readability.js", "DOM Distiller", "BoilerNet", "Web2Text"]  # fmt: skip
    cells = dict(zip(systems, summary.rows, strict=True))
    assert cells[TABNET_1][-1] == ".183"
    assert re.fullmatch(r"[.\d]+ ± \.\d+", cells[TABNET_2][summary.columns.index("Korean (3)")])
    assert cells["DOM Distiller"][summary.columns.index("Korean (3)")] == ".753"
    assert all(len(row) == len(table.columns) for table in tables.values() for row in table.rows)


def test_pages_without_gold_and_pages_of_trained_sites_are_not_counted(tables, corpora):
    pages = {row[0]: row for row in table_of(tables, "Test pages").rows}
    held = [case for case in corpora[0].cases() if case.golds and decile(case.domain) < 2]
    assert int(pages["wcxb_dev"][1]) == len(held) > 0
    assert pages["cjk_dev"][1] == "8"
    assert pages["visual_dev"][3:] == ("3", "0", "0", "1"), "complete saves render with their CSS; one was not drawn"
    assert pages["cjk_dev"][3:] == ("2", "0", "6", "1")


def test_what_the_distances_add_is_compared_page_by_page(tables):
    table = table_of(tables, "What D0 and D1 add, element by element: LCS F1")
    korean = next(row for row in table.rows if row[0] == "Korean")
    assert re.fullmatch(r"[+-]\.\d+ \[[+-]\.\d+, [+-]\.\d+\]", korean[5])
    assert re.fullmatch(r"[0-2] of 2", korean[6])
    assert korean[-1] == ".769 → .723"
    assert "Chinese" in {row[0] for row in table.rows}


def test_importances_of_every_model_sum_to_one(tables, settings):
    data = json.loads((settings.output / "visual.json").read_text())
    assert set(data["importances"]) == {TABNET_1, CONTROL, TABNET_2}
    for family, count in ((TABNET_1, 16), (TABNET_2, 18)):
        shares = data["importances"][family]
        assert len(shares) == count
        assert sum(mean for mean, _ in shares.values()) == pytest.approx(1, abs=0.01)
    assert table_of(tables, "Feature importances").rows[-1][:2] == ("d1", "–")


def test_the_files_hold_the_tables_and_the_plots(tables, settings):
    markdown = (settings.output / "visual.md").read_text()
    html = (settings.output / "visual.html").read_text()
    assert all(f"**{title}**" in markdown for title in tables)
    assert "<script" not in html
    assert html.count("<svg") == 4
    for name in ("visual-lcs", "visual-block", "visual-importances-1", "visual-importances-2"):
        drawing = (settings.output / f"{name}.svg").read_text()
        assert drawing.startswith("<svg")
        assert "prefers-color-scheme: dark" in drawing


def test_a_second_run_judges_no_page_again(settings, tables, monkeypatch):
    monkeypatch.setitem(TABLES, VISUAL, TABLES["visual-2"].__class__("", ("resiliparse",)))
    monkeypatch.setattr("bonmun.evaluate.visual.judging.extract", lambda *_, **__: pytest.fail("judged again"))
    again = run_table(settings, VISUAL, quiet)
    assert [table.rows for table in again] == [table.rows for table in tables.values()]


def test_a_page_that_was_not_drawn_is_an_error_of_the_methods_that_look(settings, tables):
    with Store(settings.output / "bench.sqlite") as store:
        rows = store._db.execute("SELECT DISTINCT note FROM answers WHERE page = 'cjk_dev1' AND status = 'error'")
        assert rows.fetchall() == [("RenderError: the page was not drawn",)]


def test_the_spread_is_that_of_the_seeds_and_the_mean_that_of_the_pages():
    pages = [ScoredPage("cjk_dev", str(number), f"site{number}", "ko", 0) for number in range(2)]
    seeds = [{page.key: (value,) * 4 + (1.0,) for page in pages} for value in (0.2, 0.4, 0.6)]
    part = Part(pages, [line := Line("TabNet_2", True, {"lcs": seeds, "block": seeds})])
    assert part.estimate(line, "lcs", "f1").value == pytest.approx(0.4)
    assert part.spread(line, "lcs", "f1") == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("corpus", "lang", "name"),
    [("wcxb_dev", "en", "English"), ("cjk_dev", "ko", "Korean"), ("boards_dev", "ja", "Japanese"),
     ("visual_dev", "de", "visual_dev"), ("news_dev", "en", "English news"), ("news_dev", "de", "other languages")],
)  # fmt: skip
def test_a_page_belongs_to_a_region(corpus, lang, name):
    assert region(ScoredPage(corpus, "1", "a.org", lang, 0)) == name


def test_visible_text_nodes_are_those_with_a_box():
    html = "<p>The tea is hot</p><div>drawn nowhere</div><p style='display: none'>but the layout shows it</p>"
    drawn = DrawnPages({"1": layout_of(html, hidden=("div",))})
    case = Case("1", html, ("The tea is hot but the layout shows it",))
    truth = Truth(case, lambda: drawn.page(case))
    assert len(truth.nodes) == 2
    assert VISIBLE_NODES.measure(truth, "The tea is hot")[:2] == (1.0, 0.5)
    assert len(Truth(case).nodes) == 2  # without a layout the markup decides


def test_lcs_is_the_papers_in_languages_without_spaces_too():
    truth = Truth(Case("1", "", ("茶 是 热 的",), lang="zh"))
    assert COLLAPSED_LCS.measure(truth, "茶 是\n\n热  的")[2] == 1.0
    assert COLLAPSED_LCS.measure(truth, "茶是热的")[1] == pytest.approx(4 / 7)


def test_the_papers_averages_are_weighted_by_pages_except_those_of_its_own_models():
    for system in paper.systems():
        for metric in paper.METRICS:
            gap = abs(paper.mean_of_regions(system, metric) - paper.figures(system, "Avg.", metric).f1)
            assert (gap < 0.003) == ("TabNet" not in system), (system, metric, gap)


@pytest.mark.parametrize("option", ["--layouts", "--visual-models"])
def test_layouts_and_models_without_the_table_are_a_mistake(option, corpora, tmp_path):
    done = CliRunner().invoke(command, ["--corpus", str(corpora[0].path), option, str(tmp_path)])
    assert done.exit_code == 2
    assert "--table visual" in done.output


def test_a_folder_without_models_is_named(tmp_path):
    with pytest.raises(SourceError, match="no models in"):
        entrants(tmp_path)


def test_without_saved_layouts_every_page_is_drawn_once(corpora, tmp_path):
    require_chromium()
    two = corpora[2].where(lambda case: case.id in ("visual_dev0", "visual_dev2"))
    pages = drawn_pages(two, None, tmp_path, quiet)
    page = pages.page(next(two.cases()))
    assert page.layout is not None
    assert page.layout.viewport == (1366, 768)
    stamp = (tmp_path / "layouts" / "visual_dev.jsonl.zst").stat().st_mtime_ns
    assert "visual_dev2" in drawn_pages(two, None, tmp_path, quiet)
    assert (tmp_path / "layouts" / "visual_dev.jsonl.zst").stat().st_mtime_ns == stamp
