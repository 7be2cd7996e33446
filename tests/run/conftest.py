"""A folder with a configuration, and a local server of pages."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.page_server import PageServer, serving

NETWORK = "[network]\nallow_private = true\nhonour_robots = false\ndelay = 0\nper_host = 4\nretries = 0\n"
SENTENCE = "The river rose in the night, and by morning the lower road was gone under brown water."


def page(number: int) -> bytes:
    """A page of its own title and text."""
    words = " ".join(f"word{number * 37 + other * 11}" for other in range(30))
    return f"<title>Page {number}</title><h1>Page {number}</h1><p>{SENTENCE} {words}.</p>".encode()


@pytest.fixture
def server() -> Iterator[PageServer]:
    with serving([page(number) for number in range(20)]) as running:
        yield running


@pytest.fixture
def configured(tmp_path: Path, server: PageServer) -> Callable[..., Path]:
    """Write a configuration that fetches all pages of the server with one worker; return its path."""

    def write(more: str = "", *, sources: str = '["urls:list.txt"]', network: str = NETWORK) -> Path:
        (tmp_path / "list.txt").write_text("\n".join(server.urls()), encoding="utf-8")
        config = tmp_path / "config.toml"
        config.write_text(f"sources = {sources}\n{more}\n{network}[extract]\nworkers = 1\n", encoding="utf-8")
        return config

    return write
