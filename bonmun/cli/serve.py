"""``bonmun serve``."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.options import with_options
from bonmun.cli.quantities import rate, size
from bonmun.cli.token import TOKEN_FILE
from bonmun.errors import MissingExtra

if TYPE_CHECKING:
    from bonmun.run.config import LogConfig
    from bonmun.serve.access.settings import AccessSettings
    from bonmun.serve.settings import ServeSettings

_NEEDED = frozenset("fastapi starlette pydantic uvicorn httptools jinja2 python_multipart prometheus_client".split())
_OF_RUN = frozenset("httpx2 hishel protego sqlalchemy rensa".split())
_PUBLIC_RATE = "600/min"
_ADDRESS = (
    click.option("--host", default="127.0.0.1", show_default=True,
                 help="Address to listen on. One that other machines can reach needs a token."),
    click.option("--port", type=click.IntRange(0, 65535), default=8117, show_default=True,
                 help="Port to listen on; 0 for a free one."),
    click.option("--uds", type=click.Path(path_type=Path), metavar="PATH",
                 help="Listen on a Unix socket instead, for its owner and group."),
    click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS",
                 help="A reverse proxy whose X-Forwarded headers are believed; several times."),
    click.option("--open", "opened", is_flag=True, help="Open the page in the browser."),
)  # fmt: skip
_WORK = (
    click.option("--store", default="bonmun.db", show_default=True, metavar="STORE",
                 help="A file of SQLite, :memory:, or postgresql://user@host/database."),
    click.option("--workers", type=click.IntRange(0, 1024), default=0, metavar="N",
                 help="Worker processes.  [default: one on each core]"),
    click.option("--queue", type=click.IntRange(0, 10_000), default=32, show_default=True, metavar="N",
                 help="Pages that may wait for a worker; further ones are answered 503."),
    click.option("--memory", callback=size, default="2GiB", show_default=True, metavar="SIZE",
                 help="Address space of a worker process (Linux)."),
    click.option("--no-fetch", is_flag=True, help="Do not fetch pages by URL."),
    click.option("--allow-private", is_flag=True,
                 help="Fetch private and loopback addresses too: clients see what this machine can reach."),
)  # fmt: skip
_ACCESS = (
    TOKEN_FILE,
    click.option("--without-tokens", is_flag=True,
                 help="Let everybody in, also from other machines, and ignore the file of tokens."),
    click.option("--allow-host", "allow_hosts", multiple=True, metavar="NAME",
                 help="A name of this service besides localhost, as of a reverse proxy; several times."),
    click.option("--allow-origin", "allow_origins", multiple=True, metavar="ORIGIN",
                 help="A site whose pages may use the API (CORS), such as https://example.org; several times."),
    click.option("--rate", callback=rate, metavar="N/UNIT",
                 help="Requests of a token, or of an address without tokens.  "
                      f"[default: {_PUBLIC_RATE} where other machines can reach it]"),
    click.option("--concurrency", type=click.IntRange(1, 10_000), default=64, show_default=True, metavar="N",
                 help="Requests of a token or address at the same time."),
    click.option("--streams", type=click.IntRange(1, 10_000), default=16, show_default=True, metavar="N",
                 help="Event streams of a token or address at the same time."),
    click.option("--max-bytes", callback=size, metavar="SIZE", help="Size of a request.  [default: that of a page]"),
)  # fmt: skip
_LOG = (
    click.option("--log", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                 help="File for the log.  [default: standard error]"),
    click.option("--log-format", "format", type=click.Choice(["auto", "json", "text"]), default="auto",
                 show_default=True, help="auto is text on a terminal, JSON lines otherwise."),
    click.option("--log-level", "level", type=click.Choice(["debug", "info", "warning", "error"]), default="info",
                 show_default=True, help="info has a line for every request."),
)  # fmt: skip


@click.command()
@with_options((*_ADDRESS, *_WORK, *_ACCESS, *_LOG))
def serve(uds: Path | None, proxies: tuple[str, ...], opened: bool, **options: Any) -> int:
    """Serve the HTTP API and its page in the browser.

    Ends at Ctrl-C or SIGTERM once the requests that run are answered; a second one ends it at once.
    """
    try:
        from bonmun.run.logs import logging_to
        from bonmun.serve.server import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED | _OF_RUN:
            raise
        raise MissingExtra("packages of the web service", "serve") from error
    try:
        settings = _settings(options, uds)
    except ValueError as error:
        raise click.UsageError(str(error)) from error

    def on_start(urls: Sequence[str]) -> None:
        _announce(urls, settings)
        if opened and uds is None:
            click.launch(urls[0])

    with logging_to(_log(options)):
        run(settings, uds=uds, proxies=proxies, on_start=on_start)
    return 0


def _settings(options: dict[str, Any], uds: Path | None) -> "ServeSettings":
    from bonmun.serve.listening import is_exposed
    from bonmun.serve.settings import ServeSettings

    exposed = uds is None and is_exposed(options["host"])
    given = ("host", "port", "store", "workers", "queue", "memory", "allow_private")
    fetch = not options["no_fetch"]
    return ServeSettings(**{name: options[name] for name in given}, fetch=fetch, access=_access(options, exposed))


def _access(options: dict[str, Any], exposed: bool) -> "AccessSettings":
    from bonmun.serve.access.rates import Rate
    from bonmun.serve.access.settings import AccessSettings
    from bonmun.serve.access.token_file import default_path

    file: Path | None = options["token_file"]
    if file is None and default_path().exists():  # also if all its tokens were revoked
        file = default_path()
    if options["without_tokens"]:
        file = None
    given = ("without_tokens", "allow_hosts", "allow_origins", "concurrency", "streams", "max_bytes")
    allowed = options["rate"] or (Rate.parse(_PUBLIC_RATE) if exposed else None)
    return AccessSettings(token_file=file, rate=allowed, **{name: options[name] for name in given})


def _log(options: dict[str, Any]) -> "LogConfig":
    from bonmun.run.config import LogConfig

    return LogConfig(**{name: options[name] for name in ("file", "format", "level")})


def _announce(urls: Sequence[str], settings: "ServeSettings") -> None:
    from bonmun.store.address import without_password

    entry = "everybody who reaches it gets in" if settings.access.token_file is None else "a token is needed"
    click.echo(f"Bonmun at {' '.join(urls)} (store {without_password(settings.store)}; {entry})")
    sys.stdout.flush()
