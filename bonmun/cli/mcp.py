"""``bonmun mcp``."""

import click

from bonmun.errors import MissingExtra

_NEEDED = frozenset(
    {"mcp", "mcp_types", "fastapi", "starlette", "pydantic", "httpx2", "hishel", "protego", "sqlalchemy"}
)


@click.command()
@click.option("--store", default="bonmun.db", show_default=True, metavar="STORE",
              help="The archive to search: an SQLite file, :memory: or postgresql://…")  # fmt: skip
@click.option("--workers", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
              help="Worker processes; 0 for one on each core.")  # fmt: skip
@click.option("--fetch/--no-fetch", default=True, show_default=True, help="Whether pages may be fetched by URL.")
def mcp(store: str, workers: int, fetch: bool) -> int:
    """Serve extraction, search and site learning to an assistant, over standard input and output (MCP).

    Over HTTP, the same tools are at /mcp of bonmun serve.
    """
    try:
        import anyio

        from bonmun.serve.mcp.server import run_stdio
        from bonmun.serve.settings import ServeSettings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise MissingExtra("packages of the MCP server", "mcp") from error
    anyio.run(run_stdio, ServeSettings(store=store, workers=workers, fetch=fetch))
    return 0
