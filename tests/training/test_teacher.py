import json

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="training needs the extra train")

from bonmun.evaluate.corpora import open_corpus
from bonmun.training.dataset import Dataset
from bonmun.training.measuring import measured
from bonmun.training.recipe import Recipe
from bonmun.training.teacher import lesson
from bonmun.training.variants import training_pages
from tests.training.small import small_corpus

RECIPE = Recipe(trees=10, teacher=1.0, taught_weight=0.5)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Labelled pages, and pages with one listed line each."""
    folder = tmp_path_factory.mktemp("lines")
    whole = small_corpus(folder / "small.jsonl")
    records = [json.loads(line) for line in whole.read_text().splitlines()]
    lines = [{**record, "gold_text": None, "with": [record["gold_text"].split("\n")[0]]} for record in records]
    listed = folder / "recipes_dev.jsonl"
    listed.write_text("\n".join(json.dumps({**record, "id": f"r{record['id']}"}) for record in lines))
    pages = training_pages([open_corpus(whole), open_corpus(listed)], variants=True)
    return Dataset.of(measured(pages, folder / "tables", 1, lambda: None, pytest.fail))


def learned(data, recipe=RECIPE):
    table = np.concatenate([data.table, np.zeros((len(data.table), 6), np.float32)], 1)
    every = np.ones(len(data.page), bool)
    return lesson(data, table, np.ones(len(data.page)), every, recipe)


def test_the_teacher_labels_what_the_lines_do_not_say(data):
    taught = learned(data)
    lines = data.lines_only[data.page]
    assert len(taught.labels) == len(data.page)
    assert (taught.labels[lines & data.known] == 1).all()
    open_rows = lines & ~data.known
    assert ((taught.labels[open_rows] > 0) & (taught.labels[open_rows] < 1)).all()
    assert (taught.weights[open_rows] == 0.5).all()
    assert (taught.weights[~open_rows] == 1).all()


def test_without_a_teacher_pages_of_lines_are_left_out(data):
    assert len(learned(data, Recipe(trees=10, teacher=0.0)).labels) == (~data.lines_only[data.page]).sum()


def test_only_originals_with_a_gold_are_judged(data):
    judged = data.only(data.judged)
    assert len(judged.infos) == 24
    assert not any(info.variant or info.lines_only for info in judged.infos)
    assert (judged.first == np.cumsum([0, *np.diff(data.first)[data.judged]])).all()
    rows = [judged.rows(page) for page in range(len(judged.infos))]
    assert all(((judged.heading[own] >= own.start) & (judged.heading[own] < own.stop)).all() for own in rows)
