"""Redirects are followed up to the limit, within http and https."""

import pytest

from bonmun.errors import TooManyRedirects
from bonmun.middleware.network import FetchPolicy, fetch
from tests.middleware.local_server import HOME, Server, answer, failure, redirect


def test_a_chain_of_redirects_is_followed_to_its_end(server: Server) -> None:
    codes = ("301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent")
    for step, code in enumerate(codes):
        server.serve(redirect(f"../{step + 1}?x", code), f"/{step}?x")
    end = server.serve(answer(), "/5?x")
    assert fetch(end.replace("/5", "/0"), HOME).url == end


def test_one_redirect_too_many_is_refused(server: Server) -> None:
    url = server.serve(redirect("/"))
    assert isinstance(failure(url), TooManyRedirects)
    assert len(server.requests) == 6
    assert isinstance(failure(url, FetchPolicy(redirects=0, allow_private=True)), TooManyRedirects)


@pytest.mark.parametrize("charset", ["utf-8", "cp949"])
def test_raw_bytes_in_a_location_are_sent_back_as_they_came(server: Server, charset: str) -> None:
    word = "가나".encode(charset)
    quoted = "".join(f"%{byte:02X}" for byte in word)
    end = server.serve(answer(), f"/{quoted}")
    server.serve(b"HTTP/1.1 302 Found\r\nLocation: /" + word + b"\r\nContent-Length: 0\r\n\r\n")
    assert fetch(end.replace(quoted, ""), HOME).url == end


@pytest.mark.parametrize(
    "target",
    ["file:///etc/passwd", "ftp://example.org/", "data:text/html,hi", "javascript:1", "gopher://127.0.0.1:25/x"],
)
def test_a_redirect_out_of_http_is_refused(server: Server, target: str) -> None:
    error = failure(server.serve(redirect(target)))
    assert "only http and https" in str(error)
    assert target in str(error)


@pytest.mark.parametrize("target", ["http://", "http://[::1", "http://u:secret@127.0.0.1/", "http://a b/"])
def test_a_redirect_to_a_bad_url_is_an_error(server: Server, target: str) -> None:
    assert "secret" not in str(failure(server.serve(redirect(target))))


def test_an_error_after_a_redirect_names_both_ends(server: Server) -> None:
    server.serve(answer(b"", "404 Not Found"), "/gone")
    url = server.serve(redirect("gone"))
    assert str(failure(url)) == f"{url} → {url}gone: the server answered 404 Not Found"
