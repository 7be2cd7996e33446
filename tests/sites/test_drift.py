import datetime

import pytest

from bonmun.sites.application import Application
from bonmun.sites.health import Condition, Health, stale_because
from bonmun.sites.parameters import DEFAULT
from bonmun.sites.site import Site
from tests.sites.make import article, articles, sentences

DAY = datetime.date(2026, 11, 15)


@pytest.fixture
def site() -> Site:
    return Site.learn(articles(8), host="daily.example", today=DAY)


def test_a_redesign_is_detected_within_five_pages(site: Site) -> None:
    for seed in range(50, 55):
        site.extract(article(seed, design="new"))
    old = [template for template in site.templates if "#story" in template.body.keep and template.shape]
    assert [template.in_use for template in old] == [False]
    assert "none of the last 5 pages had its shape" in str(old[0].stale)


def test_pages_of_the_new_design_are_never_extracted_by_the_old_rule(site: Site) -> None:
    for seed in range(50, 55):
        doc = site.extract(article(seed, design="new"))
        assert doc.reasons, "extracted by a rule of the old design, without a note"
        assert not isinstance(doc.analysis, Application) or not doc.analysis.rules


def test_the_new_design_is_learned_after_enough_pages(site: Site) -> None:
    for seed in range(50, 58):
        site.extract(article(seed, design="new"))
    doc = site.extract(article(70, design="new"))
    assert isinstance(doc.analysis, Application)
    assert doc.analysis.rules
    assert list(doc.analysis.template.body.keep) == ["section.prose"]
    assert doc.text.endswith("\n\n".join(sentences(70, 6)))


def test_old_rules_keep_their_dates(site: Site) -> None:
    for seed in range(50, 58):
        site.extract(article(seed, design="new"))
    ended = [template for template in site.templates if template.valid_until]
    assert [template.valid_from for template in ended] == [DAY] * len(ended)
    assert any("#story" in template.body.keep for template in ended)


def test_a_kept_element_with_the_same_text_on_every_page_makes_its_template_stale(site: Site) -> None:
    frozen = " ".join(sentences(999, 4))
    for seed in range(50, 55):
        moved = article(seed).replace("<div id=story class=text>", f"<div id=story>{frozen}</div><div class=body2>")
        site.extract(moved)
    assert not site.templates[0].in_use
    assert "same-text-as-another-page" in str(site.templates[0].stale)


def test_a_stale_template_is_used_again_when_its_pages_return(site: Site) -> None:
    for seed in range(50, 54):
        site.extract(article(seed, design="new"))
    site.watch.pending.clear()  # prevents relearning
    for seed in range(60, 70):
        doc = site.extract(article(seed))
    assert isinstance(doc.analysis, Application)
    assert doc.analysis.rules


def test_short_articles_alone_do_not_make_a_template_stale(site: Site) -> None:
    for seed in range(50, 60):
        doc = site.extract(article(seed, paragraphs=1, comments=40))
        assert doc.text == sentences(seed, 1)[0]
        assert [reason.name for reason in doc.reasons] == ["auto-disagrees"]
    assert site.templates[0].in_use


def test_a_single_different_page_makes_no_template_stale(site: Site) -> None:
    site.extract("<title>Odd</title><p>Nothing of the kind, only a sentence that stands for itself.</p>")
    assert all(template.in_use for template in site.templates)


def test_a_template_that_fails_on_three_of_five_pages_is_stale() -> None:
    ok, doubt, failed = Health(Condition.OK), Health(Condition.DOUBTFUL, "why"), Health(Condition.FAILED, "why")
    assert stale_because([ok, failed, ok, failed], DEFAULT) is None
    assert stale_because([failed, ok, failed, ok, failed], DEFAULT) == "3 of the last 5 pages: why"
    assert stale_because([doubt, doubt, doubt], DEFAULT) is None
    assert stale_because([doubt, doubt, doubt, doubt], DEFAULT) == "4 of the last 4 pages: why"


def test_signals_survive_saving(site: Site) -> None:
    for seed in range(50, 53):
        site.extract(article(seed, design="new"))
    again = Site.from_json(site.to_json())
    assert {name: list(signals) for name, signals in again.watch.recent.items() if signals} == {
        name: list(signals) for name, signals in site.watch.recent.items() if signals
    }
