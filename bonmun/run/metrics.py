"""Metrics for Prometheus, in a registry of their own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from bonmun.errors import MissingExtra, SourceError
from bonmun.run.config import MetricsConfig

_OTHER = "other"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counters, gauges and histograms of a run; hosts beyond a number share the label `other`.

    >>> metrics = Metrics(most_hosts=1)
    >>> metrics.page("fetched", "a.example"), metrics.page("fetched", "b.example")
    (None, None)
    >>> print(*(line for line in metrics.text().splitlines() if line.startswith("bonmun_pages_total")), sep="\\n")
    bonmun_pages_total{host="a.example",stage="fetched"} 1.0
    bonmun_pages_total{host="other",stage="fetched"} 1.0
    """

    def __init__(self, most_hosts: int = 100) -> None:
        try:
            from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
        except ModuleNotFoundError as error:
            raise MissingExtra("metrics", "run") from error
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        made: dict[str, Any] = {"registry": self.registry, "namespace": "bonmun"}
        self._pages = Counter("pages", "Pages by the stage they have come to.", ["stage", "host"], **made)
        self._failures = Counter("failures", "Failures by stage and type of error.", ["stage", "error"], **made)
        self._saved = Counter("saved", "Pages by what the store did with them.", ["outcome"], **made)
        self._seconds = Histogram("stage_seconds", "Seconds of a page in a stage.", ["stage"], buckets=_SECONDS, **made)
        self._bytes = Counter("received_bytes", "Bytes received from the network.", **made)
        self._queues = Gauge("queue_size", "Items that wait.", ["queue"], **made)
        self._runs = Counter("source_runs", "Runs of a source by result.", ["source", "result"], **made)
        self._items = Counter("source_items", "Requests and pages that a source gave.", ["source"], **made)
        self._sites = Counter("sites", "Templates of sites by event: learned, stale …", ["event"], **made)
        self._hosts: set[str] = set()
        self._most_hosts = most_hosts
        self._lock = Lock()

    def page(self, stage: str, host: str) -> None:
        """Count a page that has come to a stage."""
        self._pages.labels(stage, self._label(host)).inc()

    def failure(self, stage: str, error: str) -> None:
        """Count a failure."""
        self._failures.labels(stage, error).inc()

    def saved(self, outcome: str) -> None:
        """Count what the store did with a page."""
        self._saved.labels(outcome).inc()

    def seconds(self, stage: str, seconds: float) -> None:
        """Observe the time of a page in a stage."""
        self._seconds.labels(stage).observe(seconds)

    def received(self, size: int) -> None:
        """Count bytes from the network."""
        self._bytes.inc(size)

    def queue(self, name: str, size: Callable[[], float]) -> None:
        """Show a queue's size, asked for at each scrape."""
        self._queues.labels(name).set_function(size)

    def source_run(self, source: str, result: str) -> None:
        """Count a finished run of a source: `done`, `failed` or `stopped`."""
        self._runs.labels(source, result).inc()

    def source_item(self, source: str) -> None:
        """Count an item of a source."""
        self._items.labels(source).inc()

    def site(self, event: str) -> None:
        """Count an event of a site's templates."""
        self._sites.labels(event).inc()

    def text(self) -> str:
        """Return all metrics in Prometheus' text format."""
        from prometheus_client import generate_latest

        return generate_latest(self.registry).decode()

    def _label(self, host: str) -> str:
        with self._lock:
            if host not in self._hosts and len(self._hosts) >= self._most_hosts:
                return _OTHER
            self._hosts.add(host)
            return host


@contextmanager
def serving(metrics: Metrics, config: MetricsConfig) -> Iterator[str]:
    """Answer scrapes while the block runs; yield the address that listens."""
    from prometheus_client import start_http_server

    try:
        server, thread = start_http_server(config.port, config.host, registry=metrics.registry)
    except OSError as error:
        raise SourceError(f"metrics cannot listen at {config.address}: {error.strerror or error}") from error
    try:
        yield f"{config.host}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
