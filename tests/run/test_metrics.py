from urllib.request import urlopen

import pytest

from bonmun.errors import SourceError
from bonmun.run.config import MetricsConfig
from bonmun.run.metrics import Metrics, serving

ANY = MetricsConfig("127.0.0.1:0")


def test_a_scrape_has_every_figure() -> None:
    metrics = Metrics()
    metrics.page("fetched", "example.org")
    metrics.failure("fetch", "FetchTimeout")
    metrics.saved("new")
    metrics.seconds("parse", 0.004)
    metrics.received(1000)
    metrics.queue("waiting", lambda: 7)
    metrics.source_run("feed", "done")
    metrics.source_item("feed")
    metrics.site("learned")
    with serving(metrics, ANY) as address, urlopen(f"http://{address}/metrics") as answer:
        lines = set(answer.read().decode().splitlines())
    assert {
        'bonmun_pages_total{host="example.org",stage="fetched"} 1.0',
        'bonmun_failures_total{error="FetchTimeout",stage="fetch"} 1.0',
        'bonmun_saved_total{outcome="new"} 1.0',
        'bonmun_stage_seconds_bucket{le="0.005",stage="parse"} 1.0',
        "bonmun_received_bytes_total 1000.0",
        'bonmun_queue_size{queue="waiting"} 7.0',
        'bonmun_source_runs_total{result="done",source="feed"} 1.0',
        'bonmun_source_items_total{source="feed"} 1.0',
        'bonmun_sites_total{event="learned"} 1.0',
    } <= lines
    assert any(line.startswith("process_cpu_seconds_total") for line in lines)


def test_the_number_of_host_labels_is_bounded() -> None:
    metrics = Metrics(most_hosts=3)
    for number in range(100):
        metrics.page("fetched", f"{number}.example")
    lines = [line for line in metrics.text().splitlines() if line.startswith("bonmun_pages_total")]
    assert len(lines) == 4
    assert 'bonmun_pages_total{host="other",stage="fetched"} 97.0' in lines


def test_two_runs_in_one_process_do_not_share_a_registry() -> None:
    first, second = Metrics(), Metrics()
    first.saved("new")
    assert 'outcome="new"' not in second.text()


def test_a_taken_port_is_a_clear_error() -> None:
    with serving(Metrics(), ANY) as address:
        taken = serving(Metrics(), MetricsConfig(address))
        with pytest.raises(SourceError, match=f"metrics cannot listen at {address}"):
            taken.__enter__()
