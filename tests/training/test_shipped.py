import json
from importlib.resources import files

import pytest

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.model_file import read_model
from bonmun.methods.learned.page_figures import SUMMARY

MODELS = files("bonmun.models")


@pytest.fixture(scope="module")
def content():
    return MODELS.joinpath("auto.safetensors").read_bytes()


def test_the_shipped_model_is_small(content):
    assert len(content) < 6_000_000


def test_the_shipped_model_uses_the_current_columns(content):
    model = read_model(content)
    assert model.listed("columns") == COLUMNS
    assert model.listed("summary") == SUMMARY
    assert len(model.listed("types")) == 7


def test_the_calibration_of_the_shipped_model_is_increasing_from_0_to_1(content):
    arrays = read_model(content).arrays
    x, y = arrays["calibration.x"].tolist(), arrays["calibration.y"].tolist()
    assert (x[0], x[-1]) == (0, 1)
    assert x == sorted(x)
    assert y == sorted(y)
    assert y[0] >= 0
    assert y[-1] <= 1


def test_the_card_names_licences_and_authors_of_the_data():
    card = MODELS.joinpath("auto.md").read_text(encoding="utf-8")
    assert "Murrough Foley, 2026; CC-BY-4.0" in card
    assert "no text of them is kept" in card


def test_the_shipped_model_meets_its_accuracy_targets():
    report = json.loads(MODELS.joinpath("auto.json").read_text(encoding="utf-8"))
    f1 = {row["name"]: row["f1"] for row in report["f1"]["corpus"]}
    assert f1["wcxb_dev"] >= 0.875
    assert f1["cjk_dev"] >= 0.96
    assert f1["news_dev"] >= 0.96
    assert f1["forums_dev"] >= 0.86
    assert f1["boards_dev"] >= 0.88
    assert report["lines"]["recipes_dev"] >= 0.95
    assert report["block_scores"]["ece"] <= 0.03
    assert report["confidence"]["ece"] <= 0.05
