"""Hostile responses, and names that lead to a local server although only public addresses are allowed."""

import contextlib
import socket
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import brotli
import pytest
import zstandard

from bonmun.middleware import transport
from bonmun.middleware.guard import Dial, Guard
from tests.middleware.local_server import PAGE, answer

HEAD = b"HTTP/1.1 200 OK\r\n"


def reset(connection: socket.socket) -> None:
    connection.sendall(answer(PAGE, Content_Length="1000"))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def bomb(encoding: str, size: int) -> bytes:
    """So many zeros in few bytes."""
    zeros, times = bytes(1_000_000), size // 1_000_000
    if encoding == "br":
        packer = brotli.Compressor(quality=5)
        return b"".join(packer.process(zeros) for _ in range(times)) + packer.finish()
    stream = {
        "gzip": lambda: zlib.compressobj(1, wbits=31),
        "deflate": lambda: zlib.compressobj(1, wbits=-15),
        "zstd": lambda: zstandard.ZstdCompressor(level=1).compressobj(),
    }[encoding]()
    return b"".join(stream.compress(zeros) for _ in range(times)) + stream.flush()


@contextlib.contextmanager
def names_resolved(addresses: dict[str, list[str]]) -> Iterator[None]:
    """Let the system's resolver give these addresses, by name."""
    real = socket.getaddrinfo

    def look_up(host: str, *rest: Any, **options: Any) -> list[Any]:
        return [entry for one in addresses.get(host, [host]) for entry in real(one, *rest, **options)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", look_up)
        yield


@contextlib.contextmanager
def dialling(port: int) -> Iterator[list[tuple[str, int]]]:
    """Connect to a local server instead of the addresses that the guard lets pass; yield those."""
    seen: list[tuple[str, int]] = []

    def dial(address: tuple[str, int], seconds: float) -> socket.socket:
        seen.append(address)
        return socket.create_connection(("127.0.0.1", port), seconds)

    def guard(allow_private: bool, resolve: Callable[[str, float], list[str]], dial: Dial = dial) -> Guard:
        return Guard(allow_private, resolve, dial)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transport, "Guard", guard)
        yield seen
