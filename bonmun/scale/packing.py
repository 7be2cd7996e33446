"""Batches on their way to other processes: in shared memory where the system has it, as bytes elsewhere.

Through a pipe, pickled, a megabyte of pages costs 2.5 ms, a seventh of its extraction; through memory that is written
again and again 0.5 ms.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

_KEPT_BYTES = 32 << 20
"""Shared memory of up to this size is used again; a larger one, for a rare large page, is given back."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A batch in Arrow's stream format; it can be pickled.

    >>> Packed.of(pa.RecordBatch.from_pydict({"url": ["a", "b"]})).batch().num_rows
    2
    """

    rows: int
    place: bytes | str
    """The bytes themselves, or the path of the shared memory that holds them."""
    file: int | None = None
    """The file descriptor of the shared memory, in the process that packed it."""

    @classmethod
    def of(cls, batch: pa.RecordBatch) -> "Packed":
        """Pack a batch as bytes."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        return cls(batch.num_rows, sink.getvalue().to_pybytes())

    def batch(self) -> pa.RecordBatch:
        """Unpack the batch, without a copy: it holds until its memory is written again."""
        if isinstance(self.place, bytes):
            with pa.ipc.open_stream(self.place) as reader:
                return reader.read_next_batch()
        with pa.memory_map(self.place) as source, pa.ipc.open_stream(source) as reader:
            return reader.read_next_batch()


class SharedMemory:
    """Anonymous files that this process writes and its children map. They vanish with it, however it ends.

    >>> with SharedMemory() as memory:
    ...     packed = memory.pack(pa.RecordBatch.from_pydict({"url": ["a", "b"]}))
    ...     packed.batch().num_rows
    2
    """

    def __init__(self) -> None:
        self._free: list[int] = []
        self._all: set[int] = set()

    def __enter__(self) -> "SharedMemory":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def pack(self, batch: pa.RecordBatch) -> Packed:
        """Pack a batch into memory that is free, or new."""
        if not hasattr(os, "memfd_create") or not Path("/proc/self/fd").is_dir():
            return Packed.of(batch)
        file = self._free.pop() if self._free else os.memfd_create("bonmun-batch")
        self._all.add(file)
        with open(file, "wb", closefd=False) as sink:
            sink.seek(0)
            with pa.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
        return Packed(batch.num_rows, f"/proc/{os.getpid()}/fd/{file}", file)

    def release(self, packed: Packed, *, unread: bool = True) -> None:
        """Use the memory of a batch for another one; if it is still read, it stays until its last reader is done."""
        if packed.file is None:
            return
        if unread and os.fstat(packed.file).st_size <= _KEPT_BYTES:
            self._free.append(packed.file)
        else:
            self._close(packed.file)

    def close(self) -> None:
        """Give all memory back, that of batches in use too."""
        for file in tuple(self._all):
            self._close(file)
        self._free.clear()

    def _close(self, file: int) -> None:
        self._all.discard(file)
        os.close(file)
