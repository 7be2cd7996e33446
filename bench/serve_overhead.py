"""The web service beside plain `extract`: `python bench/serve_overhead.py [--pages N] [--workers N]`.

The same pages are extracted to JSON by a plain loop in one process, by one client after the other request, and by
eight clients at once. The clients run in a process of their own. Times are CPU seconds of the processes of the service
(the process that answers, and its workers), which a busy machine does not change, and wall seconds, which it does.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

import bonmun

TICKS = os.sysconf("SC_CLK_TCK")
SERVER = """
import sys, uvicorn
from bonmun.serve.app import create_app
from bonmun.serve.settings import ServeSettings
if __name__ == "__main__":
    settings = ServeSettings(store=":memory:", workers=int(sys.argv[2]), port=int(sys.argv[1]))
    uvicorn.run(create_app(settings), port=settings.port, log_level="warning", access_log=False)
"""


def cpu(pid: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    return [int(one) for task in Path(f"/proc/{pid}/task").iterdir() for one in (task / "children").read_text().split()]


@contextmanager
def service(port: int, workers: int, folder: Path) -> Iterator[int]:
    """A running service; yields its process id once it is ready."""
    import httpx2

    script = folder / "serve_overhead_server.py"
    script.write_text(SERVER)
    path = {"PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, str(script), str(port), str(workers)], env={**os.environ, **path}
    ) as process:
        try:
            for _ in range(600):
                time.sleep(0.1)
                try:
                    if httpx2.get(f"http://127.0.0.1:{port}/readyz", trust_env=False).status_code == 200:
                        break
                except httpx2.HTTPError:
                    pass
            yield process.pid
        finally:
            process.send_signal(signal.SIGTERM)


def ask_all(port: int, bodies: list[bytes], clients: int) -> list[float]:
    """Send all bodies, several clients at once, each on a connection that it keeps; return the seconds of each."""
    import http.client

    left, times = iter(bodies), []
    lock = threading.Lock()

    def ask() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        while True:
            with lock:
                body = next(left, None)
            if body is None:
                return connection.close()
            start = time.perf_counter()
            connection.request("POST", "/v1/extract", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            content = answer.read()
            assert answer.status == 200, content
            times.append(time.perf_counter() - start)

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def plain(bodies: list[bytes]) -> tuple[float, float]:
    """Wall and CPU seconds of a loop in this process."""
    given = [json.loads(body)["html"].encode() for body in bodies]
    for html in given[:20]:
        bonmun.extract(html).to_json()
    wall, spent = time.perf_counter(), time.process_time()
    for html in given:
        bonmun.extract(html).to_json().encode()
    return time.perf_counter() - wall, time.process_time() - spent


def measure(name: str, port: int, pid: int, bodies: list[bytes], clients: int) -> tuple[float, float]:
    """Print and return wall and CPU seconds of the service."""
    workers = children(pid)
    before = cpu(pid), sum(map(cpu, workers))
    start = time.perf_counter()
    times = ask_all(port, bodies, clients)
    wall = time.perf_counter() - start
    front, back = cpu(pid) - before[0], sum(map(cpu, workers)) - before[1]
    count = len(bodies)
    quantiles = statistics.quantiles(times, n=100)
    print(
        f"{name:22} {1000 * wall / count:7.2f} ms a page; CPU {1000 * front / count:.2f} ms in the server,"
        f" {1000 * back / count:.2f} in workers; p50 {1000 * quantiles[49]:.1f}, p99 {1000 * quantiles[98]:.1f} ms"
    )
    return wall, front + back


def main() -> None:
    """Measure and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--port", type=int, default=8931)
    parser.add_argument("--corpus", default="wcxb_dev")
    options = parser.parse_args()
    import tempfile

    sample = list(pages(options.corpus))
    chosen = sample[:: max(1, len(sample) // options.pages)][: options.pages]
    bodies = [json.dumps({"html": page["html"], "format": "json"}).encode("utf-8", "replace") for page in chosen]
    print(f"{len(bodies)} pages of {sum(map(len, bodies)) / len(bodies) / 1000:.0f} kB")
    with tempfile.TemporaryDirectory() as folder, service(options.port, options.workers, Path(folder)) as pid:
        ask_all(options.port, bodies[:40], 4)
        wall, spent = plain(bodies)
        print(
            f"{'plain extract':22} {1000 * wall / len(bodies):7.2f} ms a page; CPU {1000 * spent / len(bodies):.2f} ms"
        )
        one = measure("one client", options.port, pid, bodies, 1)
        eight = measure("eight clients", options.port, pid, bodies, 8)
    print(
        f"one client: {one[0] / wall:.2f} times the wall time, {one[1] / spent:.2f} times the CPU time of plain extract"
    )
    print(f"eight clients: {eight[0] / wall:.2f} times the wall time, {eight[1] / spent:.2f} times the CPU time")


if __name__ == "__main__":
    main()
