"""Certificates are verified against the requested host name."""

import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bonmun.errors import FetchError, FetchTimeout
from bonmun.middleware import network
from bonmun.middleware.network import Fetched, FetchPolicy
from tests.middleware.local_server import HASTY, HOME, PAGE, Server, answer, elapsed, failure, redirect, serving


@pytest.fixture
def secure_server(certificate: Path) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = Server()
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with serving(server) as running:
        yield running


def fetch_by_name(server: Server, host: str, policy: FetchPolicy) -> Fetched:
    url = f"https://{host}:{server.port}/"
    return network._fetch(url, policy, lambda *_: ["127.0.0.1"], socket.create_connection)


def test_an_untrusted_certificate_is_refused(secure_server: Server) -> None:
    secure_server.serve(answer())
    with pytest.raises(FetchError, match=r"certificate not trusted"):
        fetch_by_name(secure_server, "good.test", HOME)
    assert secure_server.requests == []


def test_a_trusted_certificate_serves_its_own_name_only(
    secure_server: Server, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    secure_server.serve(answer())
    assert fetch_by_name(secure_server, "good.test", HOME).content == PAGE
    assert fetch_by_name(secure_server, "good.test.", HOME).content == PAGE
    for other in ("other.test", "127.0.0.1"):
        with pytest.raises(FetchError, match=r"certificate not trusted"):
            fetch_by_name(secure_server, other, HOME)


def test_https_may_redirect_to_http(
    secure_server: Server, server: Server, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    end = server.serve(answer())
    secure_server.serve(redirect(end))
    assert fetch_by_name(secure_server, "good.test", HOME).url == end


@pytest.mark.timed
def test_a_server_without_tls_or_silent_in_the_handshake_is_an_error(server: Server) -> None:
    url = server.serve(answer()).replace("http:", "https:")
    assert "TLS handshake failed" in str(failure(url))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        start = time.monotonic()
        assert isinstance(failure(f"https://127.0.0.1:{silent.getsockname()[1]}/", HASTY), FetchTimeout)
        assert elapsed(start) < 1.2
