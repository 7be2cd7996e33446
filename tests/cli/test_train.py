import json
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("lightgbm", reason="training needs the extra train")

from bonmun.cli.train import train
from bonmun.training.recipe import Recipe
from tests.training.small import small_corpus


def test_the_options_of_the_recipe_have_its_defaults():
    options = {option.name: option.default for option in train.params}
    names = {"folds", "seed", "jobs", "trees"}
    assert {name: options[name] for name in names} == {name: getattr(Recipe(), name) for name in names}


def test_train_writes_models_report_and_card(bonmun, folder):
    small_corpus(folder / "small.jsonl")
    done = bonmun("train", "--corpus", "small.jsonl", "--output", "out", "--folds", "2", "--trees", "3")
    assert (done.code, done.err) == (0, "")
    assert "small: word F1 " in done.out
    assert "out of fold on 24 pages" in done.out
    written = {path.name for path in Path("out").iterdir()}
    assert {"model.safetensors", "fold0.safetensors", "fold1.safetensors", "folds.json", "report.json", "report.md",
            "card.md"} <= written  # fmt: skip
    assert json.loads(Path("out/folds.json").read_text())["models"] == ["fold0.safetensors", "fold1.safetensors"]


def test_extract_and_explain_take_a_trained_model(bonmun, folder):
    small_corpus(folder / "small.jsonl")
    bonmun("train", "--corpus", "small.jsonl", "--output", "out", "--folds", "2", "--trees", "3")
    page = json.loads((folder / "small.jsonl").read_text("utf-8").splitlines()[0])["html"]
    Path("page.html").write_text(page, encoding="utf-8")
    for command in (("extract", "--format", "json"), ("explain",)):
        shipped, own = bonmun(*command, "page.html"), bonmun(*command, "--model", "out/model.safetensors", "page.html")
        assert (own.code, own.err) == (0, "")
        assert own.out != shipped.out  # its scores are others


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--model", "none.safetensors"), "cannot read model file none.safetensors"),
        (("--model", "page.html"), "page.html: "),
        (("--model", "none.safetensors", "--method", "xpath"), "--model needs --method auto, not xpath"),
    ],
)
def test_a_wrong_model_is_wrong_usage(bonmun, folder, options, error):
    Path("page.html").write_text("<p>Tea is made of leaves.</p>", encoding="utf-8")
    done = bonmun("extract", "page.html", *options)
    assert done.code == 2
    assert error in done.err


def test_from_tunes_a_model_on_corrections(bonmun, folder):
    small_corpus(folder / "corrections.jsonl", 4)
    done = bonmun("train", "--corpus", "corrections.jsonl", "--from", "auto", "--output", "mine")
    assert (done.code, done.err) == (0, "")
    assert re.match(r"word F1 [01]\.\d{3} before, [01]\.\d{3} after, out of sample on 4 pages; \d+ trees", done.out)
    assert {path.name for path in Path("mine").iterdir()} == {"model.safetensors", "report.json", "card.md", "tables"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--output", "out"), "Missing option '--corpus'"),
        (("--corpus", "nowhere", "--output", "out"), "no such corpus: nowhere"),
        (("--corpus", "small.jsonl", "--output", "out", "--folds", "1"), "1 is not in the range"),
        (("--corpus", "small.jsonl", "--output", "out", "--folds", "40"), "40 folds need pages of as many sites"),
        (("--corpus", "small.jsonl", "--output", "out", "--from", "nowhere"), "cannot read model file nowhere"),
        (("--corpus", "small.jsonl", "--output", "out", "--from", "auto", "--trees", "9"), "--trees has no meaning"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(bonmun, folder, arguments, complaint):
    small_corpus(folder / "small.jsonl", 6)
    done = bonmun("train", *arguments)
    assert done.code == 2
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_a_missing_extra_says_what_to_install(bonmun, folder):
    small_corpus(folder / "small.jsonl", 6)
    Path("lightgbm.py").write_text("raise ModuleNotFoundError(\"No module named 'lightgbm'\", name='lightgbm')")
    path = f"{folder}:{Path(__file__).parents[2]}" if sys.platform != "win32" else pytest.skip("paths by colon")
    done = bonmun("train", "--corpus", "small.jsonl", "--output", "out", "--folds", "2", PYTHONPATH=path)
    assert done.code == 2
    assert "pip install 'bonmun[train]'" in done.err
