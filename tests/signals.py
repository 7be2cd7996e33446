"""Signal handling in the subprocesses of tests."""

import signal


def heed_interrupts() -> None:
    """Restore the default SIGINT handler (a `preexec_fn`); children of a background test run would ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
