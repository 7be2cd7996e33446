"""The MCP server: the tools of a service, over stdio, over HTTP inside the service, or for a client in this process."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bonmun import __version__
from bonmun.serve.mcp.tools import Tools
from bonmun.serve.service import Service
from bonmun.serve.settings import ServeSettings

INSTRUCTIONS = """\
Bonmun returns the main text of web pages and says why. `extract` reads a page by URL or HTML; `explain` gives the
verdict on every block; `search` and `read_document` use the archive of stored pages; `learn_site` finds the rules of a
site from several of its pages. Long answers come in parts, and the last line of a part says how to get the next one."""
HTTP_PATH = "/mcp"
_LARGEST_REQUEST = 32 << 20
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=True)
_LEARNS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
_READS_ARCHIVE = ToolAnnotations(read_only_hint=True, open_world_hint=False)


def create_server(service_of: Callable[[], Service]) -> MCPServer[None]:
    """Return the server of a running service."""
    tools = Tools(service_of)
    with _logging_untouched():
        server: MCPServer[None] = MCPServer(
            "bonmun", title="본문 Bonmun", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
        )
    for tool, annotations in (
        (tools.extract, _READS),
        (tools.explain, _READS),
        (tools.search, _READS_ARCHIVE),
        (tools.read_document, _READS_ARCHIVE),
        (tools.learn_site, _LEARNS),
        (tools.methods, _READS_ARCHIVE),
    ):
        server.add_tool(tool, annotations=annotations)
    return server


def add_to(app: Starlette) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Serve the tools at ``/mcp`` of an application; return what its lifespan has to run.

    Every call stands alone: no session is kept. Who gets in is decided before, by the application's own access.
    """
    endpoint = _Endpoint()
    app.router.routes.append(Route(HTTP_PATH, endpoint, include_in_schema=False))
    return endpoint.running


class _Endpoint:
    """The tools over HTTP while the application runs. No function: Starlette would call one with a request."""

    _app: ASGIApp

    @asynccontextmanager
    async def running(self, app: Starlette) -> AsyncIterator[None]:
        """Answer until the block ends. A session manager runs once, an application may be started several times."""
        server = create_server(lambda: app.state.service)
        self._app = server.streamable_http_app(
            streamable_http_path=HTTP_PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=_LARGEST_REQUEST,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        async with server.session_manager.run():
            yield

    async def __call__(self, connection: Scope, receive: Receive, send: Send) -> None:
        await self._app(connection, receive, send)


async def run_stdio(settings: ServeSettings) -> None:
    """Serve one client on standard input and output until it closes them."""
    async with opened(settings) as service:
        await create_server(lambda: service).run_stdio_async()


@asynccontextmanager
async def opened(settings: ServeSettings) -> AsyncIterator[Service]:
    """A service for as long as the block runs."""
    service = Service(settings)
    try:
        yield service
    finally:
        await asyncio.to_thread(service.close)


@contextmanager
def _logging_untouched() -> Iterator[None]:
    """The SDK configures the root logger, unless that has a handler; ours is configured by the command."""
    root, handler = logging.getLogger(), logging.NullHandler()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
