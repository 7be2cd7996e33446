"""Arguments and options that commands share."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from bonmun.cli.known_sites import known_sites
from bonmun.errors import BonmunError

Command = TypeVar("Command", bound=Callable[..., Any])

_SHARED = (
    click.argument("sources", nargs=-1, required=True, metavar="SOURCE..."),
    click.option("--method", default="auto", show_default=True, metavar="NAME", help="Who decides what is content."),
    click.option("--output", metavar="PATH", help="A file; a directory where there are several sources."),
    click.option("--jobs", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
                 help="Worker processes; 0 for one on each core."),
    click.option("--url", metavar="URL", help="Where a file or standard input came from, to make links absolute."),
    click.option("--charset", metavar="NAME", help="The charset the server named, over any of a URL's own."),
    click.option("--allow-private", is_flag=True, help="Fetch from private and loopback addresses too."),
)  # fmt: skip

by_site = click.option(
    "--site",
    metavar="PATH",
    help="Let a learned site decide (see bonmun learn): its file, or a directory with one for each host.",
)

leaning = click.option(
    "--prefer",
    default="balance",
    show_default=True,
    type=click.Choice(("precision", "balance", "recall")),
    help="What to lean to in doubt; only some methods can.",
)
abstaining = click.option(
    "--abstain-below",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="CONFIDENCE",
    help="Give nothing rather than an answer that is trusted less.",
)


def given(options: Sequence[Callable[[Any], Any]]) -> Callable[[Command], Command]:
    """Give a command several options, which it shows in this order."""

    def to(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return to


shared = given(_SHARED)
"""The options that say what to read and where to write."""


def checked(path: str | None) -> str | None:
    """Return the path, once what is there can be read: a mistake in the file is said before any page is."""
    if path is not None:
        try:
            known_sites(path)
        except BonmunError as error:
            raise click.UsageError(str(error)) from error
    return path
