"""The screen as lines of text, at the sizes of real terminals."""

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from bonmun.run.screen import Screen, drawn
from bonmun.run.tally import Snapshot, Tally

SIZES = [(80, 24), (160, 50), (120, 30), (100, 10), (40, 12), (20, 5), (300, 90)]


def busy() -> Snapshot:
    """A run of many hosts, with long titles of wide characters."""
    clock = iter(range(10_000))
    tally = Tally(clock=lambda: float(next(clock)))
    for number in range(300):
        host = f"news-{number % 30}.a-rather-long-name-of-a-host.example.org"
        tally.count("fetched", host)
        tally.count("parsed", host)
        tally.count("failed" if number % 7 == 0 else "analysed", host)
        tally.title(host, f"작은 항구에 돌아온 등대지기 {number} · 坂の上の小さな窯に火が入る " * 3)
        tally.error(host, "FetchTimeout: the server took longer\nthan\x1b[31m 30 seconds " * 3)
    tally.saved("new")
    runs = [("feed:https://example.org/rss", 61.0), ("a very long name of a source " * 9, 5400.0), ("files", None)]
    return replace(tally.snapshot(), waiting=1_234_567, next_runs=runs, running=["watch:inbox"])


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("now", [busy(), Tally(clock=lambda: 0.0).snapshot()], ids=["busy", "empty"])
def test_no_line_is_too_wide_and_none_is_too_many(now: Snapshot, width: int, height: int) -> None:
    lines = drawn(now, "a-long-name-of-a-configuration.toml", "postgresql://localhost/news", width, height)
    assert len(lines) <= height
    assert all(cell_len(line.plain) <= width for line in lines)
    assert all(line.plain.isprintable() for line in lines)


def test_all_parts_are_on_a_screen_of_80_columns() -> None:
    text = "\n".join(line.plain for line in drawn(busy(), "config.toml", "news.db", 80, 24))
    for part in ("bonmun run config.toml → news.db", "fetched", "parsed", "analysed", "failed", "300", "257", "43",
                 "1 new · waiting: 1,234,567", "hosts (30)", "news-0.a-rather", "last pages", "돌아온 등대지기 299",
                 "errors", "FetchTimeout", "next runs", "now     watch:inbox", "1m 1s   feed:https"):  # fmt: skip
        assert part in text


def test_a_wide_screen_has_hosts_and_pages_side_by_side() -> None:
    lines = [line.plain for line in drawn(busy(), "config.toml", "news.db", 160, 50)]
    assert any("hosts (30)" in line and "last pages" in line for line in lines)
    assert sum("등대지기" in line for line in lines) > 20


def test_no_color_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    def output() -> str:
        out = io.StringIO()
        console = Console(file=out, force_terminal=True, width=80, height=24, color_system="standard")
        console.print(Screen("config.toml", "news.db", busy))
        return out.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m" in output()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in output()


def test_rates_are_of_the_last_minute() -> None:
    now = 0.0
    tally = Tally(clock=lambda: now)
    for second in range(600):
        now = float(second)
        if second < 300:
            tally.count("fetched", "a")
        tally.count("parsed", "a")
    assert tally.snapshot().rates == {"fetched": 0.0, "parsed": 1.0, "analysed": 0.0, "failed": 0.0}


def test_a_tally_forgets_the_longest_inactive_host() -> None:
    clock = iter(range(100))
    tally = Tally(clock=lambda: float(next(clock)), most_hosts=2)
    for host in ("a", "b", "a", "c"):
        tally.count("fetched", host)
    assert [host.host for host in tally.snapshot().hosts] == ["a", "c"]
    assert tally.snapshot().counts["fetched"] == 4
