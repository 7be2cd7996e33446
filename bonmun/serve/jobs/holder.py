"""Which process works on a job, and whether it still lives. Several services may share a store."""

import os
import platform
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bonmun.store.clock import moment, stamp

LEASE = 30.0
"""Seconds without a sign of life after which a process of another machine is taken for dead."""


def this_process() -> str:
    """Return the name of this process: machine, number, start.

    >>> this_process().split("|")[1] == str(os.getpid())
    True
    """
    return "|".join((platform.node(), str(os.getpid()), _started(os.getpid())))


def lease() -> str:
    """Return the moment until which this process is taken to live."""
    return stamp(datetime.now(UTC) + timedelta(seconds=LEASE))


def is_dead(holder: str | None, held_until: str | None) -> bool:
    """Whether a process is gone: known at once on this machine, else when its lease is over.

    >>> is_dead(this_process(), "2000-01-01T00:00:00+00:00"), is_dead("other|1|7", "2000-01-01T00:00:00+00:00")
    (False, True)
    """
    if holder is None or held_until is None:
        return True
    node, number, started, *_ = (*holder.split("|"), "", "")
    if node == platform.node() and started and number.isdigit():
        return _started(int(number)) != started
    return moment(held_until) < datetime.now(UTC)


def _started(process: int) -> str:
    """When a process was started, in ticks since boot: numbers are used again, also for the first of a container.

    Empty for a process that is gone, and where there is no /proc.
    """
    try:
        line = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        return line.rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
