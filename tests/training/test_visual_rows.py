import json
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="training needs the extra train")
pytest.importorskip("rapidfuzz", reason="training needs the extra train")

import bonmun  # noqa: E402
from bonmun.errors import InputError  # noqa: E402
from bonmun.evaluate.corpora import open_corpus  # noqa: E402
from bonmun.evaluate.deciles import decile  # noqa: E402
from bonmun.evaluate.layouts import SavedLayout, open_layouts, save_layouts  # noqa: E402
from bonmun.methods.visual.rows import COLUMNS  # noqa: E402
from bonmun.model.tags import TEXT  # noqa: E402
from bonmun.rendering.tying import DrawnElements  # noqa: E402
from bonmun.training.visual.corpus_rows import table_of  # noqa: E402
from bonmun.training.visual.plans import main_plans, part, variant_plans  # noqa: E402
from bonmun.training.visual.row_table import RowTable  # noqa: E402

TEXTS = "Tea is made of leaves and of water that has just boiled, nothing else is needed for it."
PAGE = f"<body><nav><a>Home</a></nav><div><p>{TEXTS}</p><p>Drink it while it is hot, and drink it slowly.</p></div>"
GOLD = f"{TEXTS}\nDrink it while it is hot, and drink it slowly."


def drawn(html: str) -> DrawnElements:
    """A layout as a browser would give it: every element in a line of its own."""
    nodes = bonmun.read_page(html).nodes
    names = [nodes.name(row) for row, tag in enumerate(nodes.tag) if tag != TEXT]
    boxes = [number for line in range(len(names)) for number in (0, 20 * line, 600, 20 * line + 20, 1)]
    return DrawnElements(names, boxes, (1366, 768), (1366, 900))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    marks = [{"type": "Menu", "xpath": "/html/body/nav"}, {"type": "Content", "xpath": "/html/body/div/p[2]"}]
    records = [
        {"id": "a", "html": PAGE, "gold_text": GOLD, "domain": "a.org", "lang": "en", "extra": {"blocks": marks}},
        {"id": "b", "html": PAGE.replace("tea", "milk"), "gold_text": None, "domain": "b.org", "lang": "en"},
        {"id": "c", "html": PAGE, "gold_text": GOLD, "domain": "c.org", "lang": "en"},
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    save_layouts(tmp_path / "layouts.jsonl", (SavedLayout(name, drawn(PAGE), 1.0) for name in "ab"))
    return tmp_path


def test_rows_of_a_corpus_have_labels_from_gold_and_from_marks(folder: Path) -> None:
    table = table_of(open_corpus(folder / "corpus.jsonl"), open_layouts(folder / "layouts.jsonl"))
    assert [page.id for page in table.pages] == ["a", "b"]
    assert [page.coverage for page in table.pages] == [1.0, 0.0]
    assert table.matrix.shape == (14, len(COLUMNS))
    first = slice(0, 7)  # html, body, nav, a, div, p, p
    assert table.labels["share"][first].tolist() == [1] * 7  # the menu is less than a fifth of the page
    assert table.labels["single"][first].tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert table.labels["marked"][first].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert not table.labels["share"][7:].any()


def test_labels_of_auto_need_no_gold(folder: Path) -> None:
    table = table_of(open_corpus(folder / "corpus.jsonl"), open_layouts(folder / "layouts.jsonl"), "auto")
    assert table.labels["share"][7:].any()
    assert set(table.labels) == {"share", "single"}


def test_a_saved_table_is_the_same_when_it_is_read(folder: Path) -> None:
    table = table_of(open_corpus(folder / "corpus.jsonl"), open_layouts(folder / "layouts.jsonl"))
    table.save(folder / "table.npz")
    read = RowTable.load(folder / "table.npz")
    assert read.pages == table.pages
    assert read.columns == COLUMNS
    assert np.array_equal(read.matrix, table.matrix)
    assert np.array_equal(read.page, [0] * 7 + [1] * 7)
    assert all(np.array_equal(read.labels[name], label) for name, label in table.labels.items())


def test_a_corpus_without_layouts_is_refused(folder: Path) -> None:
    save_layouts(folder / "none.jsonl", [])
    with pytest.raises(InputError, match="no page has a saved layout"):
        table_of(open_corpus(folder / "corpus.jsonl"), open_layouts(folder / "none.jsonl"))


def test_every_site_is_in_one_part_and_tests_for_one_seed_in_ten() -> None:
    sites = [f"site{number}.org" for number in range(2000)]
    for seed in range(5):
        counts = {name: sum(part(site, seed) == name for site in sites) for name in ("train", "validation", "test")}
        assert 1500 < counts["train"] < 1700
        assert 140 < counts["validation"] < 260
    assert all([part(site, seed) for seed in range(10)].count("test") == 1 for site in sites)
    assert {decile(site) for site in sites} == set(range(10))


def test_each_plan_is_one_model_file() -> None:
    plans = [*main_plans("wcxb_dev"), *main_plans("wcxb_dev", "-log", log=True), *variant_plans("wcxb_dev")]
    assert len({plan.id for plan in plans}) == len(plans)
    assert sum(plan.name in ("visual-1", "visual-2", "control") for plan in plans) == 15
    assert {plan.variant for plan in plans if plan.name.startswith("control")} == {"permuted", "log-permuted"}
