"""The same calls, answered by newspaper4k and by us. Theirs fetches pictures unless told not to, so it is told."""

import datetime
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from bonmun.compat import newspaper as ours
from tests.compat.comparison import BOILERPLATE, MAIN, PAGES, URL, shape, unlike_parameters
from tests.middleware.local_server import Server, answer, serving

theirs = pytest.importorskip("newspaper", reason="newspaper4k is not installed")

DESCRIBED = (
    '<html lang="en"><head><title>Tea</title><meta name="author" content="Ann Lee">'
    '<meta name="keywords" content="tea, milk">'
    '<meta property="og:image" content="https://example.org/tea.jpg"><meta name="description" content="On tea.">'
    '<meta property="og:site_name" content="The Post"><link rel="canonical" href="https://example.org/tea">'
    '<meta property="article:published_time" content="2026-05-16T07:30:00+01:00"></head><body><article><h1>Tea</h1>'
    + "<p>Tea is made of leaves, and of water that has just boiled. It came by ship from the east.</p>" * 6
    + "</article></body></html>"
)
ATTRIBUTES = (
    "url original_url source_url read_more_link title text text_cleaned html article_html authors publish_date"
    " top_image top_img meta_img images imgs movies keywords keyword_scores summary meta_description meta_lang"
    " meta_favicon meta_site_name meta_data meta_keywords canonical_link is_parsed download_exception_msg history"
).split()


def parsed(package: Any, page: str) -> Any:
    return package.Article(URL, fetch_images=False).download(input_html=page).parse()


def test_a_new_article_has_the_same_attributes() -> None:
    mine, other = (package.Article(URL, language="en") for package in (ours, theirs))
    assert {name: getattr(mine, name) for name in ATTRIBUTES} == {name: getattr(other, name) for name in ATTRIBUTES}
    assert mine.download_state.name == other.download_state.name == "NOT_STARTED"
    assert (mine.tags, mine.publish_date) == (other.tags, other.publish_date) == (set(), None)


@pytest.mark.parametrize("page", [DESCRIBED, PAGES["en-harbour"].decode()], ids=["described", "harbour"])
def test_a_parsed_article_has_attributes_of_the_same_types(page: str) -> None:
    mine, other = parsed(ours, page), parsed(theirs, page)
    for name in ATTRIBUTES:
        if name not in ("meta_data",):
            assert type(getattr(mine, name)) is type(getattr(other, name)), name
    assert mine.download_state.name == other.download_state.name == "SUCCESS"
    assert mine.html == other.html


@pytest.mark.parametrize("page", [DESCRIBED, PAGES["en-harbour"].decode()], ids=["described", "harbour"])
def test_metadata_has_the_same_values(page: str) -> None:
    mine, other = parsed(ours, page), parsed(theirs, page)
    names = "title authors publish_date meta_img meta_description meta_lang meta_site_name canonical_link images"
    for name in names.split():
        assert getattr(mine, name) == getattr(other, name), name
    assert isinstance(mine.publish_date, datetime.datetime)
    assert mine.meta_keywords == [word for word in other.meta_keywords if word]
    assert other.meta_data.items() <= mine.meta_data.items()


def test_the_text_is_the_main_text() -> None:
    page = PAGES["en-harbour"].decode()
    for text in (parsed(ours, page).text, ours.fulltext(page), parsed(theirs, page).text, theirs.fulltext(page)):
        assert MAIN["en-harbour"] in text
        assert not [part for part in BOILERPLATE if part in text]
    assert parsed(ours, page).article_html.startswith("<div>") and parsed(theirs, page).article_html.startswith("<div>")


def test_json_has_the_same_keys() -> None:
    mine, other = (parsed(package, DESCRIBED).to_json(as_string=False) for package in (ours, theirs))
    assert list(mine) == list(other)
    assert mine["publish_date"] == other["publish_date"]
    unlike = {name for name in mine if shape(mine[name]) != shape(other[name])}
    assert unlike == {"tags"}  # theirs is None where there are none


@pytest.mark.parametrize("call", ["parse", "nlp", "to_json"])
def test_a_call_too_early_is_an_article_exception(call: str) -> None:
    for package in (ours, theirs):
        with pytest.raises(package.ArticleException):
            getattr(package.Article(URL), call)()


def test_a_page_without_text_is_parsed_by_both() -> None:
    for package in (ours, theirs):
        article = parsed(package, "<html><body></body></html>")
        assert (article.title, article.text, article.authors, article.publish_date) == ("", "", [], None)
        assert article.is_parsed and article.article_html == "" and package.fulltext("<p>") == ""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running


@pytest.fixture
def configurations(monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    made = {package: package.Config() for package in (ours, theirs)}
    made[ours].allow_private = True
    for config in made.values():
        config.fetch_images, config.request_timeout, config.browser_user_agent = False, 5, "tea/1"
    return made


def test_a_download_is_parsed(server: Server, configurations: dict[Any, Any]) -> None:
    url = server.serve(
        answer(PAGES["en-harbour"], Content_Type="text/html; charset=utf-8", Connection="close"), "/page"
    )
    for package, config in configurations.items():
        article = package.Article(url, config=config)
        assert article.download() is article and article.parse() is article
        assert MAIN["en-harbour"] in article.text
        assert article.download_state.name == "SUCCESS" and article.html == PAGES["en-harbour"].decode()
        assert package.article(url, config=config).title == article.title
    assert all("user-agent: tea/1" in request.lower() for request in server.requests)


def test_a_failed_download_is_a_state_and_then_an_exception(server: Server, configurations: dict[Any, Any]) -> None:
    url = server.serve(answer(b"<p>gone", "404 Not Found", Content_Type="text/html", Connection="close"), "/gone")
    for package, config in configurations.items():
        article = package.Article(url, config=config).download()
        assert article.download_state.name == "FAILED_RESPONSE" and "404" in article.download_exception_msg
        with pytest.raises(package.ArticleException, match="404"):
            article.parse()
        with pytest.raises(package.ArticleException, match="404"):
            package.article(url, config=config)


@pytest.mark.parametrize("name", ["article", "build_article", "fulltext"])
def test_every_parameter_of_a_function_is_one_of_ours_in_the_same_place(name: str) -> None:
    assert unlike_parameters(getattr(theirs, name), getattr(ours, name)) == []


@pytest.mark.parametrize("name", ["__init__", "download", "parse", "nlp", "build", "to_json"])
def test_every_parameter_of_a_method_is_one_of_ours_in_the_same_place(name: str) -> None:
    assert unlike_parameters(getattr(theirs.Article, name), getattr(ours.Article, name)) == []


def test_every_setting_of_theirs_is_known() -> None:
    other = theirs.Config()
    private = {"requests_params", *(name for name in vars(other) if name.startswith("_"))}
    properties = {name for name, _ in inspect.getmembers(type(other), lambda value: isinstance(value, property))}
    missing = [name for name in {*vars(other), *properties} - private if not hasattr(ours.Config(), name)]
    assert missing == []
    for name in ("max_text", "max_title", "max_keywords", "max_authors", "max_summary", "max_summary_sent", "language"):
        assert getattr(ours.Config(), name) == getattr(other, name), name
