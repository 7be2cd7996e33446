import datetime
import threading

import pytest

import bonmun
from bonmun.errors import InputError
from bonmun.sites.application import Application
from bonmun.sites.parameters import Parameters
from bonmun.sites.site import Site, host_of
from tests.sites.make import article, articles, sentences

DAY = datetime.date(2026, 11, 15)


@pytest.fixture
def site() -> Site:
    return Site.learn(articles(8), host="daily.example", today=DAY)


def body(seed: int, paragraphs: int = 6) -> str:
    return "\n\n".join(sentences(seed, paragraphs))


def application(doc: bonmun.Document) -> Application:
    assert isinstance(doc.analysis, Application)
    return doc.analysis


def test_the_rule_names_the_element_that_holds_the_body(site: Site) -> None:
    template = site.templates[0]
    assert list(template.body.keep) == ["#story"]
    assert template.pages == 8
    assert template.valid_from == DAY
    assert template.agreement > 0.8


def test_a_new_page_is_extracted_by_the_rule(site: Site) -> None:
    doc = site.extract(article(50))
    assert doc.text.removeprefix(doc.title or "").strip() == body(50)
    assert doc.method == "template"
    assert application(doc).template.name == "t1"
    assert str(application(doc).health) == "ok"


def test_a_promotion_inside_the_body_is_dropped_because_it_recurs(site: Site) -> None:
    assert "Subscribe" in article(50)
    assert "Subscribe" not in site.extract(article(50)).text


def test_a_short_article_under_long_comments_is_still_found(site: Site) -> None:
    page = article(60, paragraphs=1, comments=40)
    assert body(60, 1) not in bonmun.extract(page).text  # one page alone misleads
    assert site.extract(page).text == body(60, 1)


def test_every_block_says_which_selector_decided(site: Site) -> None:
    reasons = {block.text: str(block.reasons[0]) for block in site.extract(article(50)).all_blocks}
    assert reasons[sentences(50, 1)[0]] == "template-rule: t1: #story"
    assert reasons["Weather"] == "outside-template-rule: t1"
    assert reasons["Subscribe to The Daily now and pay nothing in May."].startswith(
        ("recurring-text", "template-rule-drops")
    )


def test_fields_are_learned_as_rules_too(site: Site) -> None:
    assert site.templates[0].fields == {"title": "div.head > h1", "date": "div.when"}
    doc = site.extract(article(33))
    assert doc.title == "What the guitar of 33 told us"
    assert doc.date == datetime.date(2024, 3, 6)


def test_a_date_that_only_some_pages_declare_is_read_by_the_rule_on_the_others() -> None:
    declared = "<meta property=article:published_time content=2024-03-{:02d}>"
    hidden = [html.replace("10:30", "").replace("2024-03-", "2024. 3. ") for html in articles(6, start=20)]
    site = Site.learn([*(declared.format(seed % 28 + 1) + article(seed) for seed in range(6)), *hidden], today=DAY)
    assert site.templates[0].fields["date"] == "div.when"
    url = "https://daily.example/"  # the date on a front page is not taken for the page's own
    assert bonmun.extract(article(33), url=url).date is None
    assert site.extract(article(33), url=url).date == datetime.date(2024, 3, 6)
    assert site.extract(article(33).replace("class=when", "class=then"), url=url).date is None


def test_learning_needs_a_few_pages() -> None:
    with pytest.raises(InputError, match="2 pages; a template needs 3"):
        Site.learn(articles(2))


def test_the_host_defaults_to_that_of_the_pages() -> None:
    pages = [bonmun.read_page(html, url=f"https://www.daily.example/{at}") for at, html in enumerate(articles(4))]
    assert Site.learn(pages).host == "daily.example"
    assert host_of("http://user@NEWS.example.org:80/x") == "news.example.org"
    assert host_of("http://[bad") == ""


def test_two_templates_have_a_rule_each() -> None:
    site = Site.learn([*articles(6), *articles(6, start=20, design="new")], today=DAY)
    assert {selector for template in site.templates[:2] for selector in template.body.keep} == {
        "#story",
        "section.prose",
    }
    assert application(site.extract(article(70, design="new"))).template.body.keep.keys() == {"section.prose"}
    assert application(site.extract(article(70))).template.body.keep.keys() == {"#story"}


def test_one_article_saved_twice_is_no_boilerplate() -> None:
    site = Site.learn([article(seed % 3) for seed in range(9)], today=DAY)
    assert site.extract(article(50)).text.endswith(body(50))
    assert body(1) in site.extract(article(1)).text


def test_a_page_of_another_kind_is_left_to_auto_and_a_note_says_so(site: Site) -> None:
    page = "<title>About</title><h1>About us</h1><p>We have been printing this paper for more than a hundred years.</p>"
    doc = site.extract(page)
    assert doc.text == bonmun.extract(page).text
    assert [reason.name for reason in doc.reasons] == ["rule-missing"]


def test_explain_says_what_was_picked_on_each_page_and_why(site: Site) -> None:
    explained = site.explain([bonmun.read_page(article(50), url="https://daily.example/50"), article(51, design="new")])
    assert "keep  #story  (100% of the body)" in explained
    assert "https://daily.example/50: t1 (similarity 100%)" in explained
    assert "#story: not on this page" in explained
    assert "no template holds" in explained


def test_the_same_pages_give_the_same_site() -> None:
    one, other = (Site.learn(articles(8), host="x.example", today=DAY).to_json() for _ in range(2))
    assert one == other


def test_extraction_and_learning_leave_pages_unchanged(site: Site) -> None:
    pages = [bonmun.read_page(html) for html in articles(6, start=50)]
    site.extract(pages[0])
    site.update(pages, today=DAY)
    Site.learn(pages, today=DAY)
    assert pages == [bonmun.read_page(html) for html in articles(6, start=50)]
    assert pages[0] != pages[1]


def test_a_site_is_a_method(site: Site) -> None:
    assert bonmun.extract(article(50), method=site).text == site.extract(article(50)).text


def test_update_counts_pages_that_fit_and_learns_what_does_not(site: Site) -> None:
    site.update(articles(3, start=30), today=DAY)
    assert site.templates[0].pages == 11
    site.update(articles(4, start=40, design="new"), today=datetime.date(2026, 12, 1))
    new = [template for template in site.templates if "section.prose" in template.body.keep]
    assert new[0].valid_from == datetime.date(2026, 12, 1)
    assert application(site.extract(article(70, design="new"))).template.name == new[0].name
    assert application(site.extract(article(71))).template.name == "t1"


def test_a_site_may_be_shared_between_threads(site: Site) -> None:
    failed: list[object] = []

    def work(seed: int) -> None:
        for number in range(20):
            if not site.extract(article(seed + number)).text.endswith(body(seed + number)):
                failed.append(seed)

    threads = [threading.Thread(target=work, args=(100 * at,)) for at in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_parameters_can_be_set() -> None:
    with pytest.raises(InputError):
        Site.learn(articles(8), parameters=Parameters(least_pages=9))
