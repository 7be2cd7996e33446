"""The command line. Exit codes: 0 success, 1 some sources failed (each named on stderr), 2 wrong usage."""

from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit."""
    # Imported here: worker processes import this package too, but no commands.
    from bonmun.cli.commands import commands

    commands.main(prog_name="bonmun")
