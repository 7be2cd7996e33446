"""Locks on files, which end with their process, however it ends."""

import sys
from contextlib import suppress

if sys.platform == "win32":

    def try_lock(handle: int, *, shared: bool = False) -> bool:
        """Return that nobody else has the file: there is no such lock here."""
        return True

    def wait_for_lock(handle: int) -> None:
        """Do not wait."""

else:
    import fcntl

    def try_lock(handle: int, *, shared: bool = False) -> bool:
        """Lock a file, or change the lock on it; return whether it could be had. Some file systems have no locks."""
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def wait_for_lock(handle: int) -> None:
        """Lock a file as soon as nobody else has it."""
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
