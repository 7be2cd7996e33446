"""Callbacks of options that are quantities: bytes, durations, rates."""

import re
from typing import TYPE_CHECKING

import click

from bonmun.run.durations import seconds_of

if TYPE_CHECKING:
    from bonmun.serve.access.rates import Rate

_SIZE = re.compile(r"(\d{1,15})\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_LARGEST = 2**40


def size(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    """Read a number of bytes: `500000`, `20MB`, `2GiB`."""
    if value is None:
        return None
    match = _SIZE.fullmatch(value.strip())
    found = int(match[1]) * (1024 if match[3] else 1000) ** _POWERS[match[2].lower()] if match else 0
    if not 0 < found <= _LARGEST:
        raise click.BadParameter("use a number of bytes up to 1TiB, such as 500000, 20MB or 2GiB")
    return found


def duration(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    """Read a duration in seconds: `90d`, `12h`."""
    try:
        return None if value is None else seconds_of(value)
    except ValueError as error:
        raise click.BadParameter("use a duration such as 90d, 12h or 30m") from error


def rate(_: click.Context, __: click.Parameter, value: str | None) -> "Rate | None":
    """Read a rate: `60/min`."""
    from bonmun.serve.access.rates import Rate

    try:
        return None if value is None else Rate.parse(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
