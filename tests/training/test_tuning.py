"""Fine-tuning a model on corrected pages."""

import json
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("lightgbm", reason="training needs the extra train")

import numpy as np

import bonmun
from bonmun.errors import BadModel, InputError
from bonmun.evaluate.corpora import CorpusError, open_corpus
from bonmun.features.columns import COLUMNS
from bonmun.limits import Limits
from bonmun.methods.learned import Learned
from bonmun.methods.learned.model import LearnedModel
from bonmun.methods.learned.model_file import read_model
from bonmun.methods.tensor_file import write_tensors
from bonmun.model.segmentation import segmentation_digest
from bonmun.read.page import read_page
from bonmun.serve.given_page import GivenPage
from bonmun.serve.labelling import LabelWork
from bonmun.store import open_store
from bonmun.training.dataset import Dataset
from bonmun.training.ensembles import Ensemble
from bonmun.training.measuring import Info, measure
from bonmun.training.tuning.arrangement import blocks, with_trees
from bonmun.training.tuning.growth import Corrected, extra_trees, grouped
from bonmun.training.tuning.run import tune
from bonmun.training.tuning.settings import Settings
from bonmun.training.tuning.start import StartModel

WORDS = "river night road water bridge tea milk stone light wind house garden field paper letter engine".split()
QUICK = Settings(counts=(0, 10, 50))
UNCHANGED = ("terms.weights", "names.weights", "calibration.x", "confidence.leaf", "type.0.leaf")


@contextmanager
def quietly(title, total):
    yield lambda: None


def sentences(random, count):
    lines = (" ".join(random.choice(WORDS) for _ in range(random.randint(8, 16))) for _ in range(count))
    return " ".join(line.capitalize() + "." for line in lines)


def site_page(number):
    """A page of a site whose article is in list items under a foot, and whose paragraphs advertise."""
    random = Random(number)
    body = [sentences(random, 2) for _ in range(random.randint(3, 6))]
    adverts = "".join(f"<p>{sentences(random, 3)}</p>" for _ in range(random.randint(2, 4)))
    items = "".join(f"<li class=q7>{text}</li>" for text in body)
    menu = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in random.sample(WORDS, 6))
    html = (
        f"<title>{number}</title><ul class=menu>{menu}</ul><article class=content>{adverts}</article>"
        f"<div class='footer sidebar related'><ul>{items}</ul></div>"
    )
    return html, body


def record(number, **changed):
    html, body = site_page(number)
    page = read_page(html)
    keep = [int(any(text == line for line in body)) for text in page.blocks.text]
    assert sum(keep) == len(body)
    fields = {"id": str(number), "html": html, "gold_text": "\n\n".join(body), "url": f"https://tea.example/{number}"}
    return {**fields, "keep": keep, "segmentation": segmentation_digest(page.blocks), **changed}


def corpus_of(path: Path, records):
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def tuned(corpus, output, settings=QUICK, start="auto", failed=pytest.fail):
    return tune([open_corpus(corpus)], StartModel.read(start), output, settings, quietly, failed)


def share_kept(method, numbers):
    """The share of the articles that is kept, and of the adverts."""
    kept = [(line in text, "<p>" in html and any(ad.split("</p>")[0] in text for ad in html.split("<p>")[1:]))
            for html, body in map(site_page, numbers)
            for text in [bonmun.extract(html, method=method).text] for line in body]  # fmt: skip
    return tuple(np.mean(kept, 0))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return corpus_of(tmp_path_factory.mktemp("corpus") / "corrections.jsonl", [record(n) for n in range(6)])


@pytest.fixture(scope="module")
def run(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "mine"
    return folder, tuned(corpus, folder)


def test_a_systematic_mistake_is_corrected_on_other_pages_of_the_site(run):
    folder, report = run
    others = range(100, 112)
    before, after = (share_kept(one, others) for one in (Learned(), Learned.load(folder / "model.safetensors")))
    assert before[0] < 0.2 or before[1] > 0.5
    assert after[0] > 0.95
    assert after[1] < 0.05
    assert report["trees"] > 0
    assert report["f1"]["after"] > report["f1"]["before"] + 0.2


def test_the_rest_of_the_model_is_as_it_was(run):
    folder, report = run
    start, model = StartModel.read("auto"), read_model(folder / "model.safetensors")
    for name in UNCHANGED:
        assert model.arrays[name].tolist() == start.file.arrays[name].tolist()
    assert model.listed("types") == start.file.listed("types")
    assert model.metadata["tuned_from"] == start.digest
    assert model.metadata["tuned_on"] == "corrections"
    assert model.metadata["name"] == "mine"
    assert LearnedModel.of(model).blocks.exit.trees == start.parts.blocks.exit.trees + report["trees"]


def test_report_and_card_name_start_pages_and_results(run):
    folder, report = run
    assert json.loads((folder / "report.json").read_text()) == report
    assert (report["from"]["name"], report["pages"], report["sites"], report["languages"]) == ("auto", 6, 1, {"und": 6})
    assert len(report["by_page"]) == 6
    card = (folder / "card.md").read_text()
    assert "# Model `mine`" in card
    assert "6 corrected pages of 1 site " in card
    assert '"seed": 0' in card


def test_the_same_corrections_give_the_same_bytes_on_any_number_of_threads(corpus, run, tmp_path):
    folder, _ = run
    tuned(corpus, tmp_path / "mine", replace(QUICK, jobs=2))
    for name in ("model.safetensors", "report.json", "card.md"):
        assert (tmp_path / "mine" / name).read_bytes() == (folder / name).read_bytes()


def test_no_extra_trees_leave_the_scores_as_they_are(corpus, tmp_path):
    report = tuned(corpus, tmp_path / "mine", replace(QUICK, least_gain=2.0))
    assert report["trees"] == 0
    assert report["f1"]["before"] == report["f1"]["after"]
    assert "No extra trees" in (tmp_path / "mine" / "card.md").read_text()
    page = read_page(site_page(50)[0])
    same = Learned.load(tmp_path / "mine" / "model.safetensors").judge(page)
    assert list(same.score) == list(Learned().judge(page).score)
    assert list(same.keep) == list(Learned().judge(page).keep)


def test_a_right_model_is_left_alone(tmp_path):
    pages = []
    for number in range(5):
        html = site_page(number)[0]
        page = read_page(html)
        keep = [int(one) for one in bonmun.extract(html).verdicts.keep]
        text = "\n".join(text for text, one in zip(page.blocks.text, keep, strict=True) if one)
        pages.append(record(number, keep=keep, gold_text=text))
    assert tuned(corpus_of(tmp_path / "right.jsonl", pages), tmp_path / "mine")["trees"] == 0


def test_a_tuned_model_can_be_tuned_again(corpus, run, tmp_path):
    folder, first = run
    again = tuned(corpus, tmp_path / "mine", start=str(folder / "model.safetensors"))
    assert again["from"]["digest"] == read_model(folder / "model.safetensors").metadata["digest"]
    assert again["f1"]["before"] > first["f1"]["before"]
    assert Learned.load(tmp_path / "mine" / "model.safetensors").name == "auto"


def test_gold_texts_correct_as_labels_do(tmp_path):
    records = [record(number, keep=[], segmentation="") for number in range(5)]
    report = tuned(corpus_of(tmp_path / "gold.jsonl", records), tmp_path / "mine")
    assert report["trees"] > 0
    assert report["f1"]["after"] > 0.9


def test_the_labels_of_a_store_are_corrections(tmp_path):
    with open_store(":memory:") as store:
        for number in range(4):
            given = record(number)
            page, keep = GivenPage(given["html"].encode(), given["url"]), tuple(map(bool, given["keep"]))
            store.save_label(LabelWork(page, keep, "auto", "balance", "", Limits()).run())
        assert store.export_labels(tmp_path / "labels.jsonl") == 4
    report = tuned(tmp_path / "labels.jsonl", tmp_path / "mine")
    assert report["trees"] > 0
    assert report["f1"]["after"] > 0.9


def test_labels_of_other_blocks_are_replaced_by_the_gold_text(tmp_path):
    wrong = [record(number, keep=[1] * 4, segmentation="of other blocks") for number in range(5)]
    assert tuned(corpus_of(tmp_path / "old.jsonl", wrong), tmp_path / "mine")["f1"]["after"] > 0.9


def test_pages_of_one_class_are_fine(tmp_path):
    nothing = [record(n, keep=[0] * len(record(n)["keep"]), gold_text="") for n in range(4)]
    report = tuned(corpus_of(tmp_path / "nothing.jsonl", nothing), tmp_path / "mine")
    assert report["f1"]["after"] >= report["f1"]["before"]


@pytest.mark.parametrize(
    ("records", "error", "complaint"),
    [
        ([], CorpusError, "no pages in none"),
        ([{"id": "1", "html": "<p></p>"}], InputError, "no page with text to learn from"),
        ([record(1), record(2)], InputError, "2 corrected pages to learn from; a fine-tuning needs 3"),
        ([record(n, keep=[], gold_text="Something else, which no page of these has.") for n in range(4)], InputError,
         "0 corrected pages to learn from"),
    ],
)  # fmt: skip
def test_unusable_corrections_are_refused(tmp_path, records, error, complaint):
    with pytest.raises(error, match=complaint):
        tuned(corpus_of(tmp_path / "none.jsonl", records), tmp_path / "mine")
    assert not (tmp_path / "mine" / "model.safetensors").exists()


def test_a_model_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(BadModel, match="cannot read model file"):
        StartModel.read(str(tmp_path / "nowhere.safetensors"))


def test_extra_trees_add_the_same_to_settled_and_unsettled_rows(tmp_path):
    start = StartModel.read("auto")
    exit, random = start.parts.blocks.exit, np.random.default_rng(1)
    column = COLUMNS.index("size")
    node, limit, side = np.array([column], np.int32), np.array([5.0], np.float32), np.array([-1], np.int32)
    stump = Ensemble(node, limit, side, side - 1, np.array([-0.01, 0.02], np.float32), np.array([0, 1], np.int32))
    arrays, described = with_trees(start, stump)
    write_tensors(tmp_path / "model.safetensors", arrays, {**start.file.metadata, "exit": described})
    model = LearnedModel.of(read_model(tmp_path / "model.safetensors"))
    table = np.concatenate([start.table(pages().data), random.random((40, len(COLUMNS))).astype(np.float32) * 9])
    old = np.array(start.parts.blocks.sums(table.tobytes(), len(COLUMNS)))
    new = np.array(model.blocks.sums(table.tobytes(), len(COLUMNS)))
    tiers = start.tiers(table)
    early = (tiers.first < exit.below) | (tiers.first > exit.above)
    moved = np.where(table[:, column] < 5, -0.01, 0.02)
    near = np.minimum(abs(tiers.first - exit.below), abs(tiers.first - exit.above)) < 0.05
    assert early.any()
    assert not early.all()
    assert np.allclose((new - old)[~near], moved[~near], atol=1e-5)
    assert np.allclose(new, tiers.plus(moved), atol=1e-5)
    assert len(blocks(read_model(tmp_path / "model.safetensors")).start) == len(start.parts.trees.start) + 2


def test_the_written_model_scores_as_its_cross_validation_did(tmp_path):
    start, corrected = StartModel.read("auto"), pages()
    extra = extra_trees(corrected, 10, Settings())
    arrays, described = with_trees(start, extra)
    write_tensors(tmp_path / "model.safetensors", arrays, {**start.file.metadata, "exit": described})
    model = LearnedModel.of(read_model(tmp_path / "model.safetensors"))
    sums = model.blocks.sums(corrected.table.tobytes(), len(COLUMNS))
    assert np.allclose(sums, corrected.tiers.plus(extra.sums(corrected.table)), atol=1e-4)


def test_many_pages_are_held_out_by_groups():
    group = grouped(23, Settings())
    assert sorted(map(group.count, range(5))) == [4, 4, 5, 5, 5]
    assert group == grouped(23, Settings())
    assert group != grouped(23, Settings(seed=1))


def pages():
    from bonmun.evaluate.corpora import case_of

    cases = [case_of(record(number), "tests") for number in range(4)]
    infos = [Info(case.id, "tests", case.domain, None, "und", "unknown") for case in cases]
    return Corrected.of(Dataset.of((info, measure(case)) for info, case in zip(infos, cases, strict=True)),
                        StartModel.read("auto"))  # fmt: skip
