"""Real sites: learned from one half of the pages, tested on the other."""

import datetime
from collections.abc import Iterator
from statistics import fmean
from typing import Any

import pytest

from bench.rewriting import moved, with_comments
from bonmun import registry
from bonmun.evaluate.corpora import Case, case_of
from bonmun.evaluate.metrics import METRICS
from bonmun.evaluate.truth import Truth
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.sites.application import Application
from bonmun.sites.m5 import learn_published
from bonmun.sites.site import Site
from tests.corpora import pages

DAY = datetime.date(2026, 11, 15)
HOSTS = {"www.tovima.gr", "www.guardian.co.uk", "life.chinatimes.com", "www.zdrowiutko.info"}
Groups = dict[str, list[Case]]


@pytest.fixture(scope="module")
def groups() -> Groups:
    by_name: Groups = {}

    def add(record: dict[str, Any], name: str) -> None:
        by_name.setdefault(name, []).append(case_of(record, name))

    for record in pages("cjk_dev"):
        if record.get("group"):
            add(record, record["group"])
    for record in pages("daniel_dev"):
        if record["host"] in HOSTS and record.get("gold_text"):
            add(record, record["host"])
    return {name: cases for name, cases in by_name.items() if len(cases) >= 6}


def halves(cases: list[Case]) -> Iterator[tuple[list[Case], list[Case]]]:
    yield cases[::2], cases[1::2]
    yield cases[1::2], cases[::2]


def text_of(page: Page, method: registry.Method) -> str:
    return Document(page, method.judge(page), method.name).text


def test_template_is_better_than_m5_and_m5_than_density_and_template_not_behind_auto(groups: Groups) -> None:
    means: dict[str, list[float]] = {"density": [], "m5": [], "template": [], "auto": []}
    for name, cases in groups.items():
        read = {case.id: read_page(case.html) for case in cases}
        scores: dict[str, list[float]] = {system: [] for system in means}
        for learn, test in halves(cases):
            learned = [read[case.id] for case in learn]
            methods: dict[str, registry.Method] = {
                "density": registry.method("density"),
                "m5": learn_published(learned),
                "template": Site.learn(learned, today=DAY),
                "auto": registry.method("auto"),
            }
            for case in test:
                truth = Truth(case)
                for system, method in methods.items():
                    scores[system].append(METRICS["lcs"].measure(truth, text_of(read[case.id], method))[2])
        for system, values in scores.items():
            means[system].append(fmean(values))
        if len(cases) >= 8:
            assert means["template"][-1] >= means["auto"][-1] - 0.01, name
    assert fmean(means["template"]) >= fmean(means["m5"]) >= fmean(means["density"])


def test_short_articles_under_long_comments_are_found(groups: Groups) -> None:
    hits = {"template": 0, "auto": 0, "pages": 0}
    for cases in groups.values():
        for learn, test in halves(cases):
            site = Site.learn([read_page(case.html) for case in learn], today=DAY)
            for case in test:
                comments = [f"Reader {at} has read all of it and thinks otherwise, {case.id}." for at in range(60)]
                short = with_comments(case.html, case.golds[0], comments, short=True)
                if short is None:
                    continue
                page, wanted = read_page(short.html), "".join(short.gold.split())
                hits["pages"] += 1
                for system in (site, registry.method("auto")):
                    text = "".join(text_of(page, system).split())
                    hits[system.name] += wanted in text and len(text) < 3 * len(wanted) + 200
    assert hits["pages"] > 90
    assert hits["template"] / hits["pages"] >= 0.95
    assert hits["template"] > hits["auto"]


@pytest.mark.parametrize(("host", "frame"), [("hani_2022", "www.tovima.gr"), ("163_2019", "life.chinatimes.com")])
def test_pages_moved_to_another_template_make_the_old_one_stale_within_five(
    groups: Groups, host: str, frame: str
) -> None:
    cases, frames = groups[host], groups[frame]
    site = Site.learn([read_page(case.html) for case in cases], today=DAY)
    before = [template.name for template in site.templates if template.shape]
    seen = 0
    for case, other in zip(cases[:5], frames, strict=False):
        page = moved(case.golds[0], other.html, other.golds[0], case.id)
        if page is None:
            continue
        seen += 1
        doc = site.extract(page.html)
        assert doc.reasons, "extracted without a note"
        assert not isinstance(doc.analysis, Application) or not doc.analysis.rules
    assert seen == 5
    assert all(not template.in_use for template in site.templates if template.name in before)
