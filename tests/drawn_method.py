"""A method that needs a layout, as a plug-in would bring it, and a Chromium that counts its starts."""

import os
import stat
import time
from pathlib import Path

import bonmun


class Wide:
    """Keeps the blocks that are at least 400 pixels wide."""

    name = "wide"
    needs_layout = True

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        layout = page.layout
        assert layout is not None
        keep = [int(layout.width(row) >= 400) for row in page.blocks.element]
        reasons = [(bonmun.Reason("wide", str(layout.viewport[0])),)] * len(keep)
        return bonmun.Verdicts(keep=keep, score=[float(kept) for kept in keep], reasons=reasons, confidence=1.0)


def install(folder: Path) -> None:
    """Register the method `wide` for processes that have the folder in their PYTHONPATH."""
    information = folder / "drawn-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: drawn\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text(
        "[bonmun.methods]\nwide = tests.drawn_method:Wide\n", encoding="utf-8"
    )


class CountedChromium:
    """A program that notes its process and becomes Chromium: for BONMUN_CHROMIUM."""

    def __init__(self, folder: Path, chromium: str) -> None:
        self._log = folder / "starts"
        self.path = str(folder / "counted-chromium")
        Path(self.path).write_text(f'#!/bin/sh\necho $$ >> "{self._log}"\nexec "{chromium}" "$@"\n', encoding="utf-8")
        Path(self.path).chmod(stat.S_IRWXU)

    @property
    def processes(self) -> list[int]:
        """The processes that were started, dead or alive."""
        return [int(line) for line in self._log.read_text().split()] if self._log.exists() else []

    def all_end(self, seconds: float = 60.0) -> bool:
        """Whether all processes end within some seconds."""
        end = time.monotonic() + seconds
        while any(map(is_alive, self.processes)):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True


def is_alive(process: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # nobody waits for the child of a dead parent here
