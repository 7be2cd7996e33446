from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")
pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")

from fastapi.testclient import TestClient

from bonmun.limits import Limits
from bonmun.serve.app import create_app
from bonmun.serve.settings import ServeSettings
from tests.middleware.local_server import Server, serving
from tests.serve.api.hard_work import with_hard_work
from tests.serve.api.live import Live, live

if TYPE_CHECKING:
    from fastapi import FastAPI


@pytest.fixture(scope="module")
def app() -> "FastAPI":
    limits = Limits(seconds=10.0, bytes=2_000_000)
    return create_app(ServeSettings(store=":memory:", workers=1, allow_private=True, limits=limits))


@pytest.fixture(scope="module")
def client(app: "FastAPI") -> Iterator[TestClient]:
    """A client in the same process."""
    with TestClient(app) as started:
        yield started


@pytest.fixture(scope="module")
def served() -> Iterator[Live]:
    """A service with two workers on a real server, with routes for work that dies."""
    settings = ServeSettings(store=":memory:", workers=2, queue=4, memory=1 << 29, allow_private=True)
    with live(settings, with_hard_work) as running:
        yield running


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    """A web site on the loopback interface."""
    with serving(Server()) as server:
        yield server
