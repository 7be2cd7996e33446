"""The worker process of a command that speaks JSON lines."""

import json
import queue
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, cast

from bonmun.workers.processes import Command


class CommandProcess:
    """A running `Command`."""

    def __init__(self, command: Command) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `end`)
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        try:
            self._process = subprocess.Popen(
                command.arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=command.environment,
                start_new_session=True,  # Ctrl-C reaches the whole process group; the parent ends its workers in order.
            )
        except BaseException:
            self._errors.close()
            raise
        self.pid = self._process.pid
        threading.Thread(target=_pump, args=(self._process.stdout, self._lines.put), daemon=True).start()

    def encode(self, item: Any, _: float | None) -> bytes:
        """Return an item as a line of JSON."""
        return json.dumps(item).encode() + b"\n"

    def send(self, message: bytes) -> None:
        """Write a line to its standard input."""
        stdin = cast(IO[bytes], self._process.stdin)
        stdin.write(message)
        stdin.flush()

    def receive(self, seconds: float | None) -> Any:
        """Return the next line of its standard output."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if not line:
            raise EOFError
        return json.loads(line)

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()

    def end(self, patience: float) -> tuple[int | None, str]:
        """Kill it if it has not ended in time; return its exit status and last line of errors."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self._process.kill()
        self._process.communicate()
        with self._errors:
            self._errors.seek(0)
            lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return self._process.returncode, lines[-1][:300] if lines else ""


def _pump(stream: IO[bytes], put: Callable[[bytes], None]) -> None:
    """Hand on line after line, then an empty one: not every platform can read a pipe with a time limit."""
    with suppress(ValueError):  # Closed by `end`.
        for line in stream:
            put(line)
    put(b"")
