"""A service with one worker, for all tests of a file."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

testclient = pytest.importorskip("fastapi.testclient", reason="the extra `serve` is not installed")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    from bonmun.limits import Limits
    from bonmun.serve.app import create_app
    from bonmun.serve.settings import ServeSettings

    limits = Limits(seconds=60)  # on a busy machine the Korean analyser alone takes more than 10 s to load
    with testclient.TestClient(create_app(ServeSettings(store=":memory:", workers=1, limits=limits))) as client:
        yield client


@pytest.fixture
def ask(client: Any) -> Callable[..., Any]:
    """Post JSON to a route and return the answer, which has to fit the declared schema."""
    schema = client.app.openapi()

    def posted(path: str, **body: Any) -> Any:
        import jsonschema

        answer = client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        declared = schema["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(answer.json(), {**declared, "components": schema["components"]})
        return answer.json()

    return posted
