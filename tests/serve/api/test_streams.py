"""Lines of a body in pieces of any size, and answers that wait on the disk."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.serve.lines import TOO_LONG, lines
from bonmun.serve.spool import Spool

MOST = 10


async def in_pieces(body: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


def read(body: bytes, size: int) -> list[tuple[int, bytes]]:
    async def collected() -> list[tuple[int, bytes]]:
        return [line async for line in lines(in_pieces(body, size), MOST)]

    return asyncio.run(collected())


@given(st.lists(st.binary(max_size=14).map(lambda line: line.replace(b"\n", b"x")), max_size=6), st.integers(1, 30))
def test_lines_are_the_same_whatever_the_pieces(given_lines: list[bytes], size: int) -> None:
    expected = [
        (number, TOO_LONG if len(line) > MOST else line)
        for number, line in enumerate(given_lines, 1)
        if len(line) > MOST or line.strip()
    ]
    assert read(b"\n".join(given_lines), size) == expected


@pytest.mark.parametrize("memory", [10, 1 << 20])
def test_a_spool_gives_back_what_was_put_in_while_it_moves_to_the_disk(memory: int) -> None:
    async def pass_through() -> bytes:
        with Spool(memory=memory, disk=2000) as spool:

            async def put() -> None:
                for number in range(500):
                    await spool.put(b"%04d," % number)
                await spool.end()

            putting = asyncio.create_task(put())
            await asyncio.sleep(0)
            received = [content async for content in iterated(spool)]
            await putting
            return b"".join(received)

    assert asyncio.run(pass_through()) == b"".join(b"%04d," % number for number in range(500))


async def iterated(spool: Spool) -> AsyncIterator[bytes]:
    while content := await spool.get():
        yield content


def test_a_full_spool_waits_for_its_reader() -> None:
    async def fill() -> bool:
        with Spool(memory=10, disk=100) as spool:
            await spool.put(b"x" * 100)
            more = asyncio.create_task(spool.put(b"y"))
            done, _ = await asyncio.wait((more,), timeout=0.05)
            assert await spool.get() == b"x" * 100
            await more
            return not done and await spool.get() == b"y"

    assert asyncio.run(fill())
