"""Counts from the container's notifications."""

from dataclasses import replace
from datetime import UTC, datetime

import bonmun
from bonmun.middleware.exchange import NetworkFacts, Request, SourcePage
from bonmun.run.metrics import Metrics
from bonmun.run.monitor import Monitor
from bonmun.run.tally import Tally

FACTS = NetworkFacts("https://example.org/", 200, "HTTP/2", (), 1, False, 500, 0.25, datetime.now(UTC))
PAGE = SourcePage("https://example.org/", b"<title>Tea</title><p>Tea is made of leaves.", network=FACTS)


def test_a_page_counts_once_at_each_stage_wherever_it_came_from() -> None:
    tally, metrics = Tally(), Metrics()
    monitor = Monitor(tally, metrics)
    crawled = replace(PAGE, url="https://example.org/crawled")
    file = SourcePage("file:///tea.html", b"<p>Tea")
    for page in (PAGE, crawled):
        monitor.on_fetch_finished(page)
    for page in (PAGE, crawled, file):
        monitor.on_parsing_started(page)
        dataset = bonmun.NewsDataSet.of(page.content, url=page.url)
        monitor.on_parsing_finished(dataset)
        monitor.on_analysis_finished(dataset)
    now = tally.snapshot()
    assert now.counts == {"fetched": 3, "parsed": 3, "analysed": 3, "failed": 0}
    assert [(host.host, host.counts["fetched"]) for host in now.hosts] == [("example.org", 2), ("", 1)]
    assert "bonmun_received_bytes_total 1000.0" in metrics.text()
    assert [line.text for line in now.titles] == ["file:///tea.html", "Tea", "Tea"]


def test_errors_name_the_page_once() -> None:
    tally, metrics = Tally(), Metrics()
    monitor = Monitor(tally, metrics)
    url = "https://example.org/gone"
    monitor.on_fetch_failed(Request(url), bonmun.BadStatus(f"{url}: the server answered 404"))
    monitor.on_analysis_failed(PAGE, bonmun.NotAPage("a PDF"))
    monitor.on_error(bonmun.StoreFull("no space left"), "store")
    assert [line.text for line in tally.snapshot().errors] == [
        "store: StoreFull: no space left",
        "https://example.org/: NotAPage: a PDF",
        "BadStatus: https://example.org/gone: the server answered 404",
    ]
    assert tally.snapshot().counts["failed"] == 2
    assert 'bonmun_failures_total{error="StoreFull",stage="store"} 1.0' in metrics.text()
