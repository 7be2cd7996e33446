"""Signals for the processes that tests start."""

import signal


def heed_interrupts() -> None:
    """To be called in the new process: tests that run in the background ignore SIGINT, and so would what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
