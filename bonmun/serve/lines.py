"""The lines of a body that comes in pieces."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

TOO_LONG: Final = b"\n"
"""Stands for a line beyond the limit, whose content is dropped: no line has a line feed."""


async def lines(pieces: AsyncIterator[bytes], most: int) -> AsyncGenerator[tuple[int, bytes], None]:
    """Yield the lines that are not blank, with their numbers from 1; never keep more than `most` bytes and a piece."""
    number, kept, dropping = 1, bytearray(), False
    async for piece in pieces:
        *ends, rest = piece.split(b"\n")
        for end in ends:
            kept += end
            if dropping or len(kept) > most:
                yield number, TOO_LONG
            elif kept.strip():
                yield number, bytes(kept)
            kept, dropping = bytearray(), False
            number += 1
        kept += rest
        if len(kept) > most:
            kept, dropping = bytearray(), True
    if dropping:
        yield number, TOO_LONG
    elif kept.strip():
        yield number, bytes(kept)
