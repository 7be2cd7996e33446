"""``bonmun plugins``."""

import click

from bonmun.cli.messages import one_line


@click.command()
@click.argument("group", required=False, metavar="[GROUP]")
def plugins(group: str | None) -> int:
    """List the plug-ins: wrappers, methods, formats, sources and stores.

    Each line has the kind, the name, where it comes from, and the module and name inside it. Those of other packages
    are loaded; one that fails is named on stderr.
    """
    from bonmun.errors import PluginError
    from bonmun.middleware.plugins import found

    working = []
    failures: list[PluginError] = []
    for plugin in found(group):
        try:
            if not plugin.is_built_in:
                plugin.load()
            working.append(plugin)
        except PluginError as error:
            failures.append(error)
    rows = [(plugin.kind, plugin.name, plugin.origin, plugin.target) for plugin in working]
    widths = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    for failure in failures:
        click.echo(f"bonmun: {one_line(str(failure))}", err=True)
    return 1 if failures else 0
