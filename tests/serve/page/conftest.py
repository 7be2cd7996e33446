"""Fixtures of the screens: a running service, Chromium, watched pages."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import chromium

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")
pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")

from bonmun.limits import Limits
from bonmun.serve.settings import ServeSettings
from tests.serve.page.watched import Watched, running, watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")  # not longer: other tests count the processes of theirs
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that may fetch from loopback addresses."""
    store = tmp_path_factory.mktemp("service") / "store.db"
    limits = Limits(seconds=60)  # a busy machine is slow, and tests of the limit have a service of their own
    with running(ServeSettings(store=str(store), workers=1, allow_private=True, limits=limits)) as address:
        yield address


@pytest.fixture(scope="module")  # not longer: other tests start a playwright of their own, and two cannot run at once
def browser() -> Iterator["Browser"]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def screen(browser: "Browser", service: str) -> Iterator[Watched]:
    """A wide English page in light colours, shared by the tests of a module; each opens its own address."""
    with watched(browser, service, color_scheme="light") as page:
        yield page


@pytest.fixture
def open_screen(browser: "Browser", service: str) -> Iterator[Callable[..., Watched]]:
    """Open further pages: `open_screen(locale="ko-KR", viewport=NARROW, color_scheme="dark")`."""
    opened = []

    def start(**options: Any) -> Watched:
        manager = watched(browser, service, **options)
        opened.append(manager)
        return manager.__enter__()

    yield start
    for manager in reversed(opened):
        manager.__exit__(None, None, None)
