"""Whole runs against a local server: storing, resuming, signals, schedule, wrappers, metrics."""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from urllib.request import urlopen

import pytest

from bench.page_server import PageServer
from bonmun.errors import PluginError
from bonmun.run.plan import plan
from bonmun.run.process import RunResult, run
from bonmun.run.tally import Tally
from bonmun.store import open_store
from tests.run.conftest import NETWORK

WRAPPERS = """
import os, signal, bonmun

class Record(bonmun.Wrapper):
    calls = []

    def init(self):
        self.calls.append("init")

    def analyze_news(self, dataset):
        self.calls.append(dataset.title)

    def dispose(self):
        self.calls.append("dispose")

class Fails(Record):
    def analyze_news(self, dataset):
        raise RuntimeError("no tea today")

    def on_error(self, error, where):
        self.calls.append(f"{where}: {error}")

class Broken(Record):
    def init(self):
        raise OSError("no disk")

class Stops(bonmun.Wrapper):
    def __init__(self, after, signals):
        self.after, self.signals = after, signals

    def analyze_news(self, dataset):
        self.after -= 1
        if self.after == 0:
            for name in self.signals:
                os.kill(os.getpid(), getattr(signal, name))
"""

Configured = Callable[..., Path]


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    (tmp_path / "mine.py").write_text(WRAPPERS)


def stored(config: Path) -> list[str]:
    with open_store(config.parent / "news.db") as store:
        return sorted(document.url for document in store.documents())


def events(config: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (config.parent / "run.log").read_text(encoding="utf-8").splitlines()]


def test_a_run_stores_every_page_and_the_next_one_fetches_none(configured: Configured, server: PageServer) -> None:
    config = configured('[log]\nfile = "run.log"')
    result = run(plan(config))
    assert (result.exit_code, result.counts.counts) == (
        0, {"fetched": 20, "parsed": 20, "analysed": 20, "failed": 0},
    )  # fmt: skip
    assert stored(config) == sorted(server.urls())
    logged = [line["event"] for line in events(config)]
    assert logged[:2] == ["run started", "source started"]
    assert (logged.count("page stored"), logged[-1]) == (20, "run finished")
    assert run(plan(config)).counts.counts["fetched"] == 0
    assert server.served.total() == 20
    again = configured(sources='[{ source = "urls:list.txt", revisit = true }]')
    assert run(plan(again)).counts.saved == {"unchanged": 20}


def test_a_signal_ends_a_run_and_the_next_one_goes_on(configured: Configured, server: PageServer) -> None:
    slow = NETWORK.replace("delay = 0", "delay = 0.2").replace("per_host = 4", "per_host = 1")
    stops = '{ wrapper = "mine:Stops", options = { after = 3, signals = ["SIGTERM"] } }'
    config = configured(f"wrappers = [{stops}]", network=slow)
    result = run(plan(config))
    counts = result.counts.counts
    assert (result.exit_code, result.signal) == (0, signal.SIGTERM)
    assert 3 <= counts["analysed"] < 20
    assert counts["fetched"] == counts["analysed"] == len(stored(config))
    assert result.counts.waiting == 20 - counts["analysed"]
    second = run(plan(with_nothing_new(config)))
    assert stored(config) == sorted(server.urls())
    assert second.counts.counts["analysed"] == 20 - counts["analysed"]


def with_nothing_new(config: Path) -> Path:
    """The same configuration without wrapper; its source lists nothing, so that all comes from the queue."""
    lines = config.read_text().splitlines()
    config.write_text("\n".join(line for line in lines if not line.startswith("wrappers")))
    (config.parent / "list.txt").write_text("# nothing new\n")
    return config


def test_a_second_signal_ends_a_run_at_once(configured: Configured) -> None:
    config = configured('wrappers = ["mine:Record", { wrapper = "mine:Stops",'
                        ' options = { after = 2, signals = ["SIGTERM", "SIGINT"] } }]')  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        run(plan(config))
    import mine  # type: ignore[import-not-found]

    assert mine.Record.calls[-1] == "dispose"
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    assert len(stored(config)) >= 2


def test_a_failing_wrapper_does_not_disturb_the_others(configured: Configured) -> None:
    config = configured('wrappers = ["mine:Fails", "mine:Record"]\n[log]\nfile = "run.log"')
    assert run(plan(config)).counts.counts["analysed"] == 20
    import mine

    calls = mine.Record.calls
    assert (calls[:2], calls[-2:]) == (["init", "init"], ["dispose", "dispose"])
    assert calls.count("analyze_news: no tea today") == 20
    assert sum(str(call).startswith("Page ") for call in calls) == 20
    assert sum(line["event"] == "Fails.analyze_news failed" for line in events(config)) == 20


def test_a_wrapper_that_cannot_start_ends_the_run(configured: Configured, server: PageServer) -> None:
    config = configured('wrappers = ["mine:Record", "mine:Broken", "mine:Fails"]')
    with pytest.raises(PluginError, match=r"plug-in Broken \(wrappers\): init: OSError: no disk"):
        run(plan(config))
    import mine

    assert mine.Record.calls == ["init", "dispose", "dispose"]
    assert server.served.total() == 0


def test_a_schedule_asks_a_source_again_and_again(configured: Configured, server: PageServer) -> None:
    """The list grows while the process runs; a source that fails is asked again too."""
    config = configured('[schedule]\nevery = "100ms"\n[log]\nfile = "run.log"',
                        sources='["urls:list.txt", "feed:http://127.0.0.1:9/rss"]')  # fmt: skip
    listed = config.parent / "list.txt"
    urls = server.urls()
    listed.write_text("\n".join(urls[:5]))

    def drive() -> None:
        server.wait_for(5, 60)
        listed.write_text("\n".join(urls))
        server.wait_for(20, 60)
        end = monotonic() + 60
        while (config.parent / "run.log").read_text().count('"source failed"') < 2 and monotonic() < end:
            sleep(0.05)
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=drive)
    thread.start()
    result = run(plan(config))
    thread.join()
    assert result.exit_code == 0
    logged = [(line["event"], line.get("source")) for line in events(config)]
    assert logged.count(("source done", "urls:list.txt")) >= 2
    assert logged.count(("source failed", "feed:http://127.0.0.1:9/rss")) >= 2
    left = result.counts.waiting
    assert len(stored(config)) + left == 20
    assert server.served.total() == 20


def test_what_fails_is_recorded_and_tried_again_next_time(configured: Configured, server: PageServer) -> None:
    """The store has both; a source that fails is the exit code too."""
    config = configured(
        '[log]\nfile = "run.log"\nlevel = "warning"', sources='["urls:list.txt", "feed:http://127.0.0.1:9/"]'
    )
    (config.parent / "list.txt").write_text(f"{server.urls()[0]}\n{server.urls()[0]}missing\n")
    for count in (1, 2):
        result = run(plan(config))
        assert (result.exit_code, result.counts.counts["failed"]) == (1, 1)
        assert result.failed_sources == ("feed:http://127.0.0.1:9/",)
        assert any(line.text.startswith("feed:http://127.0.0.1:9/: FetchError: ") for line in result.counts.errors)
        with open_store(config.parent / "news.db") as store:
            assert {(failure.stage, failure.error, failure.count) for failure in store.failures()} == {
                ("fetch", "BadStatus", count),
                ("source", "FetchError", count),
            }
    assert {line["event"] for line in events(config)} == {"fetch failed", "source failed"}
    assert len(stored(config)) == 1


def test_a_page_that_fails_after_a_redirect_leaves_the_queue(configured: Configured, server: PageServer) -> None:
    server.pages = [b"%PDF-1.7", *server.pages[1:]]
    config = configured()
    base = server.urls()[0].removesuffix("/0")
    (config.parent / "list.txt").write_text(f"{base}/to/0\n{base}/to/1\n")
    result = run(plan(config))
    assert (result.counts.counts["failed"], result.counts.waiting) == (1, 0)
    with open_store(config.parent / "news.db") as store:
        assert [(one.url, one.stage, one.error) for one in store.failures()] == [(f"{base}/0", "parsing", "NotAPage")]
    assert stored(config) == [f"{base}/1"]


def test_metrics_can_be_scraped_while_it_runs_and_learns_a_site(configured: Configured, server: PageServer) -> None:
    config = configured(
        '[schedule]\nevery = "1h"\n[sites]\nlearn_after = 5\n'
        '[metrics]\naddress = "127.0.0.1:0"\n[log]\nfile = "run.log"'
    )
    seen: list[str] = []
    awaited = {
        'bonmun_saved_total{outcome="new"} 20.0',
        'bonmun_sites_total{event="learned"} 1.0',
        'bonmun_queue_size{queue="in flight"} 0.0',
    }

    def scrape() -> None:
        server.wait_for(20, 60)
        url = next(str(line["url"]) for line in events(config) if line["event"] == "metrics")
        end, give_up = threading.Event(), monotonic() + 60
        while not end.wait(0.05):
            with urlopen(url) as answer:  # noqa: S310
                seen[:] = answer.read().decode().splitlines()
            if awaited <= set(seen) or monotonic() > give_up:
                break
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=scrape)
    thread.start()
    run(plan(config))
    thread.join()
    assert awaited <= set(seen)
    assert 'bonmun_pages_total{host="127.0.0.1",stage="analysed"} 20.0' in seen
    assert 'bonmun_stage_seconds_count{stage="judge"} 20.0' in seen
    assert 'bonmun_source_items_total{source="urls:list.txt"} 20.0' in seen
    assert any(line.startswith('bonmun_queue_size{queue="requests"}') for line in seen)


def test_the_stored_text_has_the_parts_asked_for(tmp_path: Path) -> None:
    page = "<title>Tea</title><p>Tea is made of <a href='https://example.org/'>leaves</a>, and of hot water.</p>"
    (tmp_path / "a.html").write_text(page)
    config = tmp_path / "config.toml"
    config.write_text('sources = ["a.html"]\n[output]\nlinks = false\n[extract]\nworkers = 1\n')
    assert run(plan(config)).counts.saved == {"new": 1}
    with open_store(tmp_path / "news.db") as store:
        (document,) = store.documents()
    assert (document.markdown, document.source) == ("Tea is made of leaves, and of hot water.", "a.html")


@pytest.mark.parametrize(
    ("name", "failed", "code"), [(None, (), 0), (None, ("feed",), 1), ("SIGTERM", ("feed",), 0), ("SIGINT", (), 130)]
)
def test_the_exit_code(name: str | None, failed: tuple[str, ...], code: int) -> None:
    assert RunResult(Tally().snapshot(), failed, getattr(signal, name) if name else None).exit_code == code
