"""Files of an output folder: whole or not there, on the disk before anything says so, with their checksum."""

import errno
import hashlib
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bonmun.errors import OutputError, OutputFull, SourceError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def writing(folder: Path, name: str) -> Iterator[None]:
    """Raise the errors of the system as `OutputError`, with the name of the file that is written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _FULL:
            raise OutputFull(f"{folder}: no space for {name}: {reason}; make room and run the same again") from error
        raise OutputError(f"{folder}: cannot write {name}: {reason}") from error


@contextmanager
def reading(folder: Path, name: str) -> Iterator[None]:
    """Raise what is wrong with a file of the folder as `OutputError`."""
    try:
        yield
    except (OSError, SourceError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OutputError(f"{folder}: cannot use {name}: {reason}; start anew") from error


def temporary(path: Path) -> Path:
    """Return the name of a file while it is written; readers of data sets skip names with a dot.

    >>> temporary(Path("out/part-00000.parquet")).name
    '.part-00000.parquet.part'
    """
    return path.with_name(f".{path.name}.part")


class DurableFile(io.RawIOBase):
    """A file to write in pieces, as pyarrow does; `commit` puts it in its place, `discard` removes it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._temporary = temporary(path)
        self._file = self._temporary.open("wb", buffering=1 << 20)
        self._hash = hashlib.sha256()
        self._discarded = False
        self.size = 0

    @property
    def sha256(self) -> str:
        """The checksum of what was written."""
        return self._hash.hexdigest()

    def writable(self) -> bool:
        """Return that it can be written."""
        return True

    def write(self, content: Any) -> int:
        """Write bytes; none after `discard`, when a writer closes what it has begun."""
        if not self._discarded:
            self._file.write(content)
            self._hash.update(content)
            self.size += len(content)
        return len(content)

    def tell(self) -> int:
        """Return the number of bytes written."""
        return self.size

    def sync(self) -> Path:
        """Write everything to the disk; return the file under its temporary name."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._temporary

    def commit(self) -> None:
        """Put the file in its place, where it stays even if the power fails."""
        self.sync()
        self._file.close()
        self._temporary.replace(self.path)
        sync_folder(self.path.parent)

    def discard(self) -> None:
        """Remove what was written."""
        self._discarded = True
        with suppress(OSError):  # Its buffer does not fit on a full disk.
            self._file.close()
        with suppress(OSError):
            self._temporary.unlink(missing_ok=True)


def json_bytes(value: Any) -> bytes:
    r"""Return JSON that any reader takes; what UTF-8 cannot hold, such as some names of files, is escaped.

    >>> json_bytes({"shard": "차"}).decode(), json_bytes("caf\udce9")
    ('{\n "shard": "차"\n}\n', b'"caf\\udce9"\n')
    """
    try:
        return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, indent=1).encode() + b"\n"


def write_durably(path: Path, content: bytes) -> None:
    """Write a whole file."""
    file = DurableFile(path)
    try:
        file.write(content)
        file.commit()
    except BaseException:
        file.discard()
        raise


def sync_folder(folder: Path) -> None:
    """Write the entries of a folder to the disk."""
    if sys.platform == "win32":  # A folder cannot be opened there.
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
