"""A queue of bytes that moves to the disk when nobody reads it."""

import asyncio
from tempfile import SpooledTemporaryFile
from types import TracebackType

_PIECE = 1 << 18


class Spool:
    """First in, first out; up to `memory` bytes in memory, up to `disk` bytes in a temporary file.

    A client that sends all of its batch before it reads the first answer would wait for ever otherwise.
    """

    def __init__(self, memory: int = 1 << 20, disk: int = 1 << 30) -> None:
        self._file = SpooledTemporaryFile(max_size=memory)  # noqa: SIM115
        self._start = self._end = 0
        self._most = disk
        self._closed = False
        self._changed = asyncio.Condition()

    async def put(self, content: bytes) -> None:
        """Add bytes; wait while the disk's share is used up."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._end < self._most)
            await asyncio.to_thread(self._write, content) if self._on_disk else self._write(content)
            self._changed.notify_all()

    async def get(self) -> bytes:
        """Return the next bytes, as soon as there are any; none at the end."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._start < self._end or self._closed)
            content = await asyncio.to_thread(self._read) if self._on_disk else self._read()
            self._changed.notify_all()
            return content

    async def end(self) -> None:
        """Say that nothing will be added."""
        async with self._changed:
            self._closed = True
            self._changed.notify_all()

    def __enter__(self) -> "Spool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def _on_disk(self) -> bool:
        return bool(getattr(self._file, "_rolled", True))

    def _write(self, content: bytes) -> None:
        self._file.seek(self._end)
        self._file.write(content)
        self._end += len(content)

    def _read(self) -> bytes:
        self._file.seek(self._start)
        content = self._file.read(min(_PIECE, self._end - self._start))
        self._start += len(content)
        if self._start == self._end:
            self._file.seek(0)
            self._file.truncate()
            self._start = self._end = 0
        return content
