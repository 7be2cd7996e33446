"""What a token may do. A route declares it: ``dependencies=[Depends(needs("read"))]``."""

from collections.abc import Awaitable, Callable
from typing import Final, Literal, get_args

from starlette.requests import HTTPConnection

from bonmun.serve.problems import Problem

Scope = Literal["extract", "fetch", "read", "write"]
SCOPES: Final[frozenset[str]] = frozenset(get_args(Scope))
"""`extract`: pages sent; `fetch`: pages by URL; `read`: documents, sites, jobs, labels; `write`: change them."""


def require(connection: HTTPConnection, *scopes: Scope) -> None:
    """Raise a problem (403) unless the request's token has all of these scopes.

    For routes on which the scope depends on the body: a page by URL needs `fetch`.
    """
    given: frozenset[str] = getattr(connection.state, "scopes", frozenset())
    missing = [scope for scope in scopes if scope not in given]
    if missing:
        raise Problem(
            403,
            "missing scope",
            f"the token has no scope {' or '.join(missing)}; add a token with --scope {missing[0]}",
            "urn:bonmun:problem:missing-scope",
            {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{" ".join(scopes)}"'},
        )


def needs(*scopes: Scope) -> Callable[[HTTPConnection], Awaitable[None]]:
    """Return a dependency that lets a request pass if its token has all of these scopes.

    >>> from fastapi import APIRouter, Depends
    >>> router = APIRouter(prefix="/v1", dependencies=[Depends(needs("read"))])
    """

    async def check(connection: HTTPConnection) -> None:
        require(connection, *scopes)

    return check
