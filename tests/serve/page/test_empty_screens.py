"""The screens of a service that has nothing yet: each says how to fill it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from bonmun.serve.settings import ServeSettings
from tests.serve.page.watched import TIMEOUT, Watched, accessible, running, screenshot

expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with an empty store."""
    with running(ServeSettings(store=str(tmp_path_factory.mktemp("empty") / "store.db"), workers=1)) as address:
        yield address


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("archive", "The archive is empty"),
        ("archive#corrections", "No corrections yet"),
        ("jobs", "No jobs yet"),
        ("sites", "No site has been learned yet"),
    ],
)
def test_an_empty_screen_says_how_to_fill_it(screen: Watched, path: str, title: str) -> None:
    screen.page.goto("about:blank")  # else another fragment would not load anew
    page = screen.open(f"/{path}")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    if path == "archive":
        expect(page.get_by_role("link", name="Start a crawl")).to_have_attribute("href", "/jobs")
    if path == "jobs":
        expect(page.get_by_text("Nothing measured yet")).to_be_visible()
    accessible(page)
    screenshot(page, f"{path.partition('#')[0]}-empty")
