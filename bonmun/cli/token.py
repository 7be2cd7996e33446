"""``bonmun token``."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.quantities import duration, rate, size
from bonmun.errors import MissingExtra

if TYPE_CHECKING:
    from bonmun.serve.access.token_file import TokenFile
    from bonmun.serve.access.tokens import Token

SCOPES = ("extract", "fetch", "read", "write")
TOKEN_FILE = click.option(
    "--token-file", type=click.Path(dir_okay=False, path_type=Path), envvar="BONMUN_TOKEN_FILE", metavar="FILE",
    help="The file of tokens.  [default: bonmun/tokens.json in the folder of configurations]",
)  # fmt: skip


@click.group(invoke_without_command=True)
@click.pass_context
def token(context: click.Context) -> None:
    """Create, list and revoke the tokens of `bonmun serve`."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(2)


@token.command()
@click.argument("name")
@click.option("--scope", "scopes", type=click.Choice(SCOPES), multiple=True, required=True,
              help="What it may do, several times: extract pages that are sent, fetch pages by URL, read or write "
                   "documents, sites, jobs and labels.")  # fmt: skip
@click.option(
    "--rate", callback=rate, metavar="N/UNIT", help="Requests, such as 60/min.  [default: that of the service]"
)
@click.option("--concurrency", type=click.IntRange(1, 10_000), metavar="N",
              help="Requests at the same time.  [default: that of the service]")  # fmt: skip
@click.option("--max-bytes", callback=size, metavar="SIZE", help="Size of a request.  [default: that of the service]")
@click.option("--expires", callback=duration, metavar="DURATION", help="Time after which it ends, such as 90d.")
@TOKEN_FILE
def add(name: str, scopes: tuple[str, ...], expires: float | None, token_file: Path | None, **limits: Any) -> int:
    """Create a token and print it, once: only its hash is kept."""
    tokens = _opened(token_file)
    from bonmun.serve.access.tokens import Token, hash_of, new_secret

    secret, now = new_secret(), datetime.now(UTC).replace(microsecond=0)
    try:
        ends = now + timedelta(seconds=expires) if expires is not None else None
        new = Token(name, hash_of(secret), frozenset(scopes), now, ends, **limits)
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(str(error)) from error

    def with_new(known: "tuple[Token, ...]") -> "tuple[Token, ...]":
        if any(one.name == name for one in known):
            raise click.BadParameter(f"there is a token {name!r} already; revoke it, or choose another name")
        return (*known, new)

    tokens.change(with_new)
    click.echo(secret)
    click.echo(f"Keep it now: it is not shown again. Send it as 'Authorization: Bearer {secret[:9]}…'.", err=True)
    return 0


@token.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@TOKEN_FILE
def list_tokens(as_json: bool, token_file: Path | None) -> int:
    """List the tokens, with their scopes and limits."""
    rows = [_row(one) for one in _opened(token_file).tokens()]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return 0
    for row in rows:
        limits = [f"{key} {row[key]}" for key in ("rate", "concurrency", "max_bytes", "expires") if row[key]]
        state = " (expired)" if row["expired"] else ""
        click.echo("  ".join([f"{row['name']}{state}", ",".join(row["scopes"]), f"created {row['created']}", *limits]))
    return 0


@token.command()
@click.argument("names", metavar="NAME…", nargs=-1, required=True)
@TOKEN_FILE
def revoke(names: tuple[str, ...], token_file: Path | None) -> int:
    """End tokens and their sessions, at once, in running services too."""

    def without(known: "tuple[Token, ...]") -> "tuple[Token, ...]":
        if unknown := set(names) - {one.name for one in known}:
            raise click.BadParameter(f"there is no token {sorted(unknown)[0]!r}; see bonmun token list")
        return tuple(one for one in known if one.name not in names)

    _opened(token_file).change(without)
    return 0


def _opened(path: Path | None) -> "TokenFile":
    try:
        from bonmun.serve.access.token_file import TokenFile, default_path
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "fastapi", "pydantic"):
            raise
        raise MissingExtra("tokens", "serve") from error
    return TokenFile(path or default_path())


def _row(one: "Token") -> dict[str, Any]:
    return {
        "name": one.name,
        "scopes": sorted(one.scopes),
        "created": one.created.isoformat(),
        "expires": one.expires.isoformat() if one.expires else None,
        "expired": not one.is_valid(datetime.now(UTC)),
        "rate": str(one.rate) if one.rate else None,
        "concurrency": one.concurrency,
        "max_bytes": one.max_bytes,
    }
