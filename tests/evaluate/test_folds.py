"""Out-of-fold evaluation, with a stand-in for the learned method."""

import json
import sys

import pytest

from bonmun.errors import SourceError
from bonmun.evaluate import folds, ours
from bonmun.evaluate.benchmark import Bench, Roster, roster, run_bench
from bonmun.evaluate.folds import FoldsError, read_folds
from bonmun.evaluate.metrics import METRICS
from bonmun.evaluate.runner import BenchRun, collect
from bonmun.evaluate.systems import System, find
from tests.evaluate.finder import Finder
from tests.evaluate.records import record
from tests.evaluate.test_report import quiet

PAGE = "<body><p>one word</p><div>two words</div></body>"


SERVE = """
import sys
from bonmun.evaluate import ours, system_main
from tests.evaluate.finder import Finder
read = ours.load_folds(sys.argv[1], Finder.load)
system_main.answer_pages(lambda: lambda page: read(page["id"], page["html"], page["url"]))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fold0.model").write_text("one")
    (tmp_path / "fold1.model").write_text("two")
    write(tmp_path, {"models": ["fold0.model", "fold1.model"], "fold_of": {"a": 0, "b": 1}})
    return tmp_path


def write(folder, content):
    (folder / "folds.json").write_text(json.dumps(content))


def test_a_page_is_judged_by_the_model_of_its_fold(folder):
    read = ours.load_folds(str(folder), Finder.load)
    assert [read(page, PAGE, None) for page in "ab"] == ["one word", "two words"]


def test_in_a_worker_a_page_without_a_fold_is_an_error_that_names_it(folder, lines, store):
    command = (sys.executable, "-c", SERVE, str(folder))
    system = System("out-of-fold", "1", command, ours=True)
    collect(BenchRun(lines(*(record(0, id=page, html=PAGE) for page in "abc")), [system]), store)
    answers = {page: store.answer(system, "small", page) for page in "abc"}
    assert (answers["a"].output, answers["b"].output) == ("one word", "two words")
    assert answers["c"].status == "error"
    assert "page 'c' has no fold" in answers["c"].note


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ([], "'models' must be a non-empty list of file names"),
        ({"models": [], "fold_of": {}}, "'models' must be a non-empty list"),
        ({"models": ["fold0.model"]}, "'fold_of' must be an object"),
        ({"models": ["fold0.model"], "fold_of": {"a": 1}}, "page 'a' has fold 1, not one of 0 to 0"),
        ({"models": ["fold0.model"], "fold_of": {"a": True}}, "page 'a' has fold True"),
        ({"models": ["fold9.model"], "fold_of": {}}, "model file not found: .*fold9.model"),
    ],
)
def test_a_malformed_folds_file_is_refused(folder, content, complaint):
    write(folder, content)
    with pytest.raises(FoldsError, match=complaint):
        read_folds(folder)
    (folder / "folds.json").write_text("{")
    with pytest.raises(FoldsError, match=r"cannot read .*folds\.json"):
        read_folds(folder)


def test_changed_models_change_the_version(folder):
    before = find("out-of-fold", folder)
    assert before.ours
    (folder / "fold0.model").write_text("words")
    assert find("out-of-fold", folder).version != before.version


def test_the_report_explains_a_page_by_the_model_of_its_fold(folder, lines, monkeypatch):
    """The worst page is explained in this process; the answers come from a worker with the same stand-in."""
    monkeypatch.setattr(folds, "learned", lambda: Finder.load)
    corpus = lines(*(record(0, id=page, html=PAGE, gold="one word") for page in "ab"))
    system = System("out-of-fold", "1", (sys.executable, "-c", SERVE, str(folder)), ours=True)
    systems = roster(["auto"]) + Roster((system,))
    report = run_bench(Bench([corpus], systems, [METRICS["words"]], folder / "out", folds=folder), quiet)
    assert report.corpora[0].subject == "out-of-fold"
    view = (folder / "out" / "explain" / "small-b.html").read_text()
    assert "finder" in view


def test_without_a_folder_the_error_names_the_option():
    with pytest.raises(SourceError, match="--folds DIR"):
        find("out-of-fold")
