"""One function builds documents: its arguments, and that every way to it gives the same document."""

import copy
import datetime
from pathlib import Path

import pytest

import bonmun
from bonmun import registry
from tests.sites.make import article, articles

DAY = datetime.date(2026, 11, 15)
FRONT = "https://daily.example/"  # a front page: its date is not read without a rule for it
OTHER_KIND = "<title>About</title><h1>About us</h1><p>We have been printing this paper for a hundred years.</p>"


@pytest.fixture
def site() -> bonmun.Site:
    return bonmun.Site.learn(articles(8), host="daily.example", today=DAY)


@pytest.fixture
def library(site: bonmun.Site, tmp_path: Path) -> bonmun.SiteLibrary:
    library = bonmun.SiteLibrary(tmp_path)
    library.add(site)
    return library


def same(one: bonmun.Document, *others: bonmun.Document) -> bool:
    return all(one == other and one.to_json() == other.to_json() for other in others)


@pytest.mark.parametrize("html", [article(50), article(60, paragraphs=1, comments=40), OTHER_KIND])
@pytest.mark.parametrize("prefer", ["balance", "recall"])
def test_every_way_to_use_a_site_gives_the_same_document(
    site: bonmun.Site, library: bonmun.SiteLibrary, html: str, prefer: str
) -> None:
    page, fresh = bonmun.read_page(html, url=FRONT), copy.deepcopy  # a site records each page
    document = fresh(site).extract(html, url=FRONT, prefer=prefer)
    assert document.method == "template"
    assert same(
        document,
        fresh(site).extract(page, prefer=prefer),
        bonmun.extract(html, url=FRONT, method=fresh(site), prefer=prefer),
        bonmun.extract(html, url=FRONT, sites=fresh(library), prefer=prefer),
        bonmun.extract(html, url=FRONT, sites=fresh(site), prefer=prefer),
        bonmun.extract(html, url=FRONT, sites=fresh(library), method="template", prefer=prefer),
        bonmun.extract(page, sites=fresh(library), prefer=prefer),
    )


def test_the_rules_of_a_template_read_metadata_whoever_calls(site: bonmun.Site, library: bonmun.SiteLibrary) -> None:
    assert bonmun.extract(article(50), url=FRONT).date is None
    expected = datetime.date(2024, 3, 23)
    assert site.extract(article(50), url=FRONT).date == expected
    assert bonmun.extract(article(50), url=FRONT, method=site).date == expected
    assert bonmun.extract(article(50), url=FRONT, sites=library).date == expected
    assert bonmun.extract(article(50), url=FRONT, sites=library, abstain_below=1.0).date == expected


def test_a_preference_goes_to_the_fallback_of_a_site(site: bonmun.Site) -> None:
    for prefer in ("precision", "recall"):
        alone = bonmun.extract(OTHER_KIND, prefer=prefer)
        document = bonmun.extract(OTHER_KIND, sites=site, prefer=prefer)
        assert [reason.name for reason in document.reasons] == ["rule-missing"]
        assert (list(document.verdicts.keep), document.confidence) == (list(alone.verdicts.keep), alone.confidence)


def test_the_fallback_of_a_site_favours_recall_if_asked(site: bonmun.Site) -> None:
    doubtful = "".join(f"<div><div>{word} of the day, {word} again</div></div>" for word in "tea rain sea boat".split())
    doubtful = f"<h1>About</h1>{doubtful * 8}<p>We have been printing this paper for a hundred years, and more.</p>"
    few, many = (site.extract(doubtful, prefer=prefer).blocks for prefer in ("precision", "recall"))
    alone = (bonmun.extract(doubtful, prefer=prefer).blocks for prefer in ("precision", "recall"))
    assert [len(few), len(many)] == [len(blocks) for blocks in alone]
    assert len(few) < len(many)


def test_a_preference_changes_neither_the_rule_of_a_template_nor_what_a_site_records() -> None:
    texts, recorded = [], []
    for prefer in ("precision", "balance", "recall"):
        site = bonmun.Site.learn(articles(8), host="daily.example", today=DAY)
        texts.append([site.extract(html, prefer=prefer).text for html in (article(50), article(51))])
        site.extract(article(52, design="new"), prefer=prefer)
        recorded.append((site.to_json(), dict(site.watch.earlier), len(site.watch.pending)))
    assert texts[0] == texts[1] == texts[2]
    assert recorded[0] == recorded[1] == recorded[2]


def test_the_method_template_without_a_site_supports_a_preference() -> None:
    for prefer in ("precision", "recall"):
        document = bonmun.extract(article(50), method="template", prefer=prefer)
        assert document.text == bonmun.extract(article(50), prefer=prefer).text
        assert [reason.name for reason in document.reasons] == ["no-site"]


def test_a_method_that_does_not_support_a_preference_says_so() -> None:
    with pytest.raises(bonmun.UnsupportedPreference, match="method 'xpath' does not support prefer='recall'"):
        bonmun.extract("<p>Tea", method="xpath", prefer="recall")
    with pytest.raises(bonmun.UnknownName, match="no preference named 'all'; there are: balance, precision, recall"):
        bonmun.extract("<p>Tea", method="xpath", prefer="all")


def test_a_site_takes_limits(site: bonmun.Site) -> None:
    with pytest.raises(bonmun.LimitExceeded, match=r"Limits\.bytes"):
        site.extract(article(50), limits=bonmun.Limits(bytes=100))
    with pytest.raises(bonmun.LimitExceeded, match=r"Limits\.nodes"):
        site.extract(article(50), limits=bonmun.Limits(nodes=10))


def test_the_limit_on_bytes_counts_those_of_a_text_in_utf8() -> None:
    text = "<p>" + "바" * 30  # 33 characters, 93 bytes
    for limit in (32, 60, 92):
        with pytest.raises(bonmun.LimitExceeded):
            bonmun.extract(text, limits=bonmun.Limits(bytes=limit))
        with pytest.raises(bonmun.LimitExceeded):
            bonmun.extract(text.encode(), limits=bonmun.Limits(bytes=limit))
    assert bonmun.extract(text, limits=bonmun.Limits(bytes=93)).text == "바" * 30


def test_a_page_can_be_read_once_and_judged_by_several_methods() -> None:
    page = bonmun.read_page(article(50), url=FRONT)
    for method in ("auto", "xpath", "density"):
        assert same(bonmun.extract(page, method=method), bonmun.extract(article(50), url=FRONT, method=method))


def test_an_unknown_group_of_the_registry_is_an_error() -> None:
    assert registry.names("methods") == sorted(registry.names("methods"))
    with pytest.raises(bonmun.UnknownName, match="'nonsense'; there are: formats, methods"):
        registry.names("nonsense")
