"""What the routes are given: the service, and who asks.

Dependencies are coroutines: FastAPI runs a plain function in a thread, at the cost of two switches for each request.
"""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from bonmun.serve.service import Service


async def service_of(connection: HTTPConnection) -> Service:
    """Return the running service."""
    service: Service = connection.app.state.service
    return service


async def owner_of(connection: HTTPConnection) -> str:
    """Return the name of the token that asks; empty on a service without tokens."""
    return str(getattr(connection.state, "owner", ""))


TheService = Annotated[Service, Depends(service_of)]
Owner = Annotated[str, Depends(owner_of)]
