"""The application: routes, error handlers and access in one ASGI callable."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from bonmun import __version__
from bonmun.serve.access.gate import Gate
from bonmun.serve.extract_input import ExtractForm, ExtractInput
from bonmun.serve.jobs.spec import CrawlInput
from bonmun.serve.jobs.upload import BatchLine
from bonmun.serve.openapi import describe
from bonmun.serve.problems import HANDLERS, PROBLEMS, ProblemDocument
from bonmun.serve.routes import explain, extract, jobs
from bonmun.serve.service import Service
from bonmun.serve.settings import DEFAULT_SETTINGS, ServeSettings

ROUTERS = (extract.router, explain.router, jobs.router)


def create_app(settings: ServeSettings = DEFAULT_SETTINGS) -> FastAPI:
    """Return the ASGI application; its `state.service` lives from startup to shutdown."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.service = Service(settings)
        try:
            yield
        finally:
            app.state.service.close()

    app = FastAPI(
        title="Bonmun", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        redirect_slashes=False, responses=PROBLEMS,
    )  # fmt: skip
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)
    for router in ROUTERS:
        app.include_router(router)
    describe(app, (ProblemDocument, ExtractInput, ExtractForm, CrawlInput, BatchLine))
    app.add_middleware(Gate)  # last: the outermost
    return app
