"""What all screens share: words in both languages, static files, theme, keys."""

import re
from collections.abc import Callable

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from fastapi.testclient import TestClient

from bonmun.serve.app import create_app
from bonmun.serve.page.languages import LANGUAGES, words
from bonmun.serve.page.static_files import static_files, static_url
from tests.serve.page.watched import NARROW, Watched, accessible, screenshot

SCREENS = ("/", "/compare", "/sites", "/sites/example.org", "/archive", "/archive/1", "/jobs")


def test_all_languages_have_the_same_words_with_the_same_placeholders() -> None:
    def placeholders(language: str) -> dict[str, set[str]]:
        return {name: set(re.findall(r"\{(\w+)\}", text)) for name, text in words(language).items()}

    first, *others = (placeholders(language) for language in LANGUAGES)
    assert others == [first] * len(others)


def test_static_files_are_cached_by_version() -> None:
    client = TestClient(create_app())  # without its lifespan: no workers
    new = client.get(static_url("base.css"))
    assert new.headers["content-type"].startswith("text/css") and "immutable" in new.headers["cache-control"]
    assert client.get(static_url("base.css"), headers={"if-none-match": new.headers["etag"]}).status_code == 304
    assert client.get("/static/base.css").headers["cache-control"] == "no-cache"
    assert client.get("/static/v-0/base.css").headers["cache-control"] == "no-cache"
    for path in ("/static/missing.js", "/static/../views.py", "/static/%2e%2e/views.py", "/static/v-0/../base.css/.."):
        assert client.get(path).status_code == 404


def test_no_static_file_loads_anything_from_elsewhere() -> None:
    for name, file in static_files().items():
        if name.startswith("samples/"):
            continue  # pages to extract, never shown as they are
        text = file.content.decode()
        assert not re.search(r"(?:src|href|import|from|url\()\s*[=(]?\s*[\"']?(?:https?:)?//", text), name
        assert "innerHTML" not in text and "insertAdjacentHTML" not in text and "eval(" not in text, name


@pytest.mark.parametrize("path", SCREENS)
def test_a_screen_is_in_the_language_asked_for(path: str) -> None:
    client = TestClient(create_app())
    english = client.get(path, headers={"accept-language": "en"})
    assert '<html lang="en"' in english.text and "default-src 'none'" in english.headers["content-security-policy"]
    assert '<html lang="ko"' in client.get(path, params={"lang": "ko"}).text
    assert '<html lang="ko"' in client.get(path).text  # remembered


def test_theme_language_and_keys(open_screen: Callable[..., Watched]) -> None:
    watched = open_screen(color_scheme="light")
    page = watched.open("/")
    root = page.locator("html")
    page.get_by_role("button", name="Theme").click()
    page.get_by_role("button", name="Theme").click()
    assert root.get_attribute("data-theme") == "dark"
    page.reload()
    assert root.get_attribute("data-theme") == "dark"
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    accessible(page)
    screenshot(page, "help-dark")
    page.keyboard.press("Escape")
    with page.expect_navigation():
        page.get_by_role("link", name="KO").click()
    page.get_by_role("link", name="비교").wait_for()
    page.keyboard.press("g")
    page.keyboard.press("a")
    page.wait_for_url("**/archive")
    assert page.get_by_role("link", name="보관함").get_attribute("aria-current") == "page"


def test_the_header_fits_a_phone(open_screen: Callable[..., Watched]) -> None:
    page = open_screen(viewport=NARROW, locale="ko-KR").open("/archive")
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    accessible(page)
    screenshot(page, "shell-narrow")
