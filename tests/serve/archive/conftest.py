"""A service with an empty store in a file, and its client."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

testclient = pytest.importorskip("fastapi.testclient", reason="the extra `serve` is not installed")

from bonmun.serve.app import create_app  # noqa: E402
from bonmun.serve.settings import ServeSettings  # noqa: E402


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One service for all tests: workers take a while to start."""
    folder: Path = tmp_path_factory.mktemp("service")
    settings = ServeSettings(store=str(folder / "store.db"), workers=1, allow_private=True)
    with testclient.TestClient(create_app(settings), base_url="http://127.0.0.1:8117") as client:
        yield client


@pytest.fixture
def client(running: Any) -> Any:
    """The client of a service whose store is empty."""
    store = running.app.state.service.store
    for hit in store.find(limit=1000):
        store.delete(hit.document_id)
    return running


@pytest.fixture
def stored(client: Any) -> Callable[..., dict[str, Any]]:
    """Store a page with some paragraphs."""

    def store(path: str, *paragraphs: str, **head: str) -> dict[str, Any]:
        answer = client.post("/v1/documents", json={"html": page(*paragraphs, **head), "url": f"https://{path}"})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return store


def page(*paragraphs: str, title: str = "Tea", language: str = "en") -> str:
    """A page with a menu and an article."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    menu = "<nav><a href=/>Home</a> <a href=/news>News</a></nav>"
    return f"<html lang={language}><title>{title}</title><body>{menu}<article><h1>{title}</h1>{text}</article>"
