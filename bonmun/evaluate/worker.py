"""One system in a process of its own, which is stopped when a page takes too long and started again for the next."""

import json
import queue
import subprocess
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import IO, Any

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.systems import System

_START_SECONDS = 120.0
"""A cold disk and a busy machine: some peers import hundreds of files."""
_GRACE_SECONDS = 5.0


class Status(StrEnum):
    """How a system did on a page."""

    OK = "ok"
    EMPTY = "empty"
    ERROR = "error"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system returned for a page."""

    status: Status
    output: str = ""
    """As it came: text or HTML."""
    cpu: float = 0.0
    """Seconds of CPU time in its process."""
    wall: float = 0.0
    memory: int = 0
    """The most its process held meanwhile, in kB."""
    note: str = ""
    """What went wrong."""


class StartFailed(BonmunError):
    """A system that did not come up."""


class Worker:
    """A system that answers pages; use it as a context manager.

    >>> from bonmun.evaluate.systems import find
    >>> with Worker(find("xpath")) as worker:
    ...     worker.ask(Case("1", "<p>Tea is made of leaves.</p>"), 20).output
    'Tea is made of leaves.'
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: IO[bytes] | None = None
        self._over = False

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, case: Case, seconds: float) -> Answer:
        """Return its answer to a page, within so many seconds.

        A process that dies is asked once more: somebody else may have ended it, and what the page did it does again.
        """
        page = {"id": case.id, "html": case.html, "url": case.url, "lang": case.lang}
        asked = json.dumps({**page, "seconds": seconds + _GRACE_SECONDS}).encode() + b"\n"
        answer, died = self._ask(asked, seconds)
        if died and not self._over:
            answer, _ = self._ask(asked, seconds)
        return answer

    def _ask(self, page: bytes, seconds: float) -> tuple[Answer, bool]:
        """Return its answer, and whether its process died."""
        if self._process is None:
            self._start()
        assert self._process and self._process.stdin
        try:
            self._process.stdin.write(page)
            self._process.stdin.flush()
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            self.stop()
            return Answer(Status.TIMEOUT, wall=seconds, cpu=seconds, note=f"not done in {seconds:g} seconds"), False
        except OSError:
            line = b""
        if not line:
            return Answer(Status.ERROR, note=f"its process died: {self._last_words()}"), True
        return _read(json.loads(line)), False

    def kill(self) -> None:
        """End the process from another thread, for good; whoever waits for its answer is told that it died."""
        self._over = True
        process = self._process
        if process:
            process.kill()

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None
        if self._errors:
            self._errors.close()
            self._errors = None

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `stop`)
        self._lines = queue.SimpleQueue()
        self._process = subprocess.Popen(
            self.system.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=self.system.environment(),
            start_new_session=True,  # Ctrl-C reaches the whole group: a worker that it ends would be a page's error.
        )
        if self._over:  # `kill` came before there was a process.
            self._process.kill()
        assert self._process.stdout
        threading.Thread(target=_pump, args=(self._process.stdout, self._lines.put), daemon=True).start()
        try:
            ready = self._lines.get(timeout=_START_SECONDS)
        except queue.Empty:
            ready = b""
        if not ready:
            raise StartFailed(f"{self.system.name} does not start: {self._last_words()}")

    def _last_words(self) -> str:
        """Stop the process and return the last line it wrote to standard error."""
        process, errors = self._process, self._errors
        if process is None or errors is None:
            return "no reason given"
        try:
            status = process.wait(2)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().splitlines()
        self.stop()
        return said[-1][:300] if said else f"status {status}"


def _pump(stream: IO[bytes], put: Callable[[bytes], None]) -> None:
    """Hand on line after line; an empty one when the process is gone."""
    try:
        for line in stream:
            put(line)
    except ValueError:  # Closed by `stop`.
        pass
    put(b"")


def _read(answer: dict[str, Any]) -> Answer:
    cpu, wall, memory = float(answer["cpu"]), float(answer["wall"]), int(answer["memory"])
    if "error" in answer:
        return Answer(Status.ERROR, cpu=cpu, wall=wall, memory=memory, note=answer["error"])
    output = str(answer["output"])
    return Answer(Status.OK if output.strip() else Status.EMPTY, output, cpu, wall, memory)
