import json
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="training needs the extra train")

import bonmun
from bonmun.errors import InputError
from bonmun.evaluate.corpora import open_corpus
from bonmun.evaluate.folds import read_folds
from bonmun.methods.learned.model_file import read_model
from bonmun.training.recipe import Recipe
from bonmun.training.run import train
from tests.training.small import small_corpus

RECIPE = Recipe(folds=3, trees=4, type_trees=3, confidence_trees=3, fewest_of_type=5)
MODELS = ("model", "fold0", "fold1", "fold2")


@contextmanager
def quietly(title, total):
    yield lambda: None


def trained(corpus, output, recipe=RECIPE, failed=pytest.fail, **more):
    return train([open_corpus(corpus)], output, recipe, quietly, failed, **more)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return small_corpus(tmp_path_factory.mktemp("corpus") / "small.jsonl")


@pytest.fixture(scope="module")
def run(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "mine"
    return folder, trained(corpus, folder, ablations=True)


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(corpus, tmp_path):
    recipe = Recipe(folds=2, trees=3, type_trees=1, confidence_trees=1, fewest_of_type=5)
    folders = [tmp_path / str(jobs) / "mine" for jobs in (1, 2)]
    for jobs, folder in enumerate(folders, 1):
        trained(corpus, folder, replace(recipe, jobs=jobs))
    names = [f"{name}.safetensors" for name in MODELS[:3]] + ["folds.json", "report.json", "report.md", "card.md"]
    first, second = ({name: (folder / name).read_bytes() for name in names} for folder in folders)
    assert first == second


def test_another_seed_gives_another_model(corpus, run, tmp_path):
    folder, _ = run
    trained(corpus, tmp_path / "mine", replace(RECIPE, seed=7))
    assert (folder / "model.safetensors").read_bytes() != (tmp_path / "mine" / "model.safetensors").read_bytes()


def test_a_second_run_reuses_the_measurements(corpus, run):
    folder, first = run
    before = {path.name: path.stat().st_mtime_ns for path in (folder / "tables").iterdir()}
    assert len(before) == 48, "each page, and its variant"
    again = trained(corpus, folder, ablations=True)
    assert {path.name: path.stat().st_mtime_ns for path in (folder / "tables").iterdir()} == before
    assert again == first


def test_every_page_has_a_fold_with_a_readable_model(run):
    folder, _ = run
    folds = read_folds(folder)
    assert len(folds.fold_of) == 24
    for path in [*folds.models, folder / "model.safetensors"]:
        model = read_model(path)
        assert model.listed("types") == ("article", "product")
        assert len(model.arrays["names.weights"]) == 3 << 15
        assert model.metadata["trained_on"].startswith("small")


def test_the_report_has_scores_intervals_and_calibration(run):
    folder, report = run
    assert json.loads((folder / "report.json").read_text()) == report
    row = report["f1"]["corpus"][0]
    assert 0.5 < row["f1"] <= row["oracle"] <= 1
    assert row["interval"][0] <= row["f1"] <= row["interval"][1]
    assert 0 <= report["block_scores"]["ece"] < 0.2
    assert report["page_type"]["accuracy"] > 0.4
    assert list(report["ablations"]) == ["everything", "without class and id names", "without variants"]
    assert list(report["ablations"]["everything"]) == ["small", "small, renamed"]
    assert "## Calibration of block scores" in (folder / "report.md").read_text()
    card = (folder / "card.md").read_text()
    assert "see the corpus" in card
    assert '"seed": 0' in card


def test_a_single_page_type_is_not_predicted(tmp_path):
    report = trained(small_corpus(tmp_path / "small.jsonl", types=1), tmp_path / "out")
    assert report["page_type"] == {}
    assert read_model(tmp_path / "out" / "model.safetensors").listed("types") == ("unknown",)


def test_no_text_of_a_page_is_stored(run):
    folder, _ = run
    for path in (folder / "tables").iterdir():
        with np.load(path) as tables:
            for name in tables.files:
                assert name == "columns" or tables[name].dtype.kind in "fi"
    for name in MODELS:
        assert b"river" not in (folder / f"{name}.safetensors").read_bytes()


def test_an_unreadable_page_is_reported_and_excluded(corpus, tmp_path):
    bad = {"id": "bad", "html": "a" * 20_000_001, "gold_text": "x", "domain": "bad.org"}
    path = tmp_path / "small.jsonl"
    path.write_text(corpus.read_text() + "\n" + json.dumps(bad))
    problems = {}
    report = trained(path, tmp_path / "out", failed=problems.__setitem__)
    assert list(problems) == ["bad"]
    assert "20,000,000" in problems["bad"]
    assert report["corpora"][0]["pages"] == 24


def test_a_trained_model_extracts_pages(corpus, tmp_path):
    from bonmun.methods.learned import Learned

    trained(corpus, tmp_path / "out", Recipe(folds=2, trees=40))
    for case in open_corpus(corpus).cases(every=8):
        document = bonmun.extract(case.html, method=Learned.load(tmp_path / "out" / "model.safetensors"))
        assert case.golds[0].split("\n")[0] in document.text
        assert "policy" not in document.text


def test_a_corpus_without_text_is_refused(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_text("\n".join(json.dumps({"id": str(n), "html": "<p></p>", "domain": f"{n}.org"}) for n in range(9)))
    with pytest.raises(InputError, match="no page with text to learn from"):
        trained(path, tmp_path / "out")
