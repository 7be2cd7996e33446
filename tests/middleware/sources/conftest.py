from collections.abc import Iterator

import pytest

from tests.middleware.local_server import Server, serving
from tests.middleware.sources.local_network import LocalNetwork, Missing


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    server.answers = Missing()  # type: ignore[assignment]
    with serving(server) as running:
        yield running


@pytest.fixture
def network() -> LocalNetwork:
    return LocalNetwork()
