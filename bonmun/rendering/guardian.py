"""The processes of a browser: their memory, and a guardian that ends them after the process that started them.

A worker process is ended by SIGKILL, which leaves it no time to end its browser. Playwright's driver ends it, but not
before half a minute if it hangs. The guardian is a shell that waits for the worker's end and then kills. POSIX only.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

# The last line tells what to kill: the driver and the process group of the browser. The driver gets some time to end
# by itself.
_SCRIPT = """
while read -r one two; do driver=$one group=$two; done
[ -n "$group" ] && kill -9 "-$group"
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -n "$driver" ] && kill -0 "$driver" && sleep 0.3; done
[ -n "$driver" ] && kill -9 "$driver"
rm -rf "$1"
"""


class Guardian:
    """Ends a browser and its driver, and removes its temporary folder, whatever ends this process."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="bonmun-"))
        """For the temporary files of the browser."""
        self._shell: subprocess.Popen[bytes] | None = None
        if os.name == "posix":
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT, "bonmun-guardian", str(self.folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches the whole process group.
            )

    def watch(self, driver: int, group: int | None) -> None:
        """Set the processes to end."""
        if self._shell is not None and self._shell.stdin is not None and driver:
            with suppress(OSError):
                self._shell.stdin.write(f"{driver} {group or ''}\n".encode())
                self._shell.stdin.flush()

    def close(self) -> None:
        """End them now."""
        if self._shell is not None:
            self._shell.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


def kill_browser(pid: int) -> None:
    """Kill the processes of a browser, those that are stopped too."""
    with suppress(OSError):
        group = group_of(pid)
        if group is None:
            os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        else:
            os.killpg(group, signal.SIGKILL)


def group_of(pid: int) -> int | None:
    """Return the process group of a browser; `None` if it has none of its own."""
    if os.name != "posix":
        return None
    group = os.getpgid(pid)
    return None if group == os.getpgrp() else group


def memory_of(pid: int) -> int:
    """Return the bytes that a process and its descendants use, without mapped files; 0 where /proc is missing."""
    return sum(map(private_memory, _family(pid))) if sys.platform == "linux" else 0


def _family(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError, ValueError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_bytes().split():
                yield from _family(int(child))


def private_memory(pid: int) -> int:
    """Return the bytes that a process uses, without mapped files; 0 if it is gone."""
    kilobytes = 0
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/status").read_bytes().splitlines():
            if line.startswith((b"RssAnon:", b"RssShmem:")):
                kilobytes += int(line.split()[1])
    return 1024 * kilobytes
