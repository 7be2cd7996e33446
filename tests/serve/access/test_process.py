"""`bonmun serve` as a process: where it listens, who may reach it, how it ends."""

import json
import signal
import socket
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic

import pytest

from bonmun.errors import AddressUnavailable
from bonmun.serve.listening import listen_unix
from tests.serve.access.live import DEADLINE, add_token, ask, command, revoke, until

PAGE = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
JSON = {"content_type": "application/json"}


class SlowSite:
    """A server whose one page comes when it is told to."""

    def __init__(self) -> None:
        site = self
        self.asked, self.go = threading.Event(), threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.set()
                site.go.wait(DEADLINE)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(PAGE.encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()
        self.body = json.dumps({"url": f"http://127.0.0.1:{self.server.server_port}/"}).encode()

    def close(self) -> None:
        self.go.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def slow_site() -> Iterator[SlowSite]:
    site = SlowSite()
    yield site
    site.close()


def test_the_first_answer_the_host_check_and_an_orderly_end(tmp_path: Path) -> None:
    with command(tmp_path) as service:
        assert service.first_line == (
            f"Bonmun at http://127.0.0.1:{service.port}/ (store bonmun.db; everybody who reaches it gets in)\n"
        )
        answer = ask(
            service.port, "/v1/extract", "POST", json.dumps({"html": PAGE}).encode(), accept="text/plain", **JSON
        )
        assert answer.status == 200 and b"water that has just boiled" in answer.body
        assert "server" not in answer.headers
        assert ask(service.port, "/", host="evil.example", x_forwarded_for="192.0.2.7").status == 421
        assert ask(service.port, "/", host=f"localhost:{service.port}").status == 200
        assert ask(service.port, "/v1/extract", "POST", b"{}", sec_fetch_site="cross-site", **JSON).status == 403
        service.signal(signal.SIGTERM)
        assert service.wait() == 0
        lines = [json.loads(line) for line in service.log.splitlines()]
        assert [line["status"] for line in lines if line["event"] == "request"] == [200, 421, 200, 403]
        assert {line["client"] for line in lines if line["event"] == "request"} == {"127.0.0.1"}  # whatever it claims
        assert not [line for line in lines if line["level"] != "info"]
    assert (tmp_path / "bonmun.db").exists()


def test_a_signal_lets_requests_finish(tmp_path: Path, slow_site: SlowSite) -> None:
    with command(tmp_path, "--allow-private", "--store", ":memory:") as service, ThreadPoolExecutor(1) as threads:
        running = threads.submit(ask, service.port, "/v1/extract", "POST", slow_site.body, accept="text/plain", **JSON)
        assert slow_site.asked.wait(DEADLINE)
        service.signal(signal.SIGINT)
        service.signal(signal.SIGINT)  # from the terminal and from a parent that passes it on
        until(lambda: not is_listening(service.port))
        slow_site.go.set()
        assert running.result().status == 200
        assert service.wait() == 0


def test_a_second_signal_ends_it_and_its_workers_at_once(tmp_path: Path, slow_site: SlowSite) -> None:
    with command(tmp_path, "--allow-private", "--store", ":memory:") as service, ThreadPoolExecutor(1) as threads:
        until(lambda: ask(service.port, "/readyz").status == 200)
        workers = children(service.process.pid)
        assert workers
        running = threads.submit(ask, service.port, "/v1/extract", "POST", slow_site.body, accept="text/plain", **JSON)
        assert slow_site.asked.wait(DEADLINE)
        first = monotonic()
        service.signal(signal.SIGTERM)
        until(lambda: not is_listening(service.port))
        until(lambda: monotonic() - first > 1)  # sooner, it would be the first one again
        start = monotonic()
        service.signal(signal.SIGTERM)
        assert service.wait() == 128 + signal.SIGTERM
        assert monotonic() - start < 20  # the request would have taken for ever
        assert running.exception() is not None
        until(lambda: not [worker for worker in workers if is_running(worker)])


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


def children(pid: int) -> list[int]:
    if not Path("/proc/self/task").exists():
        pytest.skip("needs /proc")
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_public_service_without_tokens_does_not_start(tmp_path: Path) -> None:
    with command(tmp_path, "--host", "0.0.0.0") as service:
        assert service.first_line == "" and service.wait() == 1
        assert service.log.startswith("bonmun: Unprotected: other machines can reach 0.0.0.0, and there is no token")


def test_a_public_service_with_tokens(tmp_path: Path) -> None:
    file = tmp_path / "config" / "bonmun" / "tokens.json"
    secret, small = add_token(file, scopes="extract"), add_token(file, "small", max_bytes=50)
    with command(tmp_path, "--host", "0.0.0.0", "--proxy", "127.0.0.1", "--store", ":memory:") as service:
        assert "a token is needed" in service.first_line
        body = json.dumps({"html": PAGE}).encode()
        assert ask(service.port, "/v1/explain", "POST", body, **JSON).status == 401
        known = {"authorization": f"Bearer {secret}", **JSON}
        answer = ask(service.port, "/v1/explain", "POST", body, **known)
        assert answer.status == 200 and answer.headers["ratelimit-policy"] == '"default";q=600;w=60'
        assert ask(service.port, "/metrics", **known).status == 403
        assert ask(service.port, "/v1/explain", "POST", body, authorization=f"Bearer {small}", **JSON).status == 413
        proxied = {"x_forwarded_proto": "https", "x_forwarded_for": "192.0.2.7", "origin": "https://127.0.0.1"}
        form = {"content_type": "application/x-www-form-urlencoded", "host": "127.0.0.1"}
        entered = ask(service.port, "/login", "POST", f"token={secret}".encode(), **proxied, **form)
        assert entered.status == 303 and "Secure" in entered.headers["set-cookie"]
        assert until(lambda: '"client": "192.0.2.7"' in service.log)  # written after the answer
        revoke(file)
        assert ask(service.port, "/v1/explain", "POST", body, **known).status == 401


class UnixConnection(HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=DEADLINE)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(str(self.path))


def unix_status(path: Path, **headers: str) -> int:
    connection = UnixConnection(path)
    try:
        connection.request("GET", "/healthz", headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_a_unix_socket_is_for_its_owner_and_group(tmp_path: Path) -> None:
    path = tmp_path / "bonmun.sock"
    with command(tmp_path, "--uds", "bonmun.sock", "--store", ":memory:") as service:
        assert service.first_line.startswith("Bonmun at unix:bonmun.sock (")
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        assert unix_status(path) == 200 and unix_status(path, host="evil.example") == 421
        with pytest.raises(AddressUnavailable, match="is in use"):
            listen_unix(path)
        service.process.kill()
        service.wait()
    assert path.exists()
    listen_unix(path).close()  # in place of the stale one


def test_localhost_is_every_loopback_address(tmp_path: Path) -> None:
    addresses = {info[4][0] for info in socket.getaddrinfo("localhost", 0, type=socket.SOCK_STREAM)}
    with command(tmp_path, "--host", "localhost", "--store", ":memory:") as service:
        for address in addresses:
            assert str(address) in service.first_line
            socket.create_connection((address, service.port), timeout=DEADLINE).close()
