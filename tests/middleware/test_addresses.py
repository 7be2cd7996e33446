"""SSRF: non-public addresses are refused, however they are spelled, resolved or redirected to."""

import socket
import time

import pytest

from bonmun.errors import AddressRefused, FetchTimeout
from bonmun.middleware import network
from bonmun.middleware.addresses import is_public
from bonmun.middleware.network import Fetched, FetchPolicy
from tests.middleware.local_server import HASTY, HOME, PAGE, PUBLIC, Server, answer, failure, redirect


class Doors:
    """A fake name server and network: scripted addresses, all connections go to the local server."""

    def __init__(self, server: Server, **addresses: list[str]) -> None:
        self._server, self._addresses = server, {f"{name}.test": listed for name, listed in addresses.items()}
        self.asked: list[str] = []
        self.dialled: list[tuple[str, int]] = []
        self.sockets: list[socket.socket] = []

    def resolve(self, host: str, seconds: float) -> list[str]:
        self.asked.append(host)
        return self._addresses.get(host, [host])

    def dial(self, address: tuple[str, int], seconds: float) -> socket.socket:
        self.dialled.append(address)
        self.sockets.append(socket.create_connection(("127.0.0.1", self._server.port), seconds))
        return self.sockets[-1]

    def fetch(self, url: str, policy: FetchPolicy) -> Fetched:
        return network._fetch(url, policy, self.resolve, self.dial)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "0.1.2.3", "255.255.255.255", "240.0.0.1", "224.0.0.1", "239.1.1.1", "224.0.1.1"),
        *("192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "168.63.129.16", "100.100.100.200"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "ff0e::1"),
        *(
            "2001:db8::1",
            "3fff::1",
            "3fff:fff::1",
            "100::1",
            "::127.0.0.1",
            "::8.8.8.8",
            "64:ff9b:1::808:808",
            "5f00::1",
            "4000::1",
        ),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"),
        *(
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2002:a9fe:a9fe::",
            "2002:808:808::1",
            "2001:0:7f00:1::f7f7:f7f7",
            "2001::1",
        ),
    ],
)
def test_an_address_that_is_not_public_is_recognised(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_a_public_address_is_recognised(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "2130706433", "0x7f.1", "0x7F000001", "017700000001", "127.1", "127.0.1", "0", "0.0.0.0"),
        *("①②⑦.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "localhost", "LOCALHOST", "localhost.", "a.localhost"),
        *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]"),
        *("169.254.169.254", "192.168.0.1", "[fe80::1]", "[fd00:ec2::254]", "0300.0250.1", "10.0.0.1.", "127.1."),
    ],
)
def test_every_spelling_of_a_private_address_is_refused(host: str) -> None:
    for url in (f"http://{host}/", f"https://{host}:8443/x"):
        assert isinstance(failure(url, FetchPolicy()), AddressRefused)


def test_a_public_name_for_a_private_address_is_refused_before_any_connection(server: Server) -> None:
    doors = Doors(server, mixed=[PUBLIC, "10.0.0.1"])
    error = failure("http://mixed.test/", FetchPolicy(), doors.fetch)
    assert isinstance(error, AddressRefused)
    assert "mixed.test resolves to 10.0.0.1" in str(error)
    assert doors.dialled == []


@pytest.mark.parametrize("target", ["http://169.254.169.254/latest/", "//inner.test/", "https://[::1]/", "//0x7f.1"])
def test_a_redirect_from_a_public_to_a_private_address_is_refused(server: Server, target: str) -> None:
    doors = Doors(server, outer=[PUBLIC], inner=["192.168.0.7"])
    server.serve(redirect(target))
    assert isinstance(failure("http://outer.test/", FetchPolicy(), doors.fetch), AddressRefused)
    assert doors.dialled == [(PUBLIC, 80)]


def test_each_hop_is_resolved_once_and_connects_to_the_checked_address(server: Server) -> None:
    doors = Doors(server, one=[PUBLIC], two=["1.1.1.1", "1.0.0.1"])
    server.serve(redirect("http://two.test:81/end"))
    server.serve(answer(), "/end")
    assert doors.fetch("http://one.test/", FetchPolicy()).url == "http://two.test:81/end"
    assert doors.asked == ["one.test", "two.test"]
    assert doors.dialled == [(PUBLIC, 80), ("1.1.1.1", 81)]
    assert ["Host: one.test\n" in server.requests[0], "Host: two.test:81\n" in server.requests[1]] == [True, True]


def test_the_next_address_is_tried_after_one_that_refuses(server: Server) -> None:
    url = server.serve(answer()).replace("127.0.0.1", "two.test")
    got = network._fetch(url, HOME, lambda *_: ["127.0.0.2", "127.0.0.1"], socket.create_connection)
    assert got.content == PAGE


def test_a_silent_address_leaves_time_for_the_next() -> None:
    waits = []

    def dial(address: tuple[str, int], seconds: float) -> socket.socket:
        waits.append(round(seconds, 1))
        raise TimeoutError

    failure("http://two.test/", HOME, lambda url, policy: network._fetch(url, policy, lambda *_: ["1.1.1.1"] * 2, dial))
    assert waits == [2.5, 5.0]


def test_a_connection_made_after_the_deadline_is_closed(server: Server) -> None:
    class SlowDoors(Doors):
        def dial(self, address: tuple[str, int], seconds: float) -> socket.socket:
            time.sleep(seconds)
            return super().dial(address, 1.0)

    doors = SlowDoors(server, late=["127.0.0.1"])
    assert isinstance(failure("https://late.test/", HASTY, doors.fetch), FetchTimeout)
    assert [made.fileno() for made in doors.sockets] == [-1]


@pytest.mark.parametrize("user", ["user", "user:secret", ":secret", "example.org", "a@b", "127.0.0.1:80"])
def test_a_url_with_credentials_is_refused_before_any_connection(server: Server, user: str) -> None:
    message = str(failure(server.serve(answer()).replace("//", f"//{user}@")))
    assert message == f"http://127.0.0.1:{server.port}/: refused: the URL has a user name or password"
    assert server.requests == []
