"""Metrics of the service for Prometheus, in a registry of their own. The values of every label are bounded."""

from collections.abc import Callable
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class ServeMetrics:
    """Counters, gauges and histograms of a service.

    >>> metrics = ServeMetrics()
    >>> metrics.request("GET", "/healthz", 200, 0.001)
    >>> [line for line in metrics.text().splitlines() if line.startswith("bonmun_http_requests_total")]
    ['bonmun_http_requests_total{method="GET",route="/healthz",status="200"} 1.0']
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        made: dict[str, Any] = {"registry": self.registry, "namespace": "bonmun"}
        timed = {**made, "buckets": _SECONDS}
        labels = ["method", "route", "status"]
        self._requests = Counter("http_requests", "Requests by route and status.", labels, **made)
        self._seconds = Histogram("http_request_seconds", "Seconds until a response is complete.", ["route"], **timed)
        self._bytes = Counter("http_bytes", "Bytes of bodies: received and sent.", ["direction"], **made)
        self._work = Histogram("work_seconds", "Seconds of work in a worker process.", ["work"], **timed)
        self._failures = Counter("work_failures", "Failed work by type of error.", ["error"], **made)
        self._fetches = Counter("fetches", "Fetched pages by result.", ["result"], **made)
        self._fetched = Counter("fetched_bytes", "Bytes of fetched pages.", **made)
        self._lines = Counter("batch_lines", "Lines of batches by result.", ["result"], **made)
        self._gauges: dict[str, Gauge] = {}

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request by its route's template; `other` for a path without a route."""
        self._requests.labels(method if method in _METHODS else "other", route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def bytes(self, received: int, sent: int) -> None:
        """Count the bytes of bodies."""
        self._bytes.labels("received").inc(received)
        self._bytes.labels("sent").inc(sent)

    def work(self, name: str, seconds: float) -> None:
        """Observe the time of a unit of work by the name of its class."""
        self._work.labels(name).observe(seconds)

    def failure(self, error: BaseException) -> None:
        """Count failed work by the class of its error."""
        self._failures.labels(type(error).__name__).inc()

    def fetched(self, size: int | None) -> None:
        """Count a fetch; `None` for one that failed."""
        self._fetches.labels("failed" if size is None else "fetched").inc()
        self._fetched.inc(size or 0)

    def line(self, result: str) -> None:
        """Count a line of a batch: `ok` or `problem`."""
        self._lines.labels(result).inc()

    def gauge(self, name: str, help: str, value: Callable[[], float]) -> None:
        """Show a number, asked for at each scrape; a gauge of the same name is replaced."""
        if name not in self._gauges:
            self._gauges[name] = Gauge(name, help, registry=self.registry, namespace="bonmun")
        self._gauges[name].set_function(value)

    def text(self) -> str:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self.registry).decode()
