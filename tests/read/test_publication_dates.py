from datetime import date, datetime, timedelta, timezone

import pytest

from tests.read.metadata_pages import ld, meta, read


@pytest.mark.parametrize(
    "html",
    [
        ld(**{"@type": "Article", "datePublished": "2024-03-05T10:00:00Z", "dateModified": "2024-03-09"}),
        meta(article__published_time="2024-03-05T10:00:00+09:00", article__modified_time="2024-03-09"),
        meta(dc__date="x", date="2024-03-05"),
        '<span itemprop="datePublished" content="2024-03-05">Tuesday</span>',
        "<h1>Green tea</h1><time datetime=2024-03-05>Tuesday</time>",
        "<h1>Green tea</h1><p>Updated <time datetime=2024-03-09></time><p>Published <time>March 5, 2024</time>",
        "<h1>Green tea</h1><p>Jane Doe · 5 March 2024</p>",
        "<p>2024.03.05 10:00</p><h1>차 끓이는 법</h1>",
    ],
)
def test_the_publication_date_is_found(html: str) -> None:
    assert read(html).date == date(2024, 3, 5)


@pytest.mark.parametrize(
    "html",
    [
        ld(**{"@type": "Article", "dateModified": "2024-03-05"}),
        meta(article__modified_time="2024-03-05"),
        "<h1>Green tea on March 5, 2024</h1><p>Leaves.</p>",
        f"<h1>Green tea</h1><p>{'It was drunk by many people. ' * 9} On March 5, 2024 they stopped.</p>",
        f"<h1>Green tea</h1>{'<p>Leaves.</p>' * 40}<p>March 5, 2024</p>",
        f"{meta(og__type='product')}<h1>Green tea</h1><p>Sale until March 5, 2024</p>",
    ],
)
def test_other_dates_are_not_the_publication_date(html: str) -> None:
    assert read(html).date is None


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Green tea</h1><p class=updated><time datetime=2024-03-05>Tuesday</time></p>",
        "<h1>Green tea</h1><p>Last updated: March 5, 2024</p>",
    ],
)
def test_the_shown_date_of_the_last_change_is_the_date_if_there_is_no_other(html: str) -> None:
    data = read(html)
    assert data.date == date(2024, 3, 5)
    assert data.modified == datetime(2024, 3, 5)


def test_a_shown_publication_date_before_the_declared_one_wins() -> None:
    html = "<h1>Green tea</h1><p>Published March 5, 2024</p><p>Leaves.</p>"
    assert read(ld(**{"@type": "Article", "datePublished": "2025-01-01"}) + html).date == date(2024, 3, 5)
    assert read(ld(**{"@type": "Article", "datePublished": "2024-01-01"}) + html).date == date(2024, 1, 1)


@pytest.mark.parametrize(
    "html",
    [
        "<title>Tea</title><p>Leaves.</p><p>2024-03-05 10:15 Source: The Leaf</p><p>More leaves.</p>",
        "<title>Tea</title><p>Leaves.</p><time datetime=2024-03-05>Tuesday</time>",
        f"<h1>Tea</h1>{'<p>Leaves.</p>' * 40}<p>Posted on March 5, 2024</p>",
        meta(w_published_date="2024-03-05"),
    ],
)
def test_a_date_is_found_without_a_headline_and_far_from_it(html: str) -> None:
    assert read(html).date == date(2024, 3, 5)


@pytest.mark.parametrize(
    "line", ["Joined: March 5, 2024", "1/27/2026 - 3/24/2026", "Deadline to apply: March 5, 2024", "2.53.0 2026-02-02"]
)
def test_lines_with_other_dates_far_from_a_headline_are_left_alone(line: str) -> None:
    assert read(f"<h1>Tea</h1>{'<p>Leaves.</p>' * 10}<p>{line}</p>").date is None


def test_published_has_time_and_zone_and_modified_is_the_last_change() -> None:
    data = read(
        ld(**{"@type": "Article", "datePublished": "2024-03-05T23:30:00-05:00", "dateModified": "2024-03-06"}),
        "https://leaf.example/2024/03/05/tea",
    )
    assert data.published == datetime(2024, 3, 5, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert data.modified == datetime(2024, 3, 6)
    assert (data.iso_published, data.iso_modified) == ("2024-03-05T23:30:00-05:00", "2024-03-06")


def test_a_change_before_the_publication_is_no_change() -> None:
    html = ld(**{"@type": "Article", "datePublished": "2024-03-05", "dateModified": "2020-01-01"})
    assert read(html).modified is None


@pytest.mark.parametrize("path", ["/2024/mar/5/tea", "/2024/march/05/tea", "/20240305/tea.html", "/2024-03/05/c1.html"])
def test_dates_in_urls(path: str) -> None:
    assert read("<p>Leaves.</p>", f"https://leaf.example{path}").date == date(2024, 3, 5)


def test_the_date_in_the_url_is_the_local_date_of_the_site() -> None:
    url = "https://leaf.example/2024/03/05/green-tea"
    assert read("<h1>Green tea</h1>", url).date == date(2024, 3, 5)
    assert read(meta(article__published_time="2024-03-06T01:00:00Z"), url).date == date(2024, 3, 5)
    assert read(meta(article__published_time="2024-02-01"), url).date == date(2024, 2, 1)


def test_numeric_dates_are_parsed_in_the_order_of_the_language() -> None:
    html = "<h1>Tee</h1><p>03.04.2024</p>"
    assert read(f"<html lang=de>{html}").date == date(2024, 4, 3)
    assert read(f"<html lang=en>{html}").date is None


def test_a_box_named_after_reading_is_not_one_of_other_articles() -> None:
    box = '<div class="article-read-panel"><span class="publish-text">2022-02-14 03:01</span></div>'
    assert read(f"<h1>Tea on Sunday</h1>{box}<p>Tea is made of leaves.").date == date(2022, 2, 14)
    related = box.replace("article-read-panel", "most-read")
    assert read(f"<h1>Tea on Sunday</h1>{related}<p>Tea is made of leaves.").date is None
