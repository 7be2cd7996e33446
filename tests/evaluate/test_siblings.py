"""Extraction by rules learned from sibling pages, on two small hand-written sites."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bonmun.evaluate.benchmark import Bench, roster, run_table
from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.runner import BenchRun, collect
from bonmun.evaluate.siblings import Siblings
from bonmun.evaluate.system_worker import SystemWorker
from bonmun.evaluate.systems import System, find, sited
from bonmun.limits import Limits
from bonmun.pipeline import extract
from tests.evaluate.test_report import quiet

THINGS = "tea bread glass ink paper rope soap salt wool brick candle butter".split()
STUFFS = "leaves flour sand soot rags hemp ashes brine sheep clay wax cream".split()
STORY = (
    "The {0} that people bought in the old town was made of {1}, and whoever wanted {0} had to come in the morning.",
    "A workshop by the river sold {0} for a hundred years; its last master took the secret of {1} with him.",
    "Nobody knows who brought {1} there first, but the records of the harbour speak of {0} from the very beginning.",
    "Today a small museum shows how {1} became {0}, with the tools that were found under the floor of the house.",
)
TALK = "I have read about {0} before, number {1}, and my neighbour says that it was all quite different in his day. "
SHORT = 3
"""An article of one paragraph under long comments, which mislead a method that sees this page alone."""


def page(number, frame):
    thing, stuff = THINGS[number], STUFFS[number]
    story = [line.format(thing, stuff) for line in STORY[: 1 if number == SHORT else 4]]
    talk = [TALK.format(thing, comment) * 3 for comment in range(6 if number == SHORT else 0)]
    html = frame.format(thing.title(), "".join(f"<p>{line}</p>" for line in story), "".join(talk))
    return html, "\n".join(story)


STORE_FRONT = (
    "<html lang=en><title>{0}</title><body><div id=menu><a href=/>Home</a> <a href=/all>All things</a></div>"
    "<div id=page><div id=text>{1}</div><div id=talk>{2}</div></div><div id=end>The town's paper</div></body></html>"
)
GAZETTE = (
    "<html lang=en><title>{0}</title><body><table><tr><td><a href=/>Front page</a></td></tr></table>"
    "<div class=wide><div class=story>{1}</div><div class=letters>{2}</div></div></body></html>"
)


def records():
    for number in range(12):
        for name, frame, more in (("front", STORE_FRONT, {}), ("gazette", GAZETTE, {"group": "gazette_2022"})):
            html, gold = page(number, frame)
            yield {
                "id": f"{name}{number}",
                "html": html,
                "gold_text": gold,
                "lang": "en",
                "domain": f"{name}.org",
                **more,
            }
    yield {"id": "alone", "html": page(0, GAZETTE)[0], "gold_text": page(0, GAZETTE)[1], "domain": "alone.org"}


@pytest.fixture
def corpus(lines):
    return lines(*records())


def rows(table):
    return {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}


def test_the_tables_show_the_gain_of_siblings_by_group_or_site(corpus, tmp_path):
    bench = Bench([corpus], roster([]), [], tmp_path / "out")
    alone, together = (rows(run_table(bench, f"template-{number}", quiet)[0]) for number in (1, 2))
    assert list(alone) == list(together) == ["front.org", "gazette_2022", "these sites", "all pages"]
    for site in ("front.org", "gazette_2022"):
        assert alone[site]["pages"] == "12"
        assert alone[site]["pages right: density"] == ".917"
        assert together[site]["pages right: m5"] == "1.000"
        assert together[site]["pages right: template"] == "1.000"
        assert together[site]["pages right: auto"] == alone[site]["pages right: auto"]
    assert (together["these sites"]["pages"], together["all pages"]["pages"]) == ("24", "25")


def test_a_second_run_uses_stored_answers(corpus, tmp_path, monkeypatch):
    bench = Bench([corpus], roster([]), [], tmp_path / "out")
    first = run_table(bench, "template-2", quiet)

    def refuse(*_):
        raise AssertionError("asked again")

    monkeypatch.setattr("bonmun.evaluate.system_worker.SystemWorker.ask", refuse)
    assert run_table(bench, "template-2", quiet) == first


def test_the_version_depends_on_the_siblings_and_not_on_filters(corpus, lines):
    version = sited("m5", corpus).version
    assert sited("m5", replace(corpus, only=(("site", "front.org"),), headlines=False)).version == version
    assert sited("m5", lines(*list(records())[1:])).version != version
    moved = [{**one, "group": "elsewhere"} for one in records()]
    assert sited("m5", lines(*moved)).version != version


@pytest.mark.parametrize("rules", ["m5", "template"])
def test_an_answer_does_not_depend_on_earlier_pages(rules, corpus, store):
    system = sited(rules, corpus)
    collect(BenchRun(corpus, [system]), store)
    with SystemWorker(system) as worker:
        for case in reversed(list(corpus.cases())):
            assert worker.ask(case, 60).output == store.answer(system, corpus.name, case.id).output


def test_a_page_without_siblings_uses_the_fallback(corpus):
    case = next(case for case in corpus.cases() if case.id == "alone")
    for rules, single in (("m5", "density"), ("template", "auto")):
        with SystemWorker(sited(rules, corpus)) as worker, SystemWorker(find(single)) as other:
            assert worker.ask(case, 60).output == other.ask(case, 60).output != ""


def test_an_unreadable_sibling_is_ignored():
    cases = [Case(f"{number}", page(number, STORE_FRONT)[0], domain="front.org") for number in range(12)]
    huge = Case("huge", "x" * (Limits().bytes + 1), domain="front.org")
    with_it, without = (
        Siblings(Corpus("made", Path("made"), lambda _, pages=pages: iter(pages)), "template")
        for pages in ([*cases, huge], cases)
    )
    assert with_it.method_of("huge").name == extract("<p>Tea</p>").method
    for case in cases:
        assert with_it.method_of(case.id).name == "template"
        texts = [extract(case.html, method=siblings.method_of(case.id)).text for siblings in (with_it, without)]
        assert texts[0] == texts[1]


LEARNER = """
import time
from bonmun.evaluate import system_main

class Learner:
    def prepare(self, page):
        while time.process_time() < 2:
            pass

    def __call__(self, page):
        return page["html"]

system_main.answer_pages(Learner)
"""


def test_learning_a_site_is_not_charged_to_a_page():
    with SystemWorker(System("learner", "1", (sys.executable, "-c", LEARNER))) as worker:
        answer = worker.ask(Case("1", "tea"), 60)
    assert answer.output == "tea"
    assert answer.cpu < 1
