"""Pages read by models that have not seen them, with a stand-in for the learned method."""

import json
import sys

import pytest

from bonmun.errors import BonmunError, SourceError
from bonmun.evaluate import folds, ours
from bonmun.evaluate.bench import Bench, Roster, roster, run_bench
from bonmun.evaluate.folds import FoldsError, read_folds
from bonmun.evaluate.metrics import METRICS
from bonmun.evaluate.runner import Run, collect
from bonmun.evaluate.systems import System, find
from tests.evaluate.finder import Finder
from tests.evaluate.records import record
from tests.evaluate.test_report import quiet

PAGE = "<body><p>one word</p><div>two words</div></body>"


SERVE = """
import sys
from bonmun.evaluate import ours, worker_main
from tests.evaluate.finder import Finder
read = ours.load_folds(sys.argv[1], Finder.load)
worker_main.answer_pages(lambda: lambda page: read(page["id"], page["html"], page["url"]))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fold0.model").write_text("one")
    (tmp_path / "fold1.model").write_text("two")
    write(tmp_path, {"models": ["fold0.model", "fold1.model"], "fold_of": {"a": 0, "b": 1}})
    return tmp_path


def write(folder, content):
    (folder / "folds.json").write_text(json.dumps(content))


def test_a_page_is_read_by_the_model_of_its_fold(folder):
    read = ours.load_folds(str(folder), Finder.load)
    assert [read(page, PAGE, None) for page in "ab"] == ["one word", "two words"]


def test_in_a_process_of_its_own_a_page_of_no_fold_is_an_error_that_names_it(folder, lines, store):
    command = (sys.executable, "-c", SERVE, str(folder))
    system = System("out-of-fold", "1", command, ours=True)
    collect(Run(lines(*(record(0, id=page, html=PAGE) for page in "abc")), [system]), store)
    found = {page: store.answer(system, "small", page) for page in "abc"}
    assert (found["a"].output, found["b"].output) == ("one word", "two words")
    assert found["c"].status == "error"
    assert "page 'c' is in no fold" in found["c"].note


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ([], "'models' is no list"),
        ({"models": [], "fold_of": {}}, "'models' is no list"),
        ({"models": ["fold0.model"]}, "'fold_of' is no object"),
        ({"models": ["fold0.model"], "fold_of": {"a": 1}}, "page 'a' is in fold 1; there are 0 to 0"),
        ({"models": ["fold0.model"], "fold_of": {"a": True}}, "page 'a' is in fold True"),
        ({"models": ["fold9.model"], "fold_of": {}}, "no such model: .*fold9.model"),
    ],
)
def test_a_folder_that_is_no_cross_validation_is_refused(folder, content, complaint):
    write(folder, content)
    with pytest.raises(FoldsError, match=complaint):
        read_folds(folder)
    (folder / "folds.json").write_text("{")
    with pytest.raises(FoldsError, match=r"cannot read .*folds\.json"):
        read_folds(folder)


def test_other_models_are_another_version(folder, monkeypatch):
    monkeypatch.setattr("bonmun.evaluate.systems.learned", lambda: Finder.load)
    before = find("out-of-fold", folder)
    assert before.ours
    (folder / "fold0.model").write_text("words")
    assert find("out-of-fold", folder).version != before.version


def test_the_bench_explains_a_page_by_the_model_that_read_it(folder, lines, monkeypatch):
    """The worst page is explained in this process; its answers come from one that knows the stand-in too."""
    monkeypatch.setattr(folds, "learned", lambda: Finder.load)
    corpus = lines(*(record(0, id=page, html=PAGE, gold="one word") for page in "ab"))
    system = System("out-of-fold", "1", (sys.executable, "-c", SERVE, str(folder)), ours=True)
    who = roster(["auto"]) + Roster((system,))
    found = run_bench(Bench([corpus], who, [METRICS["words"]], folder / "out", folds=folder), quiet)
    assert found.corpora[0].subject == "out-of-fold"
    drawn = (folder / "out" / "explain" / "small-b.html").read_text()
    assert "finder" in drawn


def test_without_a_folder_or_the_learned_method_it_says_what_is_missing(folder, monkeypatch):
    with pytest.raises(SourceError, match="--folds DIR"):
        find("out-of-fold")
    monkeypatch.setitem(sys.modules, "bonmun.methods.learned", None)
    with pytest.raises(BonmunError, match="folds need the learned method"):
        find("out-of-fold", folder)
