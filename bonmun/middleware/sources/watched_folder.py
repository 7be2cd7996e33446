"""The pages that appear in a folder."""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from bonmun.errors import BonmunError, SourceError
from bonmun.limits import DEFAULT_LIMITS
from bonmun.middleware.exchange import Network, SourcePage
from bonmun.middleware.sources.files import page_suffixes, pages_in
from bonmun.middleware.sources.local_files import files_below
from bonmun.middleware.sources.problems import Problems

State = tuple[int, int, int]
"""Inode, size and time of change of a file."""


@dataclass
class WatchedFolder:
    """The HTML files of a folder and the folders below it, and those that appear or change there, until `stop`.

    A file is read once it looks the same in two rounds, so that one still being written is not read in part. One that
    cannot be read is skipped until it changes, and named in a `SourceError` after `stop`.

    >>> WatchedFolder("inbox").name
    'watch:inbox'
    """

    path: str | PathLike[str]
    interval: float = 2.0
    """Seconds between two rounds."""
    existing: bool = True
    """Whether to yield the files that are there at the start too."""
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"watch:{fspath(self.path)}"
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End `items`, from any thread: at once, or after the page that it is about to yield."""
        self._stopped.set()

    def items(self, network: Network) -> Iterator[SourcePage]:
        """Yield pages until `stop` is called; raise `SourceError` if the folder does not exist."""
        if not Path(self.path).is_dir():
            raise SourceError(f"{self.path}: no such folder to watch")
        done = {} if self.existing else self._states()
        before: dict[Path, State] = {}
        problems = Problems(self.name)
        while not self._stopped.is_set():
            now = self._states()
            done = {path: state for path, state in done.items() if path in now}
            for path, state in now.items():
                if done.get(path) != state and before.get(path) == state:
                    done[path] = state
                    yield from self._pages(path, problems)
                if self._stopped.is_set():
                    break
            before = now
            self._stopped.wait(self.interval)
        problems.raise_any()

    def _pages(self, path: Path, problems: Problems) -> Iterator[SourcePage]:
        try:
            yield from pages_in(path, self.name, DEFAULT_LIMITS.bytes, problems)
        except BonmunError as error:
            if path.exists():  # else it was removed before it could be read
                problems.add(error)

    def _states(self) -> dict[Path, State]:
        states = {}
        for path in files_below(Path(self.path), page_suffixes()):
            try:
                status = os.lstat(path)
            except OSError:
                continue
            states[path] = (status.st_ino, status.st_size, status.st_mtime_ns)
        return states
