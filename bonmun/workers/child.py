"""The inside of a Python worker process."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from bonmun.workers.failure import Failure

_ORPHAN_SECONDS = 5.0
"""Time beyond an item's limit after which a worker ends itself: its parent, which would have killed it, is dead."""
_OUT_OF_MEMORY = b""


def serve(connection: "Connection[Any, Any]", task: Callable[[Any], Any]) -> None:
    """Answer one item after the other until the parent closes the connection or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # The task's prints must not mix with the parent's output.
    with suppress(EOFError, OSError):
        connection.send("ready")
        while True:
            answer = _answer(task, connection.recv_bytes())
            connection.send_bytes(answer)
            if answer == _OUT_OF_MEMORY:
                return


def _answer(task: Callable[[Any], Any], message: bytes) -> bytes:
    """Return the pickled result or failure for an item."""
    try:
        item, seconds = ForkingPickler.loads(message)
        with _alarm(seconds):
            return bytes(ForkingPickler.dumps(task(item)))
    except MemoryError:
        return _OUT_OF_MEMORY
    except Exception as error:
        failure = Failure.of(error)
    try:
        answer = bytes(ForkingPickler.dumps(failure))
        ForkingPickler.loads(answer)  # An error whose constructor takes other arguments fails only here.
        return answer
    except Exception:
        return bytes(ForkingPickler.dumps(replace(failure, error=None)))


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Let the kernel end this process if it hangs, even in C code, and its parent is dead."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + _ORPHAN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
