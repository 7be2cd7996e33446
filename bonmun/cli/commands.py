"""The group of all commands, and their exit codes."""

import sys
from typing import Any, NoReturn

import click

from bonmun import __version__
from bonmun.cli.analyze import analyze
from bonmun.cli.batch import batch
from bonmun.cli.bench import bench
from bonmun.cli.explain import explain
from bonmun.cli.extract import extract
from bonmun.cli.learn import learn
from bonmun.cli.mcp import mcp
from bonmun.cli.messages import one_line
from bonmun.cli.plugins import plugins
from bonmun.cli.run import run
from bonmun.cli.serve import serve
from bonmun.cli.store import store
from bonmun.cli.token import token
from bonmun.cli.train import train
from bonmun.errors import BonmunError

_INTERRUPTED = 128 + 2
"""The exit code that a shell gives a process ended by SIGINT."""


class _Commands(click.Group):
    """A group whose commands return their exit code and report errors in one line."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run the command line and exit."""
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except click.ClickException as error:
            context = getattr(error, "ctx", None)
            hint = f" (see {context.command_path} --help)" if context else ""
            click.echo(f"bonmun: {one_line(error.format_message())}{hint}", err=True)
            code = error.exit_code
        except BonmunError as error:
            click.echo(f"bonmun: {type(error).__name__}: {one_line(str(error))}", err=True)
            code = 1
        except click.Abort:
            code = _INTERRUPTED
        sys.exit(code)


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bonmun", message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Extract the main text of web pages."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(2)


commands.add_command(extract)
commands.add_command(batch)
commands.add_command(explain)
commands.add_command(learn)
commands.add_command(analyze)
commands.add_command(bench)
commands.add_command(train)
commands.add_command(plugins)
commands.add_command(run)
commands.add_command(store)
commands.add_command(serve)
commands.add_command(token)
commands.add_command(mcp)
