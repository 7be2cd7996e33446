"""Files that appear whole: a reader sees the old content or the new, never a part."""

import os
from pathlib import Path


class AtomicFile:
    """A file to write in pieces; `close` puts it in its place, `discard` leaves the old one.

    A symbolic link stays: the file it points to is replaced. Devices and pipes, and what `/dev/stdout` stands for, are
    written in place. A `private` file is readable by its owner only, from the first byte on.
    """

    def __init__(self, path: Path, *, private: bool = False) -> None:
        self._path = Path(os.path.realpath(path))
        self._part: Path | None = None
        if _is_replaceable(path, self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._part = self._path.with_name(f".bonmun-{os.urandom(8).hex()}.part")
        opener = _private if private else None
        self._file = open(self._part or path, "wb" if self._part else "ab", opener=opener)  # noqa: SIM115

    def write(self, content: bytes) -> int:
        """Write bytes."""
        return self._file.write(content)

    def flush(self) -> None:
        """Do nothing: the file is not seen before it is closed."""

    def close(self) -> None:
        """Put the file in its place."""
        self._file.close()
        if self._part:
            self._part.replace(self._path)
            self._part = None

    def discard(self) -> None:
        """Remove what was written."""
        self._file.close()
        if self._part:
            self._part.unlink(missing_ok=True)
            self._part = None


def _is_replaceable(path: Path, real: Path) -> bool:
    of_system = path.absolute().parts[1:2] in (("dev",), ("proc",))
    return not of_system and (real.is_file() or not real.exists())


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_atomically(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a whole file."""
    file = AtomicFile(path, private=private)
    try:
        file.write(content)
        file.close()
    except BaseException:
        file.discard()
        raise
