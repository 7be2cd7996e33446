from collections.abc import Iterator

import pytest

from tests.middleware.local_server import Server, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running
