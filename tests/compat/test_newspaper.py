"""What `bonmun.compat.newspaper` does whether newspaper4k is installed or not."""

import json

import pytest

import bonmun
from bonmun.compat import newspaper
from bonmun.compat.arguments import IgnoredArgument
from tests.compat.comparison import MAIN, PAGES, URL

VIDEO = '<iframe src="https://www.youtube.com/embed/abc" title="The ship"></iframe>'
PAGE = (
    f"<html><head><title>Tea</title></head><body><article><h1>Tea</h1><p>{'Tea is made of leaves and water. ' * 8}</p>"
    f"{VIDEO}<figure><img src='/pot.jpg' alt='A pot'></figure><p>{'It came by ship from the east. ' * 8}</p></article>"
    "</body></html>"
)


def parsed(page: str | bytes, **settings: object) -> newspaper.Article:
    return newspaper.Article(URL, **settings).download(page).parse()  # type: ignore[arg-type]


def test_keywords_and_summary_come_with_nlp() -> None:
    article = parsed(PAGES["en-harbour"])
    assert (article.keywords, article.summary) == ([], "")
    article.config.max_keywords, article.config.max_summary_sent = 5, 2
    article.nlp()
    assert article.keywords == list(article.keyword_scores) and len(article.keywords) == 5
    assert {"ferry", "bath"} <= {*article.keywords}
    assert len(article.summary.split("\n")) == 2
    assert all(sentence in article.text for sentence in article.summary.split("\n"))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_in_any_language_needs_no_data_of_nltk(name: str) -> None:
    article = parsed(PAGES[name])
    assert article.meta_lang == name[:2] and MAIN[name] in article.text
    if name != "ko-harbour":  # loading its analyser takes seconds
        article.nlp()
        assert article.keywords and article.summary


def test_pictures_and_videos_are_absolute() -> None:
    article = parsed(PAGE)
    assert article.images == ["https://example.org/pot.jpg"] and article.top_image == article.images[0]
    assert article.movies == ["https://www.youtube.com/embed/abc"]


def test_lengths_of_the_configuration_hold() -> None:
    config = newspaper.Config()
    config.MAX_TEXT, config.MAX_TITLE = 10, 2
    article = newspaper.Article(URL, config=config).download(PAGE).parse()
    assert (len(article.text), article.title) == (10, "Te")
    config.max_text = 20
    assert article.config.max_text == 10  # an article has a copy


def test_a_title_is_the_default_of_a_page_without_one() -> None:
    page = "<html><body><p>It came by ship from the east, and took half a year to arrive.</p></body></html>"
    assert parsed(page, title="Given").title == "Given"
    assert newspaper.Article(URL).download(page, title="Given").parse().title == "Given"
    assert parsed(PAGE, title="Given").title == "Tea"


def test_a_private_address_is_a_failed_download() -> None:
    article = newspaper.Article("http://127.0.0.1/").download()
    assert article.download_state is newspaper.ArticleDownloadState.FAILED_RESPONSE
    with pytest.raises(newspaper.ArticleException, match="is not a public address") as caught:
        article.parse()
    assert isinstance(caught.value, bonmun.BonmunError)
    assert newspaper.Article("file:///etc/hostname").download().html == ""


def test_an_article_is_parsed_again_from_another_page() -> None:
    article = parsed(PAGES["en-harbour"])
    article.nlp()
    article.download(PAGES["ko-harbour"]).parse()
    assert MAIN["ko-harbour"] in article.text and article.meta_lang == "ko" and article.keywords == []


def test_a_page_beyond_the_limits_is_an_article_exception() -> None:
    with pytest.raises(newspaper.ArticleException, match="20,000,000"):
        parsed("<p>" + "x" * 20_000_001)


def test_settings_without_effect_warn_and_unknown_ones_are_type_errors() -> None:
    with pytest.warns(IgnoredArgument, match="proxies") as caught:
        newspaper.Article(URL, proxies={"http": "http://example.org"})
    assert caught[0].filename == __file__
    with pytest.warns(IgnoredArgument, match="follow_meta_refresh") as caught:
        newspaper.Config().update(follow_meta_refresh=True)
    assert caught[0].filename == __file__
    with pytest.raises(TypeError, match="colour"):
        newspaper.Article(URL, colour="red")
    with pytest.raises(AttributeError, match="COLOUR"):
        newspaper.Config().COLOUR  # noqa: B018


def test_json_is_all_of_it() -> None:
    article = parsed(PAGES["ko-harbour"], language="ko")
    data = json.loads(article.to_json())
    assert data == article.to_json(as_string=False)
    assert (data["publish_date"], data["language"], data["authors"]) == ("2026-03-14T09:30:00+09:00", "ko", ["이바람"])
