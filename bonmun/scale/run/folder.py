"""The output folder: names of its files, the lock, and what earlier runs left in it."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bonmun.errors import OutputDiffers, OutputError, OutputLocked
from bonmun.scale.run.durable import json_bytes, sync_folder, temporary, write_durably, writing
from bonmun.scale.run.locking import try_lock, wait_for_lock
from bonmun.scale.run.marker import Marker
from bonmun.scale.run.settings import SUFFIXES

OURS = "_bonmun"
"""The folder for what is no part: readers of data sets skip names with an underscore."""
_ENDINGS = "|".join(re.escape(suffix) for suffix in SUFFIXES.values())
_PART = re.compile(rf"(?P<temporary>\.)?part-(?P<number>\d{{5,}})(?:{_ENDINGS})(?(temporary)\.part)")
_STATE = re.compile(
    r"(?P<temporary>\.)?(?:part-(?P<number>\d{5,})\.(?:done\.json|seen)|batch\.json|account\.json|sites-of\.json)(?(temporary)\.part)"
)


class OutputFolder:
    """A folder of parts, locked while it is open. With K/N, those of every N-th shard only.

    Runs on different parts of the same N may write at the same time; others are refused with `OutputLocked`.
    """

    def __init__(self, path: Path, suffix: str, part: tuple[int, int] = (1, 1)) -> None:
        self.path, self.ours = path, path / OURS
        self._suffix, self._part = suffix, part
        self._locks: list[int] = []

    def __enter__(self) -> "OutputFolder":
        with writing(self.path, OURS):
            self.ours.mkdir(parents=True, exist_ok=True)
        try:
            self._lock()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        while self._locks:
            os.close(self._locks.pop())

    def part_path(self, number: int) -> Path:
        """Return the file for the rows of a shard."""
        return self.path / f"part-{number:05}{self._suffix}"

    def marker_path(self, number: int) -> Path:
        """Return the marker of a shard."""
        return self.ours / f"part-{number:05}.done.json"

    def seen_path(self, number: int) -> Path:
        """Return the file for what a shard adds to the index of duplicates."""
        return self.ours / f"part-{number:05}.seen"

    def is_mine(self, number: int) -> bool:
        """Whether a shard belongs to the K-th of N parts."""
        return number % self._part[1] == self._part[0] - 1

    def marker(self, number: int) -> Marker | None:
        """Return the marker of a shard that is done; None if there is none, or if it cannot be read."""
        try:
            return Marker.from_json(self.marker_path(number).read_bytes())
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def has_part(self, marker: Marker) -> bool:
        """Whether the part of a marker is there, with its size."""
        try:
            return (self.path / marker.part.name).stat().st_size == marker.part.bytes
        except OSError:
            return False

    def record(self) -> dict[str, Any] | None:
        """Return what the earlier run was asked for; None in a new folder."""
        record = self.state("batch.json")
        if record is None:
            self._refuse_foreign()
        return record

    def state(self, name: str) -> dict[str, Any] | None:
        """Return a file that `write_state` wrote; None if there is none."""
        path = self.ours / name
        try:
            state = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise OutputError(f"{path}: cannot be read: {error}; remove it to start anew") from error
        return state if isinstance(state, dict) else {}

    def write_state(self, name: str, content: dict[str, Any]) -> None:
        """Write a file that belongs to no shard."""
        with writing(self.path, f"{OURS}/{name}"):
            write_durably(self.ours / name, json_bytes(content))

    def forget(self, number: int) -> None:
        """Remove what there is of a shard; the marker first, so that no marker is without its part."""
        with writing(self.path, f"part-{number:05}"):
            for path in (self.marker_path(number), self.seen_path(number), self.part_path(number)):
                path.unlink(missing_ok=True)
                temporary(path).unlink(missing_ok=True)

    def forget_account(self) -> None:
        """Remove the account of all shards: it is not true any more."""
        with writing(self.path, f"{OURS}/account.json"):
            (self.ours / "account.json").unlink(missing_ok=True)

    def forget_sites(self) -> None:
        """Remove the sites that were learned."""
        with writing(self.path, f"{OURS}/sites"):
            (self.ours / "sites.done.json").unlink(missing_ok=True)
            for name in ("sites", ".bonmun-sites"):
                if (self.ours / name).exists():
                    shutil.rmtree(self.ours / name)

    def clean(self) -> None:
        """Remove what a killed run left: temporary files, and parts without a marker. To be called in `turn`."""
        for path, number in self._files():
            is_temporary = path.name.startswith(".")
            is_left = is_temporary or (number is not None and not self.marker_path(number).exists())
            if is_left and (number is None or self.is_mine(number)):
                with writing(self.path, path.name):
                    path.unlink(missing_ok=True)

    def remove_results(self) -> None:
        """Remove all files that a batch wrote, and nothing else."""
        if (self.ours / "batch.json").exists():
            self.forget_sites()
            with writing(self.path, OURS):
                for path, _ in sorted(self._files(), key=lambda file: file[0].name == "batch.json"):
                    path.unlink(missing_ok=True)
                sync_folder(self.ours)

    def _files(self) -> Iterator[tuple[Path, int | None]]:
        """All files that a batch writes, with the number of their shard."""
        with writing(self.path, OURS):
            for folder, pattern in ((self.ours, _STATE), (self.path, _PART)):
                for path in sorted(folder.iterdir()):
                    if match := pattern.fullmatch(path.name):
                        yield path, int(match["number"]) if match["number"] else None

    def _refuse_foreign(self) -> None:
        for path, _ in self._files():
            if not path.name.startswith("."):
                raise OutputDiffers(str(self.path), f"{path.name} has no record of its settings in {OURS}/batch.json")

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold off the other runs on this folder for a moment, while shared files are compared and written."""
        handle = self._opened("lock-turn")
        try:
            wait_for_lock(handle)
            yield
        finally:
            os.close(handle)

    def _lock(self) -> None:
        """Lock the folder; for a part, share it with other parts of as many, and lock that part."""
        number, parts = self._part
        handle = self._opened("lock")
        self._locks.append(handle)
        with self.turn(), writing(self.path, f"{OURS}/lock"):
            if try_lock(handle):
                os.ftruncate(handle, 0)
                os.write(handle, str(parts).encode())
            elif parts == 1 or not try_lock(handle, shared=True) or os.read(handle, 20) != str(parts).encode():
                raise self._busy()
            if parts > 1:
                try_lock(handle, shared=True)
                self._locks.append(own := self._opened(f"lock-{number}-of-{parts}"))
                if not try_lock(own):
                    raise self._busy()

    def _busy(self) -> OutputLocked:
        return OutputLocked(f"{self.path}: another run writes to this folder; wait for it, or stop it")

    def _opened(self, name: str) -> int:
        with writing(self.path, f"{OURS}/{name}"):
            return os.open(self.ours / name, os.O_RDWR | os.O_CREAT, 0o666)
