"""The terminal screen of a run: drawn from a snapshot, in plain lines of exactly the terminal's width."""

import io
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.run.cells import cut, fill
from bonmun.run.durations import duration_of
from bonmun.run.tally import STAGES, HostCounts, Line, Snapshot

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

_WIDE = 120
"""The width from which hosts and titles stand side by side."""
_LOW = 6
"""Lines below which the hosts are left out."""
_PER_SECOND = 4
"""Redraws; more would flood a slow connection."""
_COLOURS = {"fetched": "cyan", "parsed": "blue", "analysed": "green", "failed": "red"}


@dataclass(frozen=True, slots=True)
class Screen:
    """Draws the current snapshot whenever rich asks for it."""

    title: str
    """The configuration's name."""
    store: str
    take: Callable[[], Snapshot]

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        yield from drawn(self.take(), self.title, self.store, options.max_width, options.height or console.height)


@contextmanager
def shown(screen: Screen) -> Iterator[None]:
    """Show a screen on standard error while the block runs; the terminal is restored after it.

    What is printed meanwhile to a terminal is held back until then.
    """
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False)
    live = Live(screen, console=console, screen=True, refresh_per_second=_PER_SECOND, redirect_stdout=False)
    held = HeldLines()
    with redirect_stdout(held) if sys.stdout and sys.stdout.isatty() else nullcontext():
        try:
            with live:
                yield
        finally:
            held.release()


class HeldLines(io.TextIOBase):
    """Standard output of wrappers while the screen is shown: the last lines are printed after it.

    >>> held = HeldLines()
    >>> print("tea", file=held)
    >>> held.release()
    tea
    """

    def __init__(self, most: int = 2_000) -> None:
        self._parts: deque[str] = deque(maxlen=2 * most)
        self._target = sys.stdout

    def write(self, text: str) -> int:
        """Hold text back."""
        self._parts.append(text)
        return len(text)

    def release(self) -> None:
        """Print what was held back."""
        while self._parts:
            self._target.write(self._parts.popleft())
        self._target.flush()


def drawn(now: Snapshot, title: str, store: str, width: int, height: int) -> "list[Text]":
    """Return the screen's lines: never more than the height, none wider than the width."""
    head = [_header(now, title, store, width), *_counters(now, width)]
    foot = _section("next runs", _runs(now), width, 1 + min(4, max(1, len(now.next_runs))))
    free = max(0, height - len(head) - len(foot))
    errors = max(3, free // 4)
    rest = max(0, free - errors)
    if width >= _WIDE:
        left = width * 2 // 5
        middle = _beside(_hosts(now, left - 2, rest), _titles(now, width - left, rest), left - 2)
    else:
        top = min(rest // 2, len(now.hosts) + 2) if rest >= _LOW else 0
        middle = [*_hosts(now, width, top), *_titles(now, width, rest - top)]
    shown_errors = [(_ago(now, line), line.host, line.text) for line in now.errors]
    return [*head, *middle, *_section("errors", shown_errors, width, errors, style="red"), *foot][:height]


def _header(now: Snapshot, title: str, store: str, width: int) -> "Text":
    from rich.text import Text

    state = "storing the last pages · " if now.stopping else ""
    right = f" {state}{duration_of(now.time - now.started)} "
    left = fill(f"bonmun run {title} → {store}", width - len(right) - 1)
    return Text(f" {left}{right}"[:width], style="reverse", no_wrap=True)


def _counters(now: Snapshot, width: int) -> "list[Text]":
    from rich.text import Text

    each = width // len(STAGES)
    names, figures = Text(no_wrap=True), Text(no_wrap=True)
    for stage in STAGES:
        names.append(" " + fill(stage, each - 1), style="dim")
        count = f" {now.counts[stage]:,} "
        figures.append(count, style=f"bold {_COLOURS[stage]}")
        figures.append(fill(f"{now.rates[stage]:.1f}/s", max(0, each - len(count))), style="dim")
    saved = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(now.saved.items()))
    stored = f"stored: {saved or 'nothing yet'} · waiting: {now.waiting:,}"
    return [names, figures, Text(" " + cut(stored, width - 1), no_wrap=True), Text()]


def _hosts(now: Snapshot, width: int, height: int) -> "list[Text]":
    """The table of hosts; narrow terminals have no column of the templates' state."""
    from rich.text import Text

    if height < 2:
        return _blank(height)
    number, note = 9, 11 if width >= 60 else 0
    name = max(1, width - number * 3 - note - 1)
    header = Text(" " + fill(f"hosts ({now.host_count})", name), style="bold", no_wrap=True)
    for stage in ("fetched", "analysed", "failed"):
        header.append(fill(stage, number, right=True))
    header.append("  " + fill("template", note - 2) if note else "")
    rows = [_host(host, name, number, note) for host in now.hosts[: height - 1]]
    return [header, *rows, *_blank(height - 1 - len(rows))]


def _host(host: HostCounts, name: int, number: int, note: int) -> "Text":
    from rich.text import Text

    row = Text(" " + fill(host.host or "(files)", name), no_wrap=True)
    for stage in ("fetched", "analysed", "failed"):
        count = host.counts.get(stage, 0)
        style = _COLOURS["failed"] if stage == "failed" and count else ""
        row.append(fill(f"{count:,}" if count else "·", number, right=True), style=style)
    return row.append("  " + fill(host.note, note - 2) if note else "", style="dim")


def _titles(now: Snapshot, width: int, height: int) -> "list[Text]":
    lines = [(_ago(now, line), "", line.text) for line in now.titles]
    return _section("last pages", lines, width, height)


def _section(
    name: str, lines: Sequence[tuple[str, str, str]], width: int, height: int, style: str = ""
) -> "list[Text]":
    """A headline, and rows of a time, a host and a text; padded to the height."""
    from rich.text import Text

    if height < 2:
        return _blank(height)
    rows = [Text(" " + fill(name, width - 1), style="bold", no_wrap=True)]
    for time, host, text in lines[: height - 1]:
        row = Text(f" {fill(time, 7)} ", style="dim", no_wrap=True)
        row.append(cut(f"{host} {text}" if host else text, width - 9), style=style or "not dim")
        rows.append(row)
    return [*rows, *_blank(height - len(rows))]


def _runs(now: Snapshot) -> list[tuple[str, str, str]]:
    """The sources, those that run first, then by their next run."""
    running = [("now", "", name) for name in now.running]
    later = sorted((at, name) for name, at in now.next_runs if at is not None and name not in now.running)
    over = [("read", "", name) for name, at in now.next_runs if at is None and name not in now.running]
    return [*running, *((duration_of(at), "", name) for at, name in later), *over]


def _ago(now: Snapshot, line: Line) -> str:
    return duration_of(now.time - line.time)


def _beside(left: "Sequence[Text]", right: "Sequence[Text]", width: int) -> "list[Text]":
    from rich.text import Text

    rows = []
    for one, other in zip(left, right, strict=True):
        row = Text(no_wrap=True).append_text(one)
        row.append(" " * max(0, width + 2 - one.cell_len))
        rows.append(row.append_text(other))
    return rows


def _blank(count: int) -> "list[Text]":
    from rich.text import Text

    return [Text() for _ in range(max(0, count))]
