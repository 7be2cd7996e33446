"""The application: routes, error handlers and access in one ASGI callable."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from importlib.util import find_spec

from fastapi import FastAPI, Request, Response

from bonmun import __version__
from bonmun.errors import MissingExtra
from bonmun.serve.access import login
from bonmun.serve.access.access_log import AccessLog
from bonmun.serve.access.gate import Gate
from bonmun.serve.access.gatekeeper import Gatekeeper
from bonmun.serve.access.headers import SecurityHeaders
from bonmun.serve.batch_line import BatchAnswer, BatchInput
from bonmun.serve.current_request import RequestMiddleware
from bonmun.serve.extract_input import ExtractForm, ExtractInput
from bonmun.serve.jobs.spec import CrawlInput
from bonmun.serve.jobs.upload import BatchLine
from bonmun.serve.lingering import LingeringClose
from bonmun.serve.metrics import ServeMetrics
from bonmun.serve.observation import Observation
from bonmun.serve.openapi import describe
from bonmun.serve.page import static_files, views
from bonmun.serve.problems import HANDLERS, PROBLEMS, ProblemDocument
from bonmun.serve.routes import (
    analysis,
    batch,
    compare,
    documents,
    explain,
    extract,
    fetch,
    health,
    jobs,
    labels,
    methods,
    reader,
    sites,
    stats,
)
from bonmun.serve.service import Service
from bonmun.serve.settings import DEFAULT_SETTINGS, ServeSettings

ROUTERS = (
    extract.router,
    explain.router,
    compare.router,
    analysis.router,
    fetch.router,
    reader.router,
    batch.router,
    methods.router,
    health.router,
    documents.router,
    stats.router,
    sites.router,
    labels.router,
    jobs.router,
    views.router,
    static_files.router,
    login.router,
)


def create_app(settings: ServeSettings = DEFAULT_SETTINGS) -> FastAPI:
    """Return the ASGI application; its `state.service` lives from startup to shutdown."""
    metrics = ServeMetrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service = app.state.service = Service(settings, metrics)
        try:
            service.start()
            async with assistants(app):
                yield
        finally:
            await service.shut_down()

    app = FastAPI(
        title="Bonmun", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        redirect_slashes=False, responses=PROBLEMS,
    )  # fmt: skip
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)
    for router in ROUTERS:
        app.include_router(router)
    assistants = _assistants(app)
    describe(app, (ProblemDocument, ExtractInput, ExtractForm, BatchInput, BatchAnswer, CrawlInput, BatchLine))
    app.add_middleware(RequestMiddleware, most=settings.request_bytes)
    app.state.gatekeeper = Gatekeeper(settings.access)
    app.add_middleware(Gate, gatekeeper=app.state.gatekeeper)
    app.add_middleware(Observation, metrics=metrics)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(AccessLog)
    app.add_middleware(LingeringClose)  # the last added is the outermost
    app.openapi()  # FastAPI builds its routes at the first use: now, not while the first request waits
    return app


def _assistants(app: FastAPI) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Add the MCP server at ``/mcp``, if its extra is installed; return what has to run while the service does."""
    if find_spec("mcp") is None:
        app.add_route("/mcp", _without_mcp, ["GET", "POST", "DELETE"], include_in_schema=False)
        return lambda _: nullcontext()
    from bonmun.serve.mcp.server import add_to

    return add_to(app)


async def _without_mcp(_: Request) -> Response:
    raise MissingExtra("packages of the MCP server", "mcp")
