"""``manifest.jsonl`` in an output directory: which output belongs to which source."""

import json
from pathlib import Path
from typing import Any

from bonmun.atomic_file import AtomicFile

_NAME = "manifest.jsonl"


class Manifest:
    """One line for each page: source, output, status, title, error, and the reason of a filter.

    It is written even if the command is interrupted: it lists the outputs that are there.
    """

    def __init__(self, folder: Path) -> None:
        self._file = AtomicFile(folder / _NAME)

    def __enter__(self) -> "Manifest":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, source: str, output: str | None, status: str, **more: Any) -> None:
        """Add the line of a page."""
        line = {"source": source, "output": output, "status": status, "title": None, "error": None} | more
        self._file.write(f"{json.dumps(line, ensure_ascii=False)}\n".encode(errors="replace"))


class NoManifest:
    """In place of a manifest where there is no output directory."""

    def __enter__(self) -> "NoManifest":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def add(self, source: str, output: str | None, status: str, **more: Any) -> None:
        """Do nothing."""
